// SPDX-License-Identifier: MIT
// An image's brightness: how it is spread, its mean over any box, and a trace that fades along the
// rows.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  std::vector<std::uint8_t> const image{10, 20,  30,  40,  //
                                        50, 60,  70,  80,  //
                                        90, 100, 110, 255};
  sam::index_t const width = 4;

  // [histogram]
  // How many pixels lie in [0, 64), [64, 128), [128, 192) and [192, 256).
  std::vector<std::uint32_t> counts(4);
  sam::histogram(context, image, counts, sam::even_bins(0, 256));
  // [/histogram]

  // [table]
  // The sum of any box takes four reads. The table's type must hold the sum of all pixels.
  std::vector<std::uint32_t> table(image.size());
  sam::summed_area_table(context, image, width, table);
  // [/table]

  // A quarter of the pixel and three quarters of the trace so far.
  std::vector<float> light(image.begin(), image.end()), trace(image.size());
  for (float& x : light)
    x /= 4;
  sam::linear_filter(context, light, std::array{0.75f}, trace);

  // Each row by itself: a factor of 0 at its first pixel drops the row before.
  std::vector<float> factors(image.size(), 0.75f), rows(image.size());
  for (std::size_t i = 0; i < factors.size(); i += 4)
    factors[i] = 0;
  sam::linear_recurrence(context, factors, light, rows);
  context.wait();

  // [box]
  auto const box = sam::box_sum(table.data(), width, 1, 1, 3, 3);  // rows 1 and 2, columns 1 and 2
  // [/box]
  std::printf("dark pixels: %u, mean of the box: %u\n", counts[0], box / 4);
  bool const right = counts == std::vector<std::uint32_t>{6, 5, 0, 1} && box == 340 &&
                     trace[1] == 6.875f && rows[1] == 6.875f && rows[5] == 24.375f;
  return right ? 0 : 1;
}
