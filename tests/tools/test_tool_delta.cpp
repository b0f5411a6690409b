// SPDX-License-Identifier: MIT
// Tests the commands encode, decode and demo of the tool.
#include <sam/reference.hpp>

#include "tool.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <cmath>
#include <cstdint>

namespace {

using integers = std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                            std::uint16_t, std::uint32_t, std::uint64_t>;

void run_well(std::string const& arguments) {
  auto const result = run_tool(arguments);
  CAPTURE(arguments, result.errors);
  REQUIRE(result.status == 0);
  REQUIRE(result.errors.empty());
}

template <class Number>
std::string little_endian(Number number) {
  return {reinterpret_cast<char const*>(&number), sizeof number};
}

/// Returns a canonical WAV file of 16-bit samples.
std::string wav_bytes(std::vector<std::int16_t> const& samples, int channels, int rate) {
  std::string items;
  for (std::int16_t const sample : samples)
    items += little_endian(sample);
  auto const size = static_cast<std::uint32_t>(items.size());
  return "RIFF" + little_endian(size + 36) + "WAVEfmt " + little_endian(std::uint32_t{16}) +
         little_endian(std::int16_t{1}) + little_endian(static_cast<std::int16_t>(channels)) +
         little_endian(rate) + little_endian(rate * channels * 2) +
         little_endian(static_cast<std::int16_t>(2 * channels)) + little_endian(std::int16_t{16}) +
         "data" + little_endian(size) + items;
}

/// Returns a different tone for each channel.
std::vector<std::int16_t> tones(int frames, int channels) {
  std::vector<std::int16_t> samples;
  for (int i = 0; i < frames; ++i)
    for (int c = 0; c < channels; ++c)
      samples.push_back(
          static_cast<std::int16_t>(std::lround(20000 * std::sin(0.01 * (c + 1) * i + 2 * c))));
  return samples;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("decode brings back what encode took", "[tool]", integers) {
  using T = TestType;
  test_folder const folder;
  auto const on = GENERATE(from_range(back_end_options()));
  auto const in = random_items<T>(70'001, 3);
  write_npy(folder / "in.npy", in);
  for (int const order : {1, 2, 3, 5, 8, 9, 12}) {
    sam::index_t const tuple_size = order == 9 ? 1000 : order % 4 + 1;
    std::string const options =
        on + "--order " + std::to_string(order) + " --tuple " + std::to_string(tuple_size) + " ";
    run_well("encode " + options + folder / "in.npy" + " " + folder / "residuals.npy");
    run_well("decode " + options + folder / "residuals.npy" + " " + folder / "out.npy");
    CAPTURE(options);
    CHECK((read_npy<T>(folder / "residuals.npy") ==
           sam::reference::delta_encode(in, order, tuple_size)));
    CHECK((read_bytes(folder / "out.npy").ends_with(npy_items(read_bytes(folder / "in.npy")))));
  }
}

TEST_CASE("audio goes by way of an array and comes back", "[tool]") {
  int const channels = GENERATE(1, 2, 3);
  test_folder const folder;
  auto const samples = tones(5000, channels);
  std::string const wav = wav_bytes(samples, channels, 44100);
  write_bytes(folder / "in.wav", wav);
  auto const result = run_tool("encode" + one_back_end() + "--order 2 " + folder / "in.wav" + " " +
                               folder / "residuals.npy");
  REQUIRE(result.status == 0);
  CHECK(npy_header(read_bytes(folder / "residuals.npy"))
            .find("(5000, " + std::to_string(channels) + ")") != std::string::npos);
  CHECK((read_npy<std::int16_t>(folder / "residuals.npy") ==
         sam::reference::delta_encode(samples, 2, channels)));

  SECTION("by what encode says") {
    std::string command = result.output.substr(result.output.find("sam decode") + 4);
    command.replace(command.find("decode ") + 6, 1, one_back_end());
    command.replace(command.find("OUT"), 3, folder / "out");
    command.pop_back();
    run_well(command);
  }
  SECTION("with the defaults") {
    run_well("decode" + one_back_end() + "--order 2 --rate 44100 " + folder / "residuals.npy" +
             " " + folder / "out.wav");
  }
  CHECK((read_bytes(folder / "out.wav") == wav));
}

TEST_CASE("audio goes by way of audio and comes back", "[tool]") {
  std::string const ending = GENERATE("wav", "flac", "aiff", "au", "caf", "w64");
  test_folder const folder;
  std::string const wav = wav_bytes(tones(5000, 2), 2, 32000);
  write_bytes(folder / "in.wav", wav);
  std::string const residuals = folder / "residuals." + ending;
  run_well("encode" + one_back_end() + "--order 3 " + folder / "in.wav" + " " + residuals);
  run_well("decode" + one_back_end() + "--order 3 " + residuals + " " + folder / "out.wav");
  CHECK((read_bytes(folder / "out.wav") == wav));
}

TEST_CASE("the demonstration finds the code of three tones", "[tool]") {
  test_folder const folder;
  auto const on = GENERATE(from_range(back_end_options()));
  write_bytes(folder / "three.wav", wav_bytes(tones(20000, 3), 3, 48000));
  auto const result = run_tool("demo " + on + "--audio " + folder / "three.wav");
  CAPTURE(result.output, result.errors);
  CHECK(result.status == 0);
  CHECK(result.output.find("     3     3 ") != std::string::npos);
  CHECK(result.output.find(" yes\n") != std::string::npos);
}
