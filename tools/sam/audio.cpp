// SPDX-License-Identifier: MIT
// Implements reading and writing of audio files.
#include "audio.hpp"

#include "failure.hpp"
#include "files.hpp"
#include "progress.hpp"
#include <sndfile.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>

namespace sam::tool {

namespace {

struct closer {
  void operator()(SNDFILE* sound) const { sf_close(sound); }
};
using sound_file = std::unique_ptr<SNDFILE, closer>;

struct format {
  std::string_view ending;
  int code;
};
constexpr format formats[] = {
    {".wav", SF_FORMAT_WAV},  {".flac", SF_FORMAT_FLAC}, {".aiff", SF_FORMAT_AIFF},
    {".aif", SF_FORMAT_AIFF}, {".au", SF_FORMAT_AU},     {".caf", SF_FORMAT_CAF},
    {".w64", SF_FORMAT_W64},
};

format const* find_format(std::string const& path) {
  std::string const ending = std::filesystem::path(path).extension();
  auto const* const found = std::ranges::find(formats, ending, &format::ending);
  return found != std::ranges::end(formats) ? found : nullptr;
}

int format_of(std::string const& path) {
  if (format const* const known = find_format(path))
    return known->code;
  throw failure(path, "should end in .npy, .wav, .flac, .aiff, .au, .caf or .w64");
}

/// Calls transfer(first sample, frames) for one chunk after another. `transfer` returns the number
/// of frames that it read or wrote.
template <class Transfer>
bool in_chunks(audio const& audio, std::string const& doing, Transfer transfer) {
  std::span<short> rest = audio.samples.as<short>();
  progress bar(doing, audio.samples.count());
  while (!rest.empty()) {
    auto const channels = static_cast<std::size_t>(audio.channels);
    std::size_t const chunk =
        std::min(rest.size(), chunk_bytes / sizeof(short) / channels * channels);
    auto const frames = static_cast<sf_count_t>(chunk / channels);
    if (transfer(rest.data(), frames) != frames)
      return false;
    rest = rest.subspan(chunk);
    bar.advance(static_cast<index_t>(chunk));
  }
  return true;
}

}  // namespace

audio read_audio(std::string const& path) {
  input_file file(path);
  SF_INFO about{};
  sound_file const sound(sf_open_fd(file.descriptor(), SFM_READ, &about, SF_FALSE));
  if (!sound)
    throw failure(path, "is neither a .npy file nor audio: " + std::string(sf_strerror(nullptr)));
  if ((about.format & SF_FORMAT_SUBMASK) != SF_FORMAT_PCM_16)
    throw failure(path, "holds samples other than 16-bit integers, which would not come back as "
                        "they are");
  if (about.seekable == 0)
    throw failure(path, "is a pipe; audio is read from files");
  constexpr sf_count_t sane = sf_count_t{1} << 40;
  if (about.frames > sane)
    throw failure(path, "does not say how many frames it holds");
  audio audio{about.samplerate, about.channels,
              buffer(item_type::int16, about.frames * about.channels)};
  bool const complete = in_chunks(audio, "reading " + path, [&](short* to, sf_count_t frames) {
    return sf_readf_short(sound.get(), to, frames);
  });
  if (!complete)
    throw failure(path,
                  "is cut short: its header promises " + std::to_string(about.frames) + " frames");
  return audio;
}

bool is_audio_name(std::string const& path) { return find_format(path) != nullptr; }
void expect_audio_name(std::string const& path) { format_of(path); }

void write_audio(std::string const& path, audio const& audio) {
  SF_INFO about{};
  about.samplerate = audio.rate;
  about.channels = audio.channels;
  about.format = format_of(path) | SF_FORMAT_PCM_16;
  constexpr std::size_t most_bytes = 0xffff0000;  // the header stores sizes in 32 bits
  bool const is_large = audio.samples.bytes().size() > most_bytes;
  if (is_large && !path.ends_with(".w64") && !path.ends_with(".caf") && !path.ends_with(".flac"))
    throw failure(path, "would be larger than 4 GiB, more than its format allows; use .w64");
  output_file file(path);
  if (!file.is_regular())
    throw failure(path, "is a stream; audio is written to files, and arrays to either");
  sound_file sound(sf_open_fd(file.descriptor(), SFM_WRITE, &about, SF_FALSE));
  if (!sound)
    throw failure(path, sf_strerror(nullptr));
  bool const complete = in_chunks(audio, "writing " + path, [&](short* from, sf_count_t frames) {
    return sf_writef_short(sound.get(), from, frames);
  });
  std::string const problem = sf_strerror(sound.get());
  if (!complete || sf_close(sound.release()) != 0)
    throw failure(path, "could not be written: " + problem);
  file.finish();
  file.keep();
}

}  // namespace sam::tool
