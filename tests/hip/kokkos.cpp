// SPDX-License-Identifier: MIT
// Checks at compile time that contexts on Kokkos::HIP run calls by the engine of sam::hip. Needs
// the headers of Kokkos, configured for HIP. Nothing here is run.
#include <sam/kokkos/backend.hpp>
#include <sam/scan.hpp>

#include <concepts>
#include <type_traits>

namespace {

using sam::kokkos::engine_kind;
using on_hip = sam::kokkos::basic_context<Kokkos::HIP>;

static_assert(sam::kokkos::native_engine<Kokkos::HIP> == engine_kind::hip);
static_assert(sam::kokkos::native_engine<Kokkos::Serial> == engine_kind::host);
static_assert(std::derived_from<on_hip, sam::hip::context> && on_hip::engine == engine_kind::hip);
static_assert(std::same_as<sam::kokkos::context, on_hip>);  // HIP is the default space

// Views of device memory only are accepted.
static_assert(on_hip::reaches<Kokkos::View<int*, Kokkos::HIPSpace>>);
static_assert(!on_hip::reaches<Kokkos::View<int*, Kokkos::HostSpace>>);
// The fallback is there for those who ask for it.
using by_fallback = sam::kokkos::basic_context<Kokkos::HIP, engine_kind::fallback>;
static_assert(!std::derived_from<by_fallback, sam::hip::context>);

}  // namespace

void scan(Kokkos::HIP const& space, Kokkos::View<int*, Kokkos::HIPSpace> const& items) {
  on_hip context(space);
  sam::inclusive_scan(context, items, items);
}
