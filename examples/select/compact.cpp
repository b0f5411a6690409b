// SPDX-License-Identifier: MIT
// Particles that have left the box are dropped, in place, step by step; the rest keep their order.
// The simulation then works only on those that are still there.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstdio>
#include <span>
#include <vector>

namespace {

struct particle {
  int id;
  float position, speed;
};

struct is_inside {
  SAM_FUNCTION bool operator()(particle const& p) const {
    return p.position >= 0 && p.position <= 1;
  }
};

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  std::vector<particle> particles;
  for (int id = 0; id < 100'000; ++id)
    particles.push_back({id, 0.5f, (static_cast<float>(id % 1000) - 499.5f) / 1000});

  std::span<particle> inside(particles);
  for (int step = 0; step < 5; ++step) {
    for (particle& p : inside)
      p.position += p.speed;
    sam::index_t const left = sam::compact(context, inside, inside, is_inside{});
    inside = inside.first(static_cast<std::size_t>(left));
    std::printf("step %d: %zu particles are inside\n", step, inside.size());
  }

  // Particles of at most 1/10 a step are still there.
  bool right = inside.size() == 20'000;
  int last = -1;
  for (particle const& p : inside) {
    right = right && p.id > last && p.speed >= -0.1f && p.speed <= 0.1f;
    last = p.id;
  }
  return right ? 0 : 1;
}
