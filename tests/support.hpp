// SPDX-License-Identifier: MIT
// What tests of primitives share: arrays that the back end reaches, and the check of one scan.
#pragma once

#include <sam/backend.hpp>
#include <sam/reference.hpp>
#include <sam/scan.hpp>

#include "backend_bytes.hpp"  // of the back end's folder
#include "items.hpp"
#include "sizes.hpp"
#include "threads_context.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstddef>
#include <span>

namespace test {

/// n items for the back end, `shift` items off a cache line, poisoned until they are written, with
/// a fence on either side that shows whether anybody wrote beyond them.
template <class T>
class fenced_array {
 public:
  explicit fenced_array(index_t n, index_t shift = 0)
      : n_(static_cast<std::size_t>(n)),
        bytes_((n_ + static_cast<std::size_t>(shift)) * sizeof(T) + 3 * fence) {
    std::size_t const past = reinterpret_cast<std::uintptr_t>(bytes_.data()) % fence;
    begin_ = 2 * fence - past + static_cast<std::size_t>(shift) * sizeof(T);
    bytes_.from_host(all_poison());
  }
  fenced_array(std::vector<T> const& items, index_t shift)
      : fenced_array(static_cast<index_t>(items.size()), shift) {
    auto bytes = all_poison();
    if (n_ != 0)
      std::memcpy(bytes.data() + begin_, items.data(), n_ * sizeof(T));
    bytes_.from_host(bytes);
  }

  T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_); }
  T const* data() const { return reinterpret_cast<T const*>(bytes_.data() + begin_); }
  std::size_t size() const { return n_; }

  std::vector<T> to_host() const {
    std::vector<std::byte> const bytes = bytes_.to_host();
    auto const* const items = reinterpret_cast<T const*>(bytes.data() + begin_);
    return std::vector<T>(items, items + n_);
  }
  bool fences_intact() const { return is_poison(0, begin_) && is_poison(end(), bytes_size()); }
  bool untouched() const { return is_poison(0, bytes_size()); }

 private:
  static constexpr std::size_t fence = 128;
  static std::byte poison(std::size_t at) { return static_cast<std::byte>(37 * at + 101); }
  std::size_t end() const { return begin_ + n_ * sizeof(T); }
  std::size_t bytes_size() const { return end() + fence; }
  std::vector<std::byte> all_poison() const {
    std::vector<std::byte> bytes(bytes_size());
    for (std::size_t k = 0; k < bytes.size(); ++k)
      bytes[k] = poison(k);
    return bytes;
  }
  bool is_poison(std::size_t from, std::size_t to) const {
    std::vector<std::byte> const bytes = bytes_.to_host();
    for (std::size_t k = from; k < to; ++k)
      if (bytes[k] != poison(k))
        return false;
    return true;
  }

  std::size_t n_;
  std::size_t begin_ = 0;
  backend_bytes bytes_;
};

template <class T>
fenced_array<T> on_backend(std::vector<T> const& items, index_t shift = 0) {
  return fenced_array<T>(items, shift);
}

/// How a scan starts and ends. Exclusive scans start from the identity and from a value alike.
enum class form { inclusive, inclusive_from, exclusive };

template <class T, class Policy>
std::vector<T> expected_scan(form kind, std::vector<T> const& items, Policy policy, T init) {
  switch (kind) {
  case form::inclusive:
    return sam::reference::inclusive_scan(items, policy);
  case form::inclusive_from:
    return sam::reference::inclusive_scan(items, policy, std::optional<T>(init));
  default:
    return sam::reference::exclusive_scan(items, policy, init);
  }
}

template <form Kind, class Context, class In, class Out, class Policy, class T>
void scan(Context& context, In const& in, Out& out, Policy policy, T init) {
  if constexpr (Kind == form::inclusive)
    sam::inclusive_scan(context, in, out, policy);
  else if constexpr (Kind == form::inclusive_from)
    sam::inclusive_scan(context, in, out, policy, init);
  else
    sam::exclusive_scan(context, in, out, policy, init);
  context.wait();
}

/// One line of a list of cases: what is scanned, how.
template <class T, class Policy, form Kind = form::inclusive>
struct scan_case {
  using item = T;
  using policy = Policy;
  static constexpr form kind = Kind;
};

/// Scans `items` apart and in place, on the back end and, for one back end, on several threads of
/// our own: every result must be `wanted`, and nothing else may be written.
template <form Kind, class T, class Policy>
void check_scan(sam::default_context& context, std::vector<T> const& items,
                std::vector<T> const& wanted, Policy policy, T init) {
  {
    auto const in = on_backend(items, 1);
    fenced_array<T> out(static_cast<index_t>(items.size()));
    scan<Kind>(context, in, out, policy, init);
    REQUIRE(differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  }
  auto in_place = on_backend(items, 1);
  scan<Kind>(context, in_place, in_place, policy, init);
  REQUIRE(differences(in_place.to_host(), wanted) == "");
  REQUIRE(in_place.fences_intact());
  if constexpr (backend_bytes::also_on_threads) {
    threads crowd(several);
    fenced_array<T> out(static_cast<index_t>(items.size()), 1);
    scan<Kind>(crowd, items, out, policy, init);
    REQUIRE(differences(out.to_host(), wanted) == "");
    REQUIRE(out.fences_intact());
  }
}

/// The policy on items of T equals its reference at every edge.
template <class T, form Kind, class Policy>
void check_scan_at_every_edge(Policy policy) {
  using op = typename Policy::op_type;
  sam::default_context context;
  auto const init = random_items<T, op>(4, seed_for(-1))[3];
  constexpr auto bound = Kind == form::exclusive ? sam::bound::exclusive : sam::bound::inclusive;
  auto const pass = sam::make_pass<bound>(policy, sam::from_value<T>{init});
  for (index_t const n : sizes_at_every_edge<T>(pass)) {
    auto const seed = seed_for(n);
    CAPTURE(n, seed, sizeof(T), policy.components, Policy::order, static_cast<int>(Kind));
    auto items = random_items<T, op>(n, seed);
    if (Policy::heading == sam::direction::backward)
      std::reverse(items.begin(), items.end());
    check_scan<Kind>(context, items, expected_scan(Kind, items, policy, init), policy, init);
  }
}

template <class Case>
void check_scan_at_every_edge() {
  check_scan_at_every_edge<typename Case::item, Case::kind>(typename Case::policy{});
}

/// The pointer and size that C code has.
template <class T>
std::span<T> as_span(fenced_array<T>& items) {
  return {items.data(), items.size()};
}

}  // namespace test
