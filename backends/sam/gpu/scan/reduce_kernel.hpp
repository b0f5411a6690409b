// SPDX-License-Identifier: MIT
// Reduces items whose grouping changes no bit of the result, by plain grid-stride loops.
//
// Every thread combines 16-byte vectors of items that lie a whole grid apart, and every block
// combines the values of its threads. The block that began last waits for the values of all others,
// and combines them. Without scan values there is nothing else to wait for, so that a pipeline as
// in scan_kernel.hpp does not pay: this kernel begins with loads, and reaches the bandwidth of
// memory as well.
//
// If one block takes all items, it has no more warps than load them in one turn. Integers and keys
// of lanes are combined by instructions for all lanes of a warp, where the device has them.
#pragma once

#include <sam/gpu/carry/lookback_for.hpp>
#include <sam/gpu/grid/exchange.hpp>
#include <sam/gpu/scan/stage_layout.hpp>

#include <functional>

namespace sam::inline v0_1::gpu {

/// True if reduce_block runs a job: it wants one value, under an operator that commutes and has an
/// identity, of items that may be regrouped.
template <class Job, class Policy>
inline constexpr bool reduces_in_any_order =
    reducing<Job>&& Policy::tuple_size == 1 && Policy::order == 1 &&
    words_of<typename Job::accumulator> <=
        exchange_memory::most_words&& is_exact<typename Job::accumulator>&&
            is_commutative<typename Policy::op_type>&&
                has_identity<typename Policy::op_type, typename Job::accumulator>;

/// True if integers of up to 32 bits are reduced to the least or the greatest.
template <class T, class Op>
inline constexpr bool orders_in_one_word = (std::is_same_v<Op, minimum> ||
                                            std::is_same_v<Op, maximum>)&&std::is_integral_v<T> &&
                                           !std::is_same_v<T, bool> && sizeof(T) <= 4;

/// Holds the arguments of a launch.
template <class Job, class Policy>
struct reduce_arguments {
  Job job;
  Policy policy;
  index_t n;
  exchange_memory* memory;
  int warps;  // of a block
  /// If memory has the number of items, so many blocks load some before they know it. Others load
  /// only items that count: if all blocks loaded ahead, they would read all items that there may
  /// be.
  int loading_ahead;
};

/// True if the lanes of a warp combine their values by a few instructions that words of all lanes
/// have: Device::sum_of_all and its like.
template <class T, class Op>
inline constexpr bool has_lane_sums = adds_in_one_word<T, Op> || orders_in_one_word<T, Op> ||
                                      requires(Op const op, T x) {
  op.of_lanes(x, std::identity());
};

/// Runs one block of at most `Warps` warps.
template <class Device, class Job, class Policy, int Warps>
class reduce_block {
  using T = typename Job::accumulator;
  using arrays = typename arrays_of<Job>::type;
  static constexpr int lanes = Device::warp_size;
  static_assert(Warps <= lanes);

  /// Names the element type of the only array that a job reads, or void.
  template <class P>
  struct only_array {
    using type = void;
  };
  template <class X>
  struct only_array<pointers<X const*>> {
    using type = X;
  };
  using element = typename only_array<arrays>::type;
  /// Returns the number of items in a vector of 16 bytes, or 1 if items are not loaded by vectors.
  static constexpr int of_vector = [] {
    if constexpr (std::is_void_v<element> || is_reversed<Job>)
      return 1;
    else
      return 16 % sizeof(element) == 0 ? int(16 / sizeof(element)) : 1;
  }();

  struct shared_layout {
    uninitialized_array<T, Warps> of_warps[2];
    std::uint32_t greatest_of_warps[Warps];
    std::uint32_t claimed, launches;
  };

 public:
  static constexpr int threads = Warps * lanes;
  static constexpr int shared_bytes = int(sizeof(shared_layout));
  /// The number of vectors that a thread loads at a time.
  static constexpr int together = 4;

  /// The bits of a word in which the totals of few items are chosen by the greatest number; 0 if
  /// they are not.
  static constexpr int chosen_bits = [] {
    if constexpr (requires { Job::chosen_bits; })
      return Job::chosen_bits;
    else
      return 0;
  }();
  /// True if blocks combine their values in one word, for n items.
  static SAM_FUNCTION bool combines_in_one_word(index_t n) {
    constexpr bool counts = requires { requires Job::sum_is_at_most_n; };
    if constexpr (chosen_bits > 0)
      return n <= Job::most_chosen;
    else
      return adds_in_one_word<T, typename Policy::op_type> ||
             (counts && n <= index_t{highest_of<std::uint32_t>});
  }
  /// The most blocks that combine their values in one word.
  static constexpr index_t most_in_one_word = index_t{1}
                                              << (chosen_bits > 32 ? 63 - chosen_bits : 31);

  /// Returns the number of blocks, at most `most`. It is one, if its threads load all items in so
  /// many turns as take no longer than an exchange. Otherwise there is a thread for each vector, up
  /// to one block on each multiprocessor, and then a block for each turn of loads or several turns.
  static index_t blocks(index_t n, index_t multiprocessors, index_t most) {
    index_t const vectors = engine::div_up(n, of_vector), turns = vectors / (threads * together);
    if (vectors <= (combines_in_one_word(n) ? 1 : 2) * threads * together)
      return 1;
    return engine::min_of(
        engine::max_of(turns, engine::min_of(engine::div_up(vectors, threads), multiprocessors)),
        most);
  }

  /// Returns the number of warps of each of so many blocks. The only block has no more than load
  /// all n items in one turn: fewer warps start and meet in less time, and one warp needs no
  /// barrier.
  static int warps(index_t n, Job const& job, index_t blocks) {
    if (blocks > 1)
      return Warps;
    index_t of_lane = together;
    if constexpr (of_vector > 1)
      if (gpu::misalignment(job.reads().first) == 0)
        of_lane *= of_vector;
    return int(engine::min_of(engine::div_up(n, of_lane * lanes), Warps));
  }

  SAM_DEVICE explicit reduce_block(reduce_arguments<Job, Policy> const& a)
      : a_(a), shared_(*reinterpret_cast<shared_layout*>(Device::shared_memory())),
        thread_(Device::warp() * lanes + Device::lane()) {}

  SAM_DEVICE void run() const {
    Device::grid_dependency_trigger();
    Device::grid_dependency_wait();
    if (Device::blocks() == 1)
      return store(of_block(of_thread(), 0));
    if constexpr (std::is_integral_v<T>)
      if (combines_in_one_word(a_.n))
        return combine_in_one_word(of_thread());
    if constexpr (!adds_in_one_word<T, typename Policy::op_type>)
      exchange_values();
  }

 private:
  SAM_DEVICE void combine_in_one_word(T own) const {
    if constexpr (chosen_bits > 0) {
      std::uint64_t x = 0;
      if constexpr (chosen_bits <= 32)
        x = greatest_of_block(std::uint32_t(Job::to_chosen(own)));
      else
        x = Job::to_chosen(of_block(own, 0));
      if (thread_ == 0 && gpu::raise_in_one_word<Device, 64 - chosen_bits>(&a_.memory->sum, x))
        store(Job::of_chosen(x));
    } else {
      own = of_block(own, 0);
      if (thread_ == 0 && gpu::add_in_one_word<Device>(&a_.memory->sum, own))
        store(own);
    }
  }
  SAM_DEVICE void exchange_values() const {
    std::uint32_t claimed = 0, launches = 0;
    if (thread_ == 0) {  // on their way while items are loaded: nothing uses them before
      claimed = exchange<Device, T>::claim(*a_.memory);
      launches = exchange<Device, T>::launches(*a_.memory);
    }
    T own = of_thread();
    if (thread_ == 0) {
      // Through memory, since an addition to what is loaded would wait for it ahead of the items.
      shared_.claimed = claimed;
      shared_.launches = launches;
    }
    own = of_block(own, 0);  // orders the writes of what is claimed before their reads, too
    exchange<Device, T> const all(*a_.memory, shared_.launches + 1);
    if (thread_ == 0)
      all.publish(Device::block(), own);
    all.refresh(Device::blocks(), Device::block(), Device::blocks(), thread_, threads);
    if (shared_.claimed + 1 == std::uint32_t(Device::blocks()))
      combine_blocks(all);
  }

  struct alignas(16) vector {
    uninitialized_array<std::conditional_t<std::is_void_v<element>, char, element>, of_vector> of;
  };

  /// True if vectors of the first items are combined, whose number memory has.
  static constexpr bool cuts = reducing_first<Job> && of_vector > 1;
  /// Combines the items of this thread.
  SAM_DEVICE T of_thread() const {
    T sum = sam::identity_of<T>(a_.policy.op);
    auto const add = [&](typename Job::item const& x) {
      sum = a_.policy.op(sum, a_.job.to_accumulator(x));
    };
    using one = uninitialized_array<typename Job::item, 1>;
    if constexpr (of_vector > 1) {
      element const* const from = a_.job.reads().first;
      if (gpu::misalignment(from) == 0) {
        index_t const vectors = a_.n / of_vector, rest = vectors * of_vector + thread_;
        one last;  // an item behind the last whole vector is on its way while vectors are combined
        bool const has_last = !cuts && Device::block() == 0 && rest < a_.n;
        if (has_last)
          last.at[0] = a_.job.load(rest);
        auto const load = [&](index_t v, vector& x) {
          x = reinterpret_cast<vector const*>(from)[v];
        };
        index_t n = a_.n;
        auto const known = [&] {
          if constexpr (cuts)
            n = a_.job.reduced();
          return n / of_vector;
        };
        for_each_mine<vector, cuts>(vectors, known, load, [&](index_t v, vector const& x) {
          if constexpr (vector_reducing<Job>) {
            add(a_.job.template of_vector<of_vector>(v, x.of.at));
          } else if (matters(v, x)) {
#pragma unroll
            for (int k = 0; k < of_vector; ++k)
              add(load_first(v * of_vector + k, x.of.at + k));
          }
        });
        if (has_last)
          add(last.at[0]);
        if constexpr (cuts)  // items behind the last vector that has first ones alone
          if (index_t const i = n / of_vector * of_vector + thread_; Device::block() == 0 && i < n)
            add(load_first(i));
        return sum;
      }
    }
    for_each_mine<one, false>(
        items(), nullptr, [&](index_t i, one& x) { x.at[0] = load_first(i); },
        [&](index_t, one const& x) { add(x.at[0]); });
    return sum;
  }
  /// Returns the number of items, also if memory has it.
  SAM_DEVICE index_t items() const {
    if constexpr (reducing_first<Job>)
      return a_.job.reduced();
    else
      return a_.n;
  }
  /// Loads one of the first items.
  template <class... P>
  SAM_DEVICE typename Job::item load_first(index_t i, P const*... p) const {
    if constexpr (reducing_first<Job>)
      return a_.job.load_first(i, p...);
    else
      return a_.job.load(i, p...);
  }
  /// False if a job says that no item of vector v changes what it is combined with.
  SAM_DEVICE bool matters(index_t v, vector const& x) const {
    if constexpr (requires { a_.job.matters(v, x.of.at); }) {
      bool any = false;
#pragma unroll
      for (int k = 0; k < of_vector; ++k)
        any |= a_.job.matters(v * of_vector + k, x.of.at + k);
      return any;
    }
    return true;
  }
  /// Calls load(k, x) and then use(k, x) for this thread's share of indices below `count`. Several
  /// loads are issued before the first use. If memory has the number of items, known() returns how
  /// many indices are used. Blocks that load ahead call it once their first loads are on their way.
  template <class X, bool AsksMemory, class Known, class Load, class Use>
  SAM_DEVICE void for_each_mine(index_t count, Known const& known, Load const& load,
                                Use const& use) const {
    int const of_block = a_.warps * lanes;
    index_t const stride = index_t{Device::blocks()} * of_block;
    index_t first = index_t{Device::block()} * of_block + thread_;
    if constexpr (AsksMemory) {
      if (Device::block() < a_.loading_ahead) {
        take<X>(first, stride, count, load, use, [&] { return count = known(); });
        first += together * stride;
      } else {
        count = known();
      }
    }
#pragma unroll 1
    for (; first < count; first += together * stride)
      take<X>(first, stride, count, load, use, nullptr);
  }
  /// Does so for `together` indices from `first` on, a stride apart.
  template <class X, class Load, class Use, class Known>
  SAM_DEVICE void take(index_t first, index_t stride, index_t count, Load const& load,
                       Use const& use, [[maybe_unused]] Known const& known) const {
    X x[together];
    int loaded = 0;
#pragma unroll
    for (int u = 0; u < together; ++u)
      if (first + u * stride < count) {
        load(first + u * stride, x[u]);
        loaded = u + 1;
      }
    if constexpr (std::is_invocable_v<Known>) {
      index_t const used = known();
      loaded = 0;
#pragma unroll
      for (int u = 0; u < together; ++u)
        loaded += first + u * stride < used ? 1 : 0;
    }
    // Compilers merge a load with its use if they know that both have one condition. Each load
    // would then wait for the use before it.
    loaded = Device::opaque(loaded);
#pragma unroll
    for (int u = 0; u < together; ++u)
      if (u < loaded)
        use(first + u * stride, x[u]);
  }

  /// Combines the values of all blocks, which have begun. Waits for them.
  SAM_DEVICE void combine_blocks(exchange<Device, T> const& all) const {
    T sum = sam::identity_of<T>(a_.policy.op);
    for (int b = thread_; b < Device::blocks(); b += threads)
      sum = a_.policy.op(sum, all.await(b));
    sum = of_block(sum, 1);
    if (thread_ == 0) {
      all.end_claims();
      all.count_launch();
    }
    store(sum);
  }

  /// Combines x of all lanes of the warp, in all lanes.
  SAM_DEVICE T of_warp(T x) const {
    using op = typename Policy::op_type;
    if constexpr (adds_in_one_word<T, op>) {
      return static_cast<T>(Device::sum_of_all(static_cast<std::uint32_t>(x)));
    } else if constexpr (orders_in_one_word<T, op>) {
      constexpr std::uint32_t sign = std::is_signed_v<T> ? 1u << 31 : 0;  // orders as unsigned
      std::uint32_t const own = static_cast<std::uint32_t>(x) ^ sign;
      return static_cast<T>(
          (std::is_same_v<op, minimum> ? Device::least_of_all(own) : Device::greatest_of_all(own)) ^
          sign);
    } else if constexpr (has_lane_sums<T, op>) {
      return a_.policy.op.of_lanes(x, [](std::uint32_t y) { return Device::least_of_all(y); });
    } else {
#pragma unroll
      for (int d = lanes / 2; d > 0; d /= 2)
        x = a_.policy.op(x, gpu::shuffle_from<Device>(x, Device::lane() ^ d));
      return x;
    }
  }
  /// Combines x of all threads of the block, in its first warp, through an array of shared memory.
  SAM_DEVICE T of_block(T x, int through) const {
    x = of_warp(x);
    if (Warps > 1 && a_.warps == 1)  // the only warp of all
      return x;
    if (Device::lane() == 0)
      shared_.of_warps[through].at[Device::warp()] = x;
    Device::sync_block();  // orders the writes of the warps' values before their reads
    if (Device::warp() > 0)
      return x;
    return of_warp(Device::lane() < a_.warps ? shared_.of_warps[through].at[Device::lane()]
                                             : sam::identity_of<T>(a_.policy.op));
  }
  /// Returns the greatest x of all threads of the block, in its first warp.
  SAM_DEVICE std::uint32_t greatest_of_block(std::uint32_t x) const {
    x = Device::greatest_of_all(x);
    if (Device::lane() == 0)
      shared_.greatest_of_warps[Device::warp()] = x;
    Device::sync_block();  // orders the writes of the warps' values before their reads
    if (Device::warp() > 0)
      return x;
    return Device::greatest_of_all(
        Device::lane() < Warps ? shared_.greatest_of_warps[Device::lane()] : 0);
  }
  SAM_DEVICE void store(T all) const {
    if (thread_ != 0)
      return;
    if constexpr (Policy::starts_known)
      all = a_.policy.op(a_.policy.start.value, all);
    a_.job.store(a_.n - 1, a_.job.load(a_.n - 1), all);
  }

  reduce_arguments<Job, Policy> const& a_;
  shared_layout& shared_;
  int thread_;
};

}  // namespace sam::inline v0_1::gpu
