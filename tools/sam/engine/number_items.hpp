// SPDX-License-Identifier: MIT
// Maps requests to histograms, summed-area tables, recurrences and filters.
#pragma once

#include "engine/scan_items.hpp"

namespace sam::tool {

/// Parses an integer for integer items, or a number for float items.
template <class T>
T parse_number_of(std::string const& text, std::string const& option) {
  return parse_number<T>(text, std::is_integral_v<T> ? "an integer, as the items are" : "a number",
                         option);
}

/// Parses a limit of the bins.
template <class Limit>
Limit parse_limit(std::string const& text, std::string const& option) {
  if constexpr (std::is_floating_point_v<Limit>) {
    return parse_number_of<Limit>(text, option);
  } else {
    Limit const most = Limit{1} << 64;
    bool const negative = text.starts_with('-');
    auto const digits = std::string_view(text).substr(negative ? 1 : 0);
    Limit value = 0;
    for (char const digit : digits)
      value = digit < '0' || digit > '9' || value > most ? most + 1 : 10 * value + (digit - '0');
    if (digits.empty() || value > most)
      throw failure(option + " " + (text.empty() ? "''" : text) +
                    " is not an integer, as the items are, from -2^64 to 2^64");
    return negative ? -value : value;
  }
}

template <class Context>
void count_items(Context& context, buffer const& in, buffer const* boundaries, buffer const& counts,
                 histogram_request const& request) {
  with_type(in.type(), [&]<class T>(std::type_identity<T>) {
    using memory = memory_of<Context>;
    typename memory::template arrays<T> const items(context, in.as<T>());
    typename memory::template arrays<T> const limits(
        context, boundaries != nullptr ? boundaries->as<T>() : std::span<T>());
    typename memory::template arrays<std::int64_t> const out(context, counts.as<std::int64_t>());
    bins_of<T> bins{.boundaries = limits.in(), .cumulative = request.cumulative};
    if (boundaries == nullptr) {
      using limit = typename bins_of<T>::limit;
      bins.lower = parse_limit<limit>(request.lower, "--from");
      bins.upper = parse_limit<limit>(request.upper, "--to");
    }
    count(context, items.in(), out.out(), bins);
    out.bring_back();
  });
}

/// Calls use(items, parse) with items of 8 bytes, unsigned or float. `parse` parses the user's text
/// as a number of their type.
template <class Use>
void with_wide(buffer const& items, Use use) {
  if (is_float(items.type()))
    use(items.as<double>(), parse_number_of<double>);
  else
    use(items.as<std::uint64_t>(), [](std::string const& text, std::string const& option) {
      return static_cast<std::uint64_t>(parse_number_of<std::int64_t>(text, option));
    });
}

template <class Context>
void sum_areas_of(Context& context, buffer const& items, index_t width, bool exclusive) {
  with_wide(items, [&]<class T>(std::span<T> all, auto const&) {
    typename memory_of<Context>::template arrays<T> const staged(context, all);
    sum_areas(context, staged.out(), width, exclusive);
    staged.bring_back();
  });
}

template <class Context>
void recur_items(Context& context, buffer const& a, buffer const& b,
                 std::optional<std::string> const& init) {
  with_wide(b, [&]<class T>(std::span<T> terms, auto const& number) {
    using arrays = typename memory_of<Context>::template arrays<T>;
    T const first = init ? number(*init, "--init") : T(0);
    if (!init && !terms.empty())
      // The factor a[0] has no effect, and 0 keeps an infinite a[0] out of the result.
      a.as<T>().front() = T(0);
    arrays const factors(context, a.as<T>()), staged(context, terms);
    recur(context, factors.in(), staged.out(), first);
    staged.bring_back();
  });
}

template <class Context>
void filter_items(Context& context, buffer const& items, filter_request const& request) {
  with_wide(items, [&]<class T>(std::span<T> all, auto const& number) {
    std::vector<T> coefficients, before;
    for (std::string const& text : request.coefficients)
      coefficients.push_back(number(text, "--coefficients"));
    for (std::string const& text : request.before)
      before.push_back(number(text, "--before"));
    typename memory_of<Context>::template arrays<T> const staged(context, all);
    filter(context, staged.out(), std::span<T const>(coefficients), std::span<T const>(before));
    staged.bring_back();
  });
}

}  // namespace sam::tool
