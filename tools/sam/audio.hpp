// SPDX-License-Identifier: MIT
// Audio files of 16-bit samples, through libsndfile: WAV, FLAC, AIFF, AU, CAF, W64.
#pragma once

#include "items.hpp"

#include <string>

namespace sam::tool {

struct audio {
  int rate;      // frames per second
  int channels;  // samples in a frame; they alternate
  buffer samples;

  index_t frames() const { return samples.count() / channels; }
};

/// Throws a failure that names the file if it is no audio, or if its samples are not 16-bit
/// integers, which alone are kept as they are.
audio read_audio(std::string const& path);

/// Whether the name ends as those of audio files do.
bool is_audio_name(std::string const& path);
/// Throws a failure unless it does.
void expect_audio_name(std::string const& path);

/// The name's ending chooses the format.
void write_audio(std::string const& path, audio const& audio);

}  // namespace sam::tool
