// SPDX-License-Identifier: MIT
// Particles in the cells of a grid: sorted by cell, reduced by cell, and compacted when some leave
// the domain. Runs on the default execution space, on a host or a device.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace {

using space = Kokkos::DefaultExecutionSpace;
using indices = Kokkos::View<std::int32_t*, space>;
using numbers = Kokkos::View<double*, space>;

constexpr int cells = 64;  // of the domain [0, 1)

struct particles {
  numbers position{"position", 0}, mass{"mass", 0};
};

struct place_anywhere {
  particles all;
  KOKKOS_FUNCTION void operator()(int i) const {
    double const x = 0.61803398875 * i;
    all.position(i) = x - static_cast<int>(x);
    all.mass(i) = 1 + i % 3;
  }
};
struct find_cell {
  numbers position;
  indices cell;
  KOKKOS_FUNCTION void operator()(int i) const {
    cell(i) = static_cast<std::int32_t>(position(i) * cells);
  }
};
struct move {
  numbers position;
  KOKKOS_FUNCTION void operator()(int i) const { position(i) += 0.25; }
};
// [keep]
struct is_inside {
  KOKKOS_FUNCTION bool operator()(double position) const { return position >= 0 && position < 1; }
};
// [/keep]

// [gather]
/// Copies the items of a View that `order` names.
template <class View>
struct gather {
  View from, to;
  indices order;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) = from(order(i)); }
};
template <class View>
View in_order(space const& on, View const& from, indices const& order, int n) {
  View const to(Kokkos::view_alloc(on, from.label(), Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for("gather", Kokkos::RangePolicy<space>(on, 0, n),
                       gather<View>{from, to, order});
  return to;
}
// [/gather]

template <class T>
double total(Kokkos::View<T*, space> const& items) {
  return static_cast<double>(sam::reduce(space(), items));
}

int run() {
  int const n = 10'000;
  space const on;  // stands for a context in every call
  auto const range = [&](int count) { return Kokkos::RangePolicy<space>(on, 0, count); };
  particles all{numbers("position", n), numbers("mass", n)};
  Kokkos::parallel_for("place", range(n), place_anywhere{all});
  double const mass_before = total(all.mass);

  // [sort]
  indices cell("cell", n);
  Kokkos::parallel_for("find_cell", range(n), find_cell{all.position, cell});
  indices order("order", n);
  sam::radix_argsort(on, cell, order, {.bits = {0, 6}});  // cells are below 64
  cell = in_order(on, cell, order, n);
  all.position = in_order(on, all.position, order, n);
  all.mass = in_order(on, all.mass, order, n);
  // [/sort]

  // [reduce]
  indices occupied("occupied", cells);
  numbers mass_of_cell("mass_of_cell", cells);
  auto const count = sam::reduce_by_key(on, cell, all.mass, occupied, mass_of_cell);
  // [/reduce]
  double const mass_of_cells = total(mass_of_cell);

  // [compact]
  Kokkos::parallel_for("move", range(n), move{all.position});
  auto const left = static_cast<int>(sam::compact_indices(on, all.position, order, is_inside{}));
  all.position = in_order(on, all.position, order, left);
  all.mass = in_order(on, all.mass, order, left);
  // [/compact]

  auto const positions = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all.position);
  int outside = 0;
  for (int i = 0; i < left; ++i)
    outside += !is_inside{}(positions(i));
  std::printf("%d particles in %d cells; %d are left\n", n, static_cast<int>(count), left);
  bool const right = count == cells && mass_of_cells == mass_before && outside == 0 &&
                     std::abs(left - 0.75 * n) < 5 && total(all.mass) < mass_before;
  return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  return run();
}
