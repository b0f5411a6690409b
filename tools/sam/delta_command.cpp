// SPDX-License-Identifier: MIT
// Implements `sam encode` and `sam decode`.
#include "arrays.hpp"
#include "audio.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "failure.hpp"
#include "parts.hpp"

#include <algorithm>

namespace sam::tool {

namespace {

/// An array that was read from, or will be written as, array or audio. The shape of audio is frames
/// by channels.
struct sequence {
  npy_array array;
  int rate = 0;      // 0 if unknown
  int channels = 0;  // 0 if it is not audio
};

/// True if the path names an array. Streams are arrays unless their name ends like an audio file's.
bool is_npy(std::string const& path) {
  return path.ends_with(".npy") || (is_stream(path) && !is_audio_name(path));
}

sequence read_sequence(std::string const& path) {
  if (is_npy(path))
    return {read_numbers(path)};
  audio sound = read_audio(path);
  index_t const frames = sound.frames();
  return {{{frames, sound.channels}, std::move(sound.samples)}, sound.rate, sound.channels};
}

/// Sets the shape and rate that an array needs to be written as audio.
void become_audio(sequence& sequence, delta_options const& options) {
  npy_array const& array = sequence.array;
  if (array.items.type() != item_type::int16)
    throw failure(options.in, "holds " + std::string(names_of(array.items.type()).name) +
                                  "; audio is written from int16");
  if (options.rate != 0)
    sequence.rate = options.rate;
  if (sequence.rate == 0)
    throw failure(options.in, "does not say the sample rate; give it with --rate");
  if (options.channels != 0)
    sequence.channels = options.channels;
  else if (sequence.channels == 0)
    sequence.channels = array.shape.size() == 2 ? static_cast<int>(array.shape[1]) : 1;
  if (sequence.channels < 1 || array.items.count() % sequence.channels != 0)
    throw failure(options.in, "holds " + std::to_string(array.items.count()) +
                                  " samples, which are no whole number of frames of " +
                                  std::to_string(sequence.channels) + " channels");
}

void write_sequence(std::string const& path, sequence sequence) {
  if (is_npy(path))
    write_npy(path, sequence.array);
  else
    write_audio(path, {sequence.rate, sequence.channels, std::move(sequence.array.items)});
}

/// Encodes or decodes an array part by part. What a part needs of those before is their last
/// samples, as many as the order says of each sequence. It is encoded behind these, or decoded
/// behind their codes.
class streamed_delta {
 public:
  streamed_delta(engine& engine, delta_request const& request, bool decodes, item_type type)
      : engine_(engine), request_(request), decodes_(decodes),
        before_(type, request.order * request.tuple_size) {
    std::ranges::fill(before_.bytes(), std::byte{0});
  }
  /// Returns what becomes of the next items.
  buffer next(buffer const& items) {
    index_t const samples = before_.count();
    if (decodes_)
      engine_.encode(before_, before_, request_);
    buffer both = joined(before_, items);
    if (decodes_)
      engine_.decode(both, both, request_);
    before_ = last_items(both, samples);
    if (!decodes_)
      engine_.encode(both, both, request_);
    return last_items(both, items.count());
  }

 private:
  engine& engine_;
  delta_request request_;
  bool decodes_;
  buffer before_;
};

void run_streamed_delta(npy_reader& in, delta_options const& options, delta_request const& request,
                        bool decodes) {
  item_type const type = number_type(in.header().type);
  auto const engine = start_back_end(options.back_end);
  streamed_delta delta(*engine, request, decodes, type);
  npy_writer out(options.out, {type, in.header().shape});
  for_each_part(in, options.chunk, [&](buffer items) {
    items.relabel(type);
    out.write(delta.next(items));
  });
  out.finish();
}

void run_delta(delta_options const& options, bool decodes) {
  check_files({options.in}, {options.out});
  if (!is_npy(options.out))
    expect_audio_name(options.out);
  sequence sequence;
  if (is_npy(options.in) && is_npy(options.out)) {
    npy_reader in(options.in);
    delta_request const request{options.order, std::max(options.tuple_size, index_t{1})};
    bool const fits = in.header().count() <= options.chunk;
    if (!fits && request.order <= options.chunk / request.tuple_size)
      return run_streamed_delta(in, options, request, decodes);
    sequence.array = in.read_all();
    sequence.array.items.relabel(number_type(sequence.array.items.type()));
  } else {
    sequence = read_sequence(options.in);
  }
  if (!is_npy(options.out))
    become_audio(sequence, options);
  delta_request request{options.order, options.tuple_size};
  if (request.tuple_size == 0)
    request.tuple_size = std::max(sequence.channels, 1);
  buffer const& items = sequence.array.items;
  auto const engine = start_back_end(options.back_end);
  if (decodes)
    engine->decode(items, items, request);
  else
    engine->encode(items, items, request);
  bool const forgets_rate = !decodes && !is_npy(options.in) && is_npy(options.out);
  int const rate = sequence.rate;
  write_sequence(options.out, std::move(sequence));
  if (forgets_rate)
    say("back to audio: sam decode --order " + std::to_string(request.order) + " --tuple " +
        std::to_string(request.tuple_size) + " --rate " + std::to_string(rate) + " " + options.out +
        " OUT.wav");
}

}  // namespace

void run_encode(delta_options const& options) { run_delta(options, false); }
void run_decode(delta_options const& options) { run_delta(options, true); }

}  // namespace sam::tool
