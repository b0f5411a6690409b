// SPDX-License-Identifier: MIT
// Reduces stretches of pairs of numbers whose operator combines each member by itself. The members
// of a piece are written apart, so that vectors of each are combined.
#pragma once

#include <sam/host/jobs/segment_flags.hpp>

#include <bit>
#include <cstdint>

#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#include <sam/host/simd/lanes_total.hpp>

namespace sam::inline v0_1::host {

/// True if an operator combines both members of V, numbers of one type, by operators on vectors.
template <class Op, class V>
concept combines_members = lanewise_operator<typename Op::first, typename Op::template member<V>> &&
    lanewise_operator<typename Op::second, typename Op::template member<V>>;

/// Reduces the stretches of pairs. Implements the interface that segmented_reduce.hpp describes.
template <reducing_segments Job>
class member_totals {
  using V = typename Job::accumulator::value_type;
  using op_type = std::remove_const_t<decltype(Job::op)>;
  using T = typename op_type::template member<V>;
  static constexpr index_t piece = 1024;

 public:
  struct worker_buffers {
    T *first, *second;  // the members of a piece
  };

  member_totals(Job const& job, index_t) : job_(job) {}

  index_t granule() const { return 64; }
  void plan(workspace::plan& plan, index_t) const {
    plan.part<T>(piece + lanes<T>).template part<T>(piece + lanes<T>);
  }
  worker_buffers worker_buffers_in(workspace& memory, index_t) const {
    auto* const first = memory.take<T>(piece + lanes<T>);
    return {first, memory.take<T>(piece + lanes<T>)};
  }

  V* put(index_t begin, index_t count, std::uint8_t* heads, worker_buffers const& buffer,
         V* out) const {
    host::put_heads(job_, begin, count, heads);
    lanes_total<T, typename op_type::first> first;
    lanes_total<T, typename op_type::second> second;
    first.clear();
    second.clear();
    bool is_clear = true;  // of items of an earlier piece
    for (index_t i = 0; i < count; i += piece) {
      index_t const m = engine::min_of(piece, count - i);
      set_apart(job_, begin + i, m, buffer.first, buffer.second);
      index_t from = 0;
      auto const add_up_to = [&](index_t end) __attribute__((always_inline)) {
        for (; from + lanes<T> <= end; from += lanes<T>) {
          first.add(buffer.first + from);
          second.add(buffer.second + from);
        }
        first.add(buffer.first + from, static_cast<int>(end - from));
        second.add(buffer.second + from, static_cast<int>(end - from));
        from = end;
      };
      // Not by for_each_head: g++ would keep all that its function changes in memory.
      for (index_t k = 0; k < m; k += 64) {
        std::uint64_t word = word_of_heads(heads, i + k);
        bool const are_all = word == ~std::uint64_t{0};
        for (word = are_all ? 1 : word; word != 0; word &= word - 1) {
          index_t const head = k + std::countr_zero(word);
          if (is_clear && head - from <= few) {
            *out++ = total_of_few(buffer, from, head);
            from = head;
            continue;
          }
          add_up_to(head);
          *out++ = V{first.total(), second.total()};
          first.clear();
          second.clear();
          is_clear = true;
        }
        if (are_all) {  // segments of one item
          for (index_t j = k; j < k + 63; ++j)
            *out++ = V{buffer.first[j], buffer.second[j]};
          from = k + 63;
        }
      }
      add_up_to(m);
      is_clear = false;
    }
    *out++ = V{first.total(), second.total()};
    return out;
  }

 private:
  static constexpr index_t few = lanes<T> / 2;  // these are combined one by one

  static V total_of_few(worker_buffers const& buffer, index_t begin, index_t end) {
    constexpr typename op_type::first least{};
    constexpr typename op_type::second most{};
    T a = buffer.first[begin], b = buffer.second[begin];
    for (index_t k = begin + 1; k < end; ++k) {
      a = least(a, buffer.first[k]);
      b = most(b, buffer.second[k]);
    }
    return V{a, b};
  }
  // Takes the job by value; otherwise the compiler must assume that each store changes it.
  static void set_apart(Job const job, index_t begin, index_t count, T* __restrict first,
                        T* __restrict second) {
    for (index_t k = 0; k < count; ++k) {
      V const both = job.value(begin + k);
      auto const& [a, b] = both;
      first[k] = a;
      second[k] = b;
    }
  }
  Job const& job_;
};

}  // namespace sam::inline v0_1::host
#else
namespace sam::inline v0_1::host {
// Device compilers do not support the vector types of their host compiler.
template <class Op, class V>
concept combines_members = false;
template <reducing_segments Job>
class member_totals;
}  // namespace sam::inline v0_1::host
#endif
