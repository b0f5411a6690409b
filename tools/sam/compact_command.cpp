// SPDX-License-Identifier: MIT
// sam compact and sam partition.
#include "commands.hpp"
#include "failure.hpp"
#include "npy.hpp"

#include <algorithm>
#include <cstdio>

namespace sam::tool {

namespace {

/// A file of flags as bytes of 0 and 1.
buffer read_flags(std::string const& path, compact_options const& options, index_t count) {
  buffer const flags = read_npy(path).items;
  if (is_float(flags.type()))
    throw failure(path, "holds " + std::string(names_of(flags.type()).name) +
                            "; flags are integers, of which only 0 drops an item");
  if (flags.count() != count)
    throw failure(path, "holds " + std::to_string(flags.count()) + " flags but " + options.in +
                            " holds " + std::to_string(count) + " items");
  buffer bytes(item_type::uint8, count);
  with_type(flags.type(), [&]<class T>(std::type_identity<T>) {
    std::ranges::transform(flags.as<T>(), bytes.as<std::uint8_t>().begin(),
                           [](T flag) { return std::uint8_t(flag != T(0)); });
  });
  return bytes;
}

}  // namespace

void run_compact(compact_options const& options) {
  buffer const in = read_npy(options.in).items;
  buffer out(in.type(), in.count());
  auto const engine = start_back_end(options.back_end);
  index_t const kept =
      options.flags.empty()
          ? engine->compact(in, out, options.request, options.partition)
          : engine->compact(in, out, read_flags(options.flags, options, in.count()),
                            options.partition);
  if (!options.partition)
    out.shrink(kept);
  index_t const count = out.count();
  write_npy(options.out, {{count}, std::move(out)});
  if (options.partition)
    std::printf("%lld of %lld items come first\n", static_cast<long long>(kept),
                static_cast<long long>(count));
}

}  // namespace sam::tool
