// SPDX-License-Identifier: MIT
// Implements `sam demo`.
#include "audio.hpp"
#include "commands.hpp"
#include "demo.hpp"
#include "failure.hpp"

#include <cstdio>
#include <filesystem>

namespace sam::tool {

namespace {

constexpr char const* recordings = "/usr/share/sounds/alsa/";

struct recording {
  std::string name;
  buffer samples;
};

/// Combines mono recordings into one with a channel for each, cut to the length of the shortest.
recording mix(std::string name, std::vector<std::string> const& files) {
  std::vector<audio> parts;
  for (std::string const& file : files)
    parts.push_back(read_audio(recordings + file + ".wav"));
  index_t frames = parts.front().frames();
  for (audio const& part : parts)
    frames = std::min(frames, part.frames());
  recording mixed{std::move(name),
                  buffer(item_type::int16, frames * static_cast<index_t>(parts.size()))};
  auto to = mixed.samples.as<std::int16_t>().begin();
  for (std::size_t frame = 0; frame < static_cast<std::size_t>(frames); ++frame)
    for (audio const& part : parts)
      *to++ = part.samples.as<std::int16_t>()[frame * static_cast<std::size_t>(part.channels)];
  return mixed;
}

std::vector<recording> alsa_recordings() {
  if (!std::filesystem::exists(recordings))
    throw failure(recordings, "is missing; it comes with the package alsa-utils (apt-get install "
                              "alsa-utils); or name recordings of your own with --audio");
  std::vector<recording> all;
  all.push_back(mix("Front_Center", {"Front_Center"}));
  all.push_back(mix("Front_Left, Front_Right", {"Front_Left", "Front_Right"}));
  all.push_back(mix("Front and Rear, Left and Right",
                    {"Front_Left", "Front_Right", "Rear_Left", "Rear_Right"}));
  return all;
}

std::vector<recording> recordings_in(std::vector<std::string> const& files) {
  std::vector<recording> all;
  for (std::string const& file : files) {
    all.push_back({std::filesystem::path(file).filename(), read_audio(file).samples});
    if (all.back().samples.count() == 0)
      throw failure(file, "holds no samples");
  }
  return all;
}

}  // namespace

void run_demo(demo_options const& options) {
  auto const all = options.files.empty() ? alsa_recordings() : recordings_in(options.files);
  auto const engine = start_back_end(options.back_end);
  auto const [place, copy, measured_bytes, facts] = engine->describe();
  std::printf(
      "Recordings of 16 bits a sample become differences of the order and tuple size whose Rice "
      "code\n"
      "is the shortest; a scan decodes them. Speed: the recording repeated to %d MiB, median of 7\n"
      "decodings on %s, beside %s. GB/s: read and written.\n\n",
      static_cast<int>(measured_bytes >> 20), place.c_str(), copy.c_str());
  std::printf("%-31s %5s %5s %11s %10s %7s %7s  %s\n", "recording", "order", "tuple", "bits/sample",
              "Gsamples/s", "GB/s", "memcpy", "all came back");
  bool good = true;
  for (recording const& recording : all) {
    best_code const best = find_best_code(*engine, recording.samples);
    speed const speed = measure(*engine, recording.samples, best.request, measured_bytes);
    auto const moved = 2e-9 * static_cast<double>(measured_bytes);
    std::printf("%-31s %5d %5d %11.2f %10.2f %7.1f %7.1f  %s\n", recording.name.c_str(),
                best.request.order, static_cast<int>(best.request.tuple_size), best.bits,
                moved / 4 / speed.seconds.decode, moved / speed.seconds.decode,
                moved / speed.seconds.copy, speed.all_came_back ? "yes" : "NO");
    std::fflush(stdout);
    good = good && speed.all_came_back;
  }
  if (!good)
    throw failure("a recording did not come back as it was");
}

}  // namespace sam::tool
