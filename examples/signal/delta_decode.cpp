// SPDX-License-Identifier: MIT
// Delta compression, and the scan that undoes it. A stereo signal that changes slowly becomes
// second differences of its channels: small numbers, which an entropy coder makes short. Decoding
// them is a prefix sum of order 2 over 2-tuples.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

namespace {

constexpr int channels = 2;
constexpr int order = 2;

/// Two tones, sample by sample: left, right, left, right ...
std::vector<std::int16_t> two_tones(std::size_t frames) {
  std::vector<std::int16_t> samples;
  for (std::size_t frame = 0; frame < frames; ++frame)
    for (double const pitch : {220.0, 330.0}) {
      double const turns = pitch * static_cast<double>(frame) / 48000;
      samples.push_back(
          static_cast<std::int16_t>(std::lround(30000 * std::sin(2 * std::numbers::pi * turns))));
    }
  return samples;
}

/// The largest magnitude from the third frame on; before that, differences miss their past.
int largest(std::vector<std::int16_t> const& items) {
  auto const smaller = [](int a, int b) { return std::abs(a) < std::abs(b); };
  return std::abs(*std::max_element(items.begin() + order * channels, items.end(), smaller));
}

}  // namespace

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  std::vector<std::int16_t> const samples = two_tones(1'000'000);
  std::vector<std::int16_t> residuals(samples.size()), decoded(samples.size());
  sam::delta_encode<order>(context, samples, residuals, channels);
  sam::delta_decode<order>(context, residuals, decoded, channels);
  context.wait();

  std::printf("samples up to %d became differences up to %d\n", largest(samples),
              largest(residuals));
  return decoded == samples && largest(residuals) < 100 ? 0 : 1;
}
