// SPDX-License-Identifier: MIT
// Reads and writes audio files of 16-bit samples through libsndfile: WAV, FLAC, AIFF, AU, CAF, W64.
#pragma once

#include "items.hpp"

#include <string>

namespace sam::tool {

struct audio {
  int rate;      // frames per second
  int channels;  // samples per frame, interleaved
  buffer samples;

  index_t frames() const { return samples.count() / channels; }
};

/// Reads an audio file. Throws a failure that names the file if it is not audio or if its samples
/// are not 16-bit integers: other samples would not be kept exactly.
audio read_audio(std::string const& path);

/// True if the name ends in the extension of an audio file.
bool is_audio_name(std::string const& path);
/// Throws a failure if the name does not end in the extension of an audio file.
void expect_audio_name(std::string const& path);

/// Writes an audio file in the format that the extension names.
void write_audio(std::string const& path, audio const& audio);

}  // namespace sam::tool
