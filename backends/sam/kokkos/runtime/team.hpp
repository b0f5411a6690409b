// SPDX-License-Identifier: MIT
// Launches the kernels of the fallback on a Kokkos execution space: loops, and teams of threads.
#pragma once

#include <sam/kokkos/runtime/region.hpp>
#include <sam/portable.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace sam::inline v0_1::kokkos {

/// The largest number of threads in the teams of host spaces. One is fastest, since its barriers
/// cost nothing. Tests set more.
inline int most_host_team_threads = 1;

/// A team of Kokkos as the kernels of <sam/gpu/fallback/team_tile.hpp> see it.
template <class Member>
class team {
 public:
  KOKKOS_FUNCTION team(Member const& member, int level, std::size_t bytes)
      : member_(member),
        memory_(static_cast<std::byte*>(member.team_scratch(level).get_shmem_aligned(bytes, 16))) {}

  KOKKOS_FUNCTION index_t index() const { return member_.league_rank(); }
  KOKKOS_FUNCTION std::byte* memory() const { return memory_; }
  KOKKOS_FUNCTION void barrier() const { member_.team_barrier(); }
  /// Calls f(0) to f(count - 1), on the vector lanes of threads too where the space has them.
  template <class F>
  KOKKOS_FUNCTION void for_each(int count, F const& f) const {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member_, count), f);
  }
  /// Adds 1 to a number in the team's memory that other threads of the team also change.
  KOKKOS_FUNCTION static void count(int* number) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    atomicAdd(number, 1);  // unlike Kokkos's, the compiler sees that this is shared memory
#else
    Kokkos::atomic_inc(number);
#endif
  }
  /// Adds to a number that threads of other teams also change.
  template <class T>
  KOKKOS_FUNCTION static void add(T* number, T x) {
    Kokkos::atomic_add(number, x);
  }

 private:
  Member const& member_;
  std::byte* memory_;
};

/// Calls a kernel with the team of each member.
template <class Kernel, class Member>
struct team_kernel {
  Kernel kernel;
  int level;  // of the scratch memory
  std::size_t bytes;
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    kernel(team<Member>(member, level, bytes));
  }
};

/// Queues kernels on an instance of a space, in order.
template <class ExecutionSpace>
class launcher {
 public:
  /// Makes a launcher that queues kernels, or one that does nothing.
  explicit launcher(ExecutionSpace const& space, bool does_nothing = false)
      : space_(space), does_nothing_(does_nothing) {}

  /// Runs kernel(i) for all i < count.
  template <class Kernel>
  void operator()(char const* label, index_t count, Kernel const& kernel) const {
    using range = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
    if (does_nothing_)
      return;
    kokkos::starting([&] { Kokkos::parallel_for(label, range(space_, 0, count), kernel); });
  }
  /// Runs kernel(team) for `count` teams of `threads` threads and `bytes` bytes of memory. Spaces
  /// with fewer threads, which those of the host are, have smaller teams.
  template <class Kernel>
  void teams(char const* label, index_t count, int threads, std::size_t bytes,
             Kernel const& kernel) const {
    using policy_type = Kokkos::TeamPolicy<ExecutionSpace>;
    if (does_nothing_)
      return;
    // Scratch memory is aligned to less than 16 bytes on some spaces.
    int const scratch = static_cast<int>(bytes) + 16;
    int const level = scratch <= policy_type::scratch_size_max(0) ? 0 : 1;
    team_kernel<Kernel, typename policy_type::member_type> const all{kernel, level, bytes};
    auto const with = [&](int size) {
      return policy_type(space_, static_cast<int>(count), size)
          .set_scratch_size(level, Kokkos::PerTeam(scratch));
    };
    kokkos::starting([&] {
      if constexpr (is_host_space<ExecutionSpace>) {
        threads =
            std::min(most_host_team_threads, with(1).team_size_max(all, Kokkos::ParallelForTag()));
      }
      Kokkos::parallel_for(label, with(threads), all);
    });
  }

 private:
  ExecutionSpace const& space_;
  bool does_nothing_;
};

}  // namespace sam::inline v0_1::kokkos
