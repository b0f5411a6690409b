// SPDX-License-Identifier: MIT
// The forms of a scan (inclusive or exclusive, with or without an initial value), as calls and as
// expected results.
#pragma once

#include <sam/reference.hpp>
#include <sam/scan.hpp>

#include <optional>
#include <vector>

namespace test {

/// The form of a scan. Exclusive scans handle the identity and other initial values in the same
/// way.
enum class form { inclusive, inclusive_from, exclusive };

template <form Kind, class T, class Policy>
std::vector<T> expected_scan(std::vector<T> const& items, Policy policy, T init) {
  if constexpr (Kind == form::exclusive)
    return sam::reference::exclusive_scan(items, policy, init);
  else
    return sam::reference::inclusive_scan(
        items, policy, Kind == form::inclusive ? std::optional<T>() : std::optional<T>(init));
}

template <form Kind, class Context, class In, class Out, class Policy, class T>
void scan(Context& context, In const& in, Out&& out, Policy policy, T init) {
  if constexpr (Kind == form::inclusive)
    sam::inclusive_scan(context, in, out, policy);
  else if constexpr (Kind == form::inclusive_from)
    sam::inclusive_scan(context, in, out, policy, init);
  else
    sam::exclusive_scan(context, in, out, policy, init);
  context.wait();
}

}  // namespace test
