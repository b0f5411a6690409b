// SPDX-License-Identifier: MIT
// Items of which nobody wants more than what segments come to.
//
// What a segment comes to that begins and ends in a thread's run of items is known at once, and
// noted where its last item lies, as is what comes before the first head. So once it is known what
// lies before the run, only heads are looked at, and a run without any is done.
#pragma once

#include <sam/gpu/staged_items.hpp>
#include <sam/segmented.hpp>

namespace sam::gpu {

/// Whether a job says of 32 items at a time which are heads.
template <class Job, class P>
inline constexpr bool says_heads_of = false;
template <class Job, class... P>
inline constexpr bool says_heads_of<Job, pointers<P...>> = requires(Job const j, index_t i,
                                                                    P const&... p) {
  j.heads_at(i, p...);
};

/// What a thread does with its items.
template <class Device, class Job, class Pass, class Shape>
class segment_totals {
  using arguments = pass_arguments<Device, Job, Pass, Shape>;
  using shape = pass_shape<Device, Job, Pass, Shape>;
  using items_type = staged_items<Device, Job, Pass, Shape>;
  using run_of_items = typename items_type::run_of_items;
  using item = typename Job::item;
  using summary = typename Job::summary;
  using total = typename summary::value_type;
  static constexpr int I = shape::items;
  static constexpr bool notes = shape::stage_type::notes_totals;

 public:
  SAM_DEVICE segment_totals(arguments const& a, items_type const& items,
                            typename shape::board& board)
      : a_(a), items_(items), board_(board) {}

  /// Notes heads and totals of a run, which has an item, and what it comes to.
  template <bool Whole>
  SAM_DEVICE void sum_up(int s, run_of_items const& run, summary& sum) const {
    room<total, 1> since;  // the last head, or the first item
    int heads = 0, last_head = 0;
#pragma unroll
    for (int first = 0; first < I; first += 32) {
      int const end = int(min_of(first + 32, Whole ? I : run.left));
      std::uint32_t bits = 0;
      if constexpr (says_heads)
        bits = items_.with_arrays(
            run, first, [&](index_t i, auto const&... p) { return a_.job.heads_at(i, p...); });
      auto const take = [&](int k, item const& x) {
        bool begins;
        if constexpr (says_heads) {
          begins = bits >> (k - first) & 1;
        } else {
          begins = x.head;
          bits |= (begins ? 1u : 0u) << (k - first);
        }
        if constexpr (notes) {
          total const own = a_.job.summarise(x).value;
          if (k == 0) {
            since.at[0] = own;
          } else {
            if (begins)
              note(run, k) = since.at[0];
            since.at[0] = detail::combine_in_segment(a_.job.op, since.at[0], own, begins);
          }
        }
      };
      if constexpr (Whole) {
#pragma unroll
        for (int k = first; k < end; k += batch) {
          room<item, batch> x;  // asked for first: notes might lie anywhere
#pragma unroll
          for (int b = 0; b < batch; ++b)
            if (k + b < end)
              x.at[b] = items_.template get<1>(run, k + b);
#pragma unroll
          for (int b = 0; b < batch; ++b)
            if (k + b < end)
              take(k + b, x.at[b]);
        }
      } else {
#pragma unroll 1
        for (int k = first; k < end; ++k)
          take(k, items_.template get<1>(run, k));
      }
      if (says_heads && end - first < 32)
        bits &= (1u << max_of(end - first, 0)) - 1;
      words(s, first / 32) = bits;
      heads += Device::count(bits);
      if (!notes && bits != 0)
        last_head = first + Device::last(bits);
    }
    if constexpr (notes) {
      if (is_last(run))
        note(run, run.left) = since.at[0];
      sum = {since.at[0], static_cast<decltype(sum.heads)>(heads)};
    } else {
      sum = {static_cast<total>(run.left - last_head), static_cast<decltype(sum.heads)>(heads)};
    }
  }

  /// Whether segments begin in the run, or end with it.
  SAM_DEVICE bool has_ends(int s, run_of_items const& run) const {
    std::uint32_t any = is_last(run) ? 1 : 0;
#pragma unroll
    for (int w = 0; w < shape::head_words; ++w)
      any |= words(s, w);
    return any != 0;
  }
  /// Finishes them.
  SAM_DEVICE void finish(int s, run_of_items const& run, summary const& before) const {
    auto rank = static_cast<decltype(before.heads)>(before.heads - 1);  // of the segment under way
    index_t const begin = run.begin + run.first;
    auto const end_at = [&](int k, total const& y) {
      a_.job.put_total(begin + k - 1, static_cast<index_t>(rank), y);
    };
    auto const begin_at = [&](int k) {
      ++rank;
      if constexpr (requires(Job j) { requires Job::puts_heads; })
        items_.with_arrays(run, k, [&](index_t i, auto const&... p) {
          a_.job.put_head_from(i, static_cast<index_t>(rank), p...);
        });
    };
    int w = 0;
    std::uint32_t bits = words(s, 0);
    while (bits == 0 && w + 1 < shape::head_words)
      bits = words(s, ++w);
    int head = -1;
    if (bits != 0) {
      head = 32 * w + Device::first(bits);
      if (begin + head > 0)
        end_at(head, upto_first(run, before.value, head));
      begin_at(head);
      for (bits &= bits - 1;;) {
        for (; bits != 0; bits &= bits - 1) {
          int const k = 32 * w + Device::first(bits);
          end_at(k, since(run, head, k));
          begin_at(k);
          head = k;
        }
        if (++w >= shape::head_words)
          break;
        bits = words(s, w);
      }
    }
    if (is_last(run)) {
      end_at(run.left,
             head < 0 ? upto_first(run, before.value, run.left) : since(run, head, run.left));
      a_.job.close(static_cast<index_t>(rank) + 1);
    }
  }

 private:
  static constexpr bool says_heads = says_heads_of<Job, typename shape::stage_type::pointers_type>;
  static constexpr int batch = int(max_of(8 / words_of<item>, 1));

  /// What the segment comes to that ends before item k and began with `head`.
  SAM_DEVICE total since(run_of_items const& run, [[maybe_unused]] int head, int k) const {
    if constexpr (notes)
      return note(run, k);
    else
      return static_cast<total>(k - head);
  }
  /// Or that began before the run.
  SAM_DEVICE total upto_first(run_of_items const& run, total const& before, int k) const {
    if (k == 0)
      return before;
    if constexpr (notes)
      return a_.job.op(before, note(run, k));
    else
      return before + static_cast<total>(k);
  }
  /// Whether its last item is the last of all.
  SAM_DEVICE bool is_last(run_of_items const& run) const {
    return run.begin + run.first + run.left == a_.n;
  }
  /// What the segment comes to that ends before item k, as far as it lies in the run.
  SAM_DEVICE total& note(run_of_items const& run, int k) const {
    return run.values[run.first + k - 1];
  }
  SAM_DEVICE std::uint32_t& words(int s, int w) const {
    return board_.heads_of[s].words[w][items_type::warp() * Device::warp_size + Device::lane()];
  }

  arguments const& a_;
  items_type const& items_;
  typename shape::board& board_;
};

}  // namespace sam::gpu
