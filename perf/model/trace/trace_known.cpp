// SPDX-License-Identifier: MIT
// Records kernels whose counts are known, which tests the tracer itself.
#include "cases.hpp"

namespace memory_trace {

namespace {

using device = simt::device<32>;

std::uint32_t* shared_words() { return reinterpret_cast<std::uint32_t*>(device::shared_memory()); }

/// Each lane stores two words, which lie `stride` words from those of the next lane.
void store_strided(int stride) {
  for (int k = 0; k < 2; ++k)
    shared_words()[device::lane() * stride + k] = std::uint32_t(k);
}
/// Lanes store after different numbers of iterations: odd lanes twice, and even lanes once.
void store_diverged() {
  for (int k = 0; k <= device::lane() % 2; ++k)
    shared_words()[32 * k + device::lane()] = 1;
}
/// The lanes meet between two stores, of which the first half of the lanes does only the second.
void store_around_meeting() {
  for (int k = 0; k < 2; ++k) {
    if (k == 1 || device::lane() >= 16)
      shared_words()[device::lane() % 16] = 1;
    device::sync_warp();
  }
}
/// Each lane adds to a counter that it shares with three others.
void add_to_few() { device::add_shared(shared_words() + device::lane() / 4, 1u); }

}  // namespace

void trace_known() {
  constexpr int bytes = 32 * 33 * 4;
  auto const known = [](std::string const& name, auto const& kernel) {
    record("known: " + name, 1, [&] { launch(1, 32, bytes, kernel); });
  };
  known("stride 1", [] { store_strided(1); });
  known("stride 2", [] { store_strided(2); });
  known("stride 32", [] { store_strided(32); });
  known("stride 33", [] { store_strided(33); });
  known("diverged lanes", [] { store_diverged(); });
  known("lanes that meet", [] { store_around_meeting(); });
  known("atomic additions", [] { add_to_few(); });
  array<std::uint64_t> out(32 * 8);
  known("global memory, stride 1", [&out] { out[std::size_t(device::lane())] = 1; });
  known("global memory, stride 8", [&out] { out[std::size_t(device::lane() * 8)] = 1; });
}

}  // namespace memory_trace
