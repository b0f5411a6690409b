// SPDX-License-Identifier: MIT
// Particles are sorted by the cell that each is in, and within a cell from the fastest to the
// slowest: two stable sorts, the less important first. Then the particles of each cell are a
// segment, and a sort of segments puts the slowest of each cell first.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

struct particle {
  float position, speed;
  int id;
};

/// The number of a particle's cell, from 0 to 255: the digits that a sort of these structs needs.
struct cell {
  SAM_FUNCTION std::uint8_t operator()(particle const& p) const {
    return static_cast<std::uint8_t>(p.position * 256);
  }
};

struct same_cell {
  SAM_FUNCTION bool operator()(particle const& a, particle const& b) const {
    return cell{}(a) == cell{}(b);
  }
};
struct slow {
  SAM_FUNCTION std::uint32_t operator()(particle const& p) const {
    return sam::number_digits<float>{}(p.speed);
  }
};

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  std::vector<particle> particles;
  std::vector<float> speeds;
  std::uint32_t random = 1;
  auto const next = [&] {
    return static_cast<float>((random = 1664525 * random + 1013904223) >> 8);
  };
  for (int id = 0; id < 100'000; ++id) {
    particles.push_back({next() / 0x1p24f, next() / 0x1p24f, id});
    speeds.push_back(particles.back().speed);
  }

  // Values go where their keys go.
  sam::radix_sort_pairs(context, speeds, particles, speeds, particles,
                        {.order = sam::sort_order::descending});
  // In place, by a function of the items.
  sam::radix_sort(context, particles, particles, cell{});
  // Every cell by itself, the slowest first.
  std::vector<particle> slowest_first(particles.size());
  sam::segmented_radix_sort(context, particles, sam::by_keys(particles, same_cell{}), slowest_first,
                            slow{});
  context.wait();

  bool right = true;
  for (std::size_t i = 1; i < particles.size(); ++i) {
    particle const &before = particles[i - 1], &p = particles[i];
    right = right && (cell{}(before) < cell{}(p) ||
                      (cell{}(before) == cell{}(p) && before.speed >= p.speed));
    particle const &slower = slowest_first[i - 1], &q = slowest_first[i];
    right = right && cell{}(q) == cell{}(p) && (!same_cell{}(slower, q) || slower.speed <= q.speed);
  }
  std::printf("the fastest of the first cell is particle %d\n", particles[0].id);
  return right ? 0 : 1;
}
