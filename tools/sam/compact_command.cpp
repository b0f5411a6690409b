// SPDX-License-Identifier: MIT
// Implements `sam compact` and `sam partition`.
#include "arrays.hpp"
#include "commands.hpp"
#include "destination.hpp"
#include "npy.hpp"
#include "words.hpp"

namespace sam::tool {

namespace {

buffer flags_for(buffer const& in, compact_options const& options) {
  if (options.are_packed)
    return read_packed_flags(options.flags, in.count());
  buffer const flags = read_flags(options.flags);
  expect_as_many({options.flags, flags, "flags"}, {options.in, in});
  return packed(flags);
}

void run_compact_by_stencil(compact_options const& options, buffer const& in) {
  buffer const stencil = read_npy(options.stencil).items;
  expect_as_many({options.stencil, stencil}, {options.in, in});
  auto const keep = keys_of(options.request, stencil.type());
  buffer const words = as_words(in), keys = ordered_keys(stencil);
  buffer kept(item_type::uint64, in.count());
  index_t const count = start_back_end(options.back_end)
                            ->moves()
                            ->keep_by(words.as<std::uint64_t>(), keys.as<std::uint64_t>(),
                                      kept.as<std::uint64_t>(), keep);
  kept.shrink(count);
  write_npy(options.out, {{count}, from_words(kept, in.type())});
}

void run_three_way_partition(compact_options const& options, buffer const& in) {
  buffer out(in.type(), in.count());
  auto const [first, second] =
      start_back_end(options.back_end)->partition(in, out, options.request, *options.then);
  write_npy(options.out, {{in.count()}, std::move(out)});
  say(std::to_string(first) + " of " + std::to_string(in.count()) + " items come first, then " +
      std::to_string(second));
}

}  // namespace

void run_compact(compact_options const& options) {
  check_files({options.in, options.flags, options.stencil}, {options.out});
  buffer const in = read_npy(options.in).items;
  if (!options.stencil.empty())
    return run_compact_by_stencil(options, in);
  if (options.then)
    return run_three_way_partition(options, in);
  buffer out(options.wants_indices ? item_type::int64 : in.type(), in.count());
  buffer const flags = options.flags.empty() ? buffer() : flags_for(in, options);
  auto const engine = start_back_end(options.back_end);
  bool const by_flags = !options.flags.empty();
  index_t kept = 0;
  if (options.wants_indices)
    kept = by_flags ? engine->compact_indices(flags, out)
                    : engine->compact_indices(in, out, options.request);
  else
    kept = by_flags ? engine->compact(in, out, flags, options.partition)
                    : engine->compact(in, out, options.request, options.partition);
  if (!options.partition)
    out.shrink(kept);
  index_t const count = out.count();
  write_npy(options.out, {{count}, std::move(out)});
  if (options.partition)
    say(std::to_string(kept) + " of " + std::to_string(count) + " items come first");
}

}  // namespace sam::tool
