// SPDX-License-Identifier: MIT
// Arrays in the back end's memory, and checks of scans and errors, for tests of primitives.
#pragma once

#include "engine_context.hpp"
#include "forms.hpp"
#include "items.hpp"
#include "sizes.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <tuple>

// Builds with SAM_TEST_FEW_TYPES shorten the list of types of a test case to its first and last.
// They compile tests for a back end whose templates other tests instantiate for all types.
#ifdef SAM_TEST_FEW_TYPES

namespace test {

template <class Types, std::size_t Last = std::tuple_size_v<Types> - 1>
struct ends {
  using type = std::tuple<std::tuple_element_t<0, Types>, std::tuple_element_t<Last, Types>>;
};
template <class Types>
struct ends<Types, 0> {
  using type = Types;
};
template <class Types>
using first_and_last = typename ends<Types>::type;

}  // namespace test

#undef TEMPLATE_LIST_TEST_CASE
#define TEMPLATE_LIST_TEST_CASE(name, tags, ...)                                                   \
  INTERNAL_CATCH_TEMPLATE_LIST_TEST_CASE(name, tags, test::first_and_last<__VA_ARGS__>)

// Types in parentheses are one argument each, so that only macros can choose among them.
#define SAM_TEST_1(name, tags, a) INTERNAL_CATCH_TEMPLATE_TEST_CASE(name, tags, a)
#define SAM_TEST_2(name, tags, a, z) INTERNAL_CATCH_TEMPLATE_TEST_CASE(name, tags, a, z)
#define SAM_TEST_3(name, tags, a, b, ...) SAM_TEST_2(name, tags, a, __VA_ARGS__)
#define SAM_TEST_4(name, tags, a, b, ...) SAM_TEST_3(name, tags, a, __VA_ARGS__)
#define SAM_TEST_5(name, tags, a, b, ...) SAM_TEST_4(name, tags, a, __VA_ARGS__)
#define SAM_TEST_6(name, tags, a, b, ...) SAM_TEST_5(name, tags, a, __VA_ARGS__)
#define SAM_TEST_7(name, tags, a, b, ...) SAM_TEST_6(name, tags, a, __VA_ARGS__)
#define SAM_TEST_8(name, tags, a, b, ...) SAM_TEST_7(name, tags, a, __VA_ARGS__)
#define SAM_TEST_9(name, tags, a, b, ...) SAM_TEST_8(name, tags, a, __VA_ARGS__)
#define SAM_TEST_NINTH(a, b, c, d, e, f, g, h, i, chosen, ...) chosen
#undef TEMPLATE_TEST_CASE
#define TEMPLATE_TEST_CASE(name, tags, ...)                                                        \
  SAM_TEST_NINTH(__VA_ARGS__, SAM_TEST_9, SAM_TEST_8, SAM_TEST_7, SAM_TEST_6, SAM_TEST_5,          \
                 SAM_TEST_4, SAM_TEST_3, SAM_TEST_2, SAM_TEST_1, )                                 \
  (name, tags, __VA_ARGS__)

#endif

namespace test {

/// Bytes in the back end's memory, `shift` bytes off a cache line. They are poisoned until they are
/// written, and fences on both sides detect writes out of bounds.
class fenced_bytes {
 public:
  fenced_bytes(std::size_t size, std::size_t shift) : fenced_bytes(nullptr, size, shift) {}
  fenced_bytes(void const* from, std::size_t size, std::size_t shift)
      : size_(size), bytes_(size + shift + 3 * fence) {
    std::size_t const past = reinterpret_cast<std::uintptr_t>(bytes_.data()) % fence;
    begin_ = 2 * fence - past + shift;
    if constexpr (backend_bytes::on_host) {  // in place: sanitized tests spend most on memory
      bool const has_items = from != nullptr && size != 0;
      poison_bytes(bytes_.data(), 0, has_items ? begin_ : end());
      if (has_items)
        std::memcpy(bytes_.data() + begin_, from, size);
      poison_bytes(bytes_.data(), end(), end() + fence);
    } else {
      std::vector<std::byte> bytes(end() + fence);
      poison_bytes(bytes.data(), 0, bytes.size());
      if (from != nullptr && size != 0)
        std::memcpy(bytes.data() + begin_, from, size);
      bytes_.from_host(bytes);
    }
  }

  std::byte* data() { return bytes_.data() + begin_; }
  std::byte const* data() const { return bytes_.data() + begin_; }

  std::vector<std::byte> to_host() const { return bytes_.to_host(begin_, end()); }
  bool fences_intact() const { return is_poison(0, begin_) && is_poison(end(), end() + fence); }
  bool untouched() const { return is_poison(0, end() + fence); }

 private:
  static constexpr std::size_t fence = 128;
  // Poison differs between neighbouring bytes and repeats with period 256, the number of byte
  // values.
  static constexpr std::size_t period = 256;
  static constexpr auto poison = [] {
    std::array<std::byte, period> bytes{};
    for (std::size_t k = 0; k < period; ++k)
      bytes[k] = static_cast<std::byte>(37 * k + 101);
    return bytes;
  }();
  std::size_t end() const { return begin_ + size_; }
  static void poison_bytes(std::byte* bytes, std::size_t from, std::size_t to) {
    while (from < to) {
      std::size_t const count = std::min(period - from % period, to - from);
      std::memcpy(bytes + from, poison.data() + from % period, count);
      from += count;
    }
  }
  bool is_poison(std::size_t from, std::size_t to) const {
    auto const bytes = bytes_.to_host(from, to);
    for (std::size_t k = 0; k < bytes.size(); ++k)
      if (bytes[k] != poison[(from + k) % period])
        return false;
    return true;
  }

  std::size_t size_;
  std::size_t begin_ = 0;
  backend_bytes bytes_;
};

/// An array of n items with fences, `shift` items off a cache line.
template <class T>
class fenced_array {
 public:
  explicit fenced_array(index_t n, index_t shift = 0)
      : n_(static_cast<std::size_t>(n)), bytes_(n_ * sizeof(T), bytes_of(shift)) {}
  fenced_array(std::vector<T> const& items, index_t shift)
      : n_(items.size()), bytes_(items.data(), n_ * sizeof(T), bytes_of(shift)) {}

  T* data() { return reinterpret_cast<T*>(bytes_.data()); }
  T const* data() const { return reinterpret_cast<T const*>(bytes_.data()); }
  std::size_t size() const { return n_; }

  std::vector<T> to_host() const {
    if constexpr (backend_bytes::on_host)
      return std::vector<T>(data(), data() + n_);
    auto const bytes = bytes_.to_host();
    auto const* const items = reinterpret_cast<T const*>(bytes.data());
    return std::vector<T>(items, items + n_);
  }
  bool fences_intact() const { return bytes_.fences_intact(); }
  bool untouched() const { return bytes_.untouched(); }

 private:
  static std::size_t bytes_of(index_t items) { return static_cast<std::size_t>(items) * sizeof(T); }

  std::size_t n_;
  fenced_bytes bytes_;
};

template <class T>
fenced_array<T> on_backend(std::vector<T> const& items, index_t shift = 0) {
  return fenced_array<T>(items, shift);
}

/// One entry of a list of test cases: item type, policy and form of a scan.
template <class T, class Policy, form Kind = form::inclusive>
struct scan_case {
  using item = T;
  using policy = Policy;
  static constexpr form kind = Kind;
};

/// A type-erased reference to a scan from `in` to `out`, which may be the same. It refers to a
/// callable elsewhere, and thus compiles faster than std::function.
class any_scan {
 public:
  template <class Scan>
  any_scan(Scan const& scan)
      : scan_(&scan), call_([](void const* s, void const* in, void* out) {
          (*static_cast<Scan const*>(s))(in, out);
        }) {}
  void operator()(void const* in, void* out) const { call_(scan_, in, out); }

 private:
  void const* scan_;
  void (*call_)(void const* scan, void const* in, void* out);
};

inline std::string problem(fenced_bytes const& out, any_items const& wanted) {
  auto got = wanted;
  if constexpr (backend_bytes::on_host) {
    got.items = out.data();
    return differences(got, wanted);
  }
  auto const bytes = out.to_host();
  got.items = bytes.data();
  return differences(got, wanted);
}

/// Scans `items` out of place and in place. Checks that each result is `wanted` and that nothing
/// else is written.
inline void check_scan(any_scan const& scan, any_items const& items, any_items const& wanted) {
  std::size_t const one_off = items.item_size;
  {
    fenced_bytes const in(items.items, items.bytes(), one_off);
    fenced_bytes out(items.bytes(), 0);
    scan(in.data(), out.data());
    REQUIRE(problem(out, wanted) == "");
    REQUIRE(out.fences_intact());
  }
  fenced_bytes in_place(items.items, items.bytes(), one_off);
  scan(in_place.data(), in_place.data());
  REQUIRE(problem(in_place, wanted) == "");
  REQUIRE(in_place.fences_intact());
}
/// Scans `items` out of place only, with the same checks.
inline void check_scan_apart(any_scan const& scan, any_items const& items,
                             any_items const& wanted) {
  fenced_bytes out(items.bytes(), items.item_size);
  scan(items.items, out.data());
  REQUIRE(problem(out, wanted) == "");
  REQUIRE(out.fences_intact());
}

/// Checks the scan of a policy on a context and, if it runs the host engine, also on the serial
/// context and on several threads.
template <form Kind, class T, class Policy>
void check_scan(engine_context& context, std::vector<T> const& items, std::vector<T> const& wanted,
                Policy policy, T init) {
  auto const on = [&](auto& where) {
    return [&](void const* in, void* out) {
      std::span const from(static_cast<T const*>(in), items.size());
      std::span const to(static_cast<T*>(out), items.size());
      scan<Kind>(where, from, to, policy, init);
    };
  };
  check_scan(on(context), forget_type(items), forget_type(wanted));
  also_on_serial(context, [&](auto& alone) {
    check_scan(on(alone), forget_type(items), forget_type(wanted));
  });
  also_on_threads(context, [&](auto& crowd) {
    check_scan_apart(on(crowd), forget_type(items), forget_type(wanted));
  });
}

/// The traits of a scan, which a failure reports in addition to the size.
struct scan_traits {
  std::size_t item_size;
  index_t components;
  int order;
  form kind;
};
inline void for_each_size(std::set<index_t> const& sizes, scan_traits const& traits,
                          std::function<void(index_t n, std::uint64_t seed)> const& check) {
  auto const& [item_size, components, order, kind] = traits;
  for (index_t const n : sizes) {
    auto const seed = seed_for(n);
    CAPTURE(n, seed, item_size, components, order, static_cast<int>(kind));
    check(n, seed);
  }
}

/// Checks that a policy on items of T equals its reference around every edge.
template <class T, form Kind, class Policy>
void check_scan_at_every_edge(Policy policy) {
  using op = typename Policy::op_type;
  engine_context context;
  auto const init = random_items<T, op>(4, seed_for(-1))[3];
  constexpr auto bound =
      Kind == form::exclusive ? sam::engine::bound::exclusive : sam::engine::bound::inclusive;
  auto const pass = sam::engine::resolve_policy<bound>(policy, sam::engine::from_value<T>{init});
  scan_traits const traits{sizeof(T), policy.components, Policy::order, Kind};
  auto sizes = sizes_at_every_edge<T>(pass);
  backend_bytes::add_edges<T>(pass, sizes);
  for_each_size(sizes, traits, [&](index_t n, std::uint64_t seed) {
    auto items = random_items<T, op>(n, seed);
    if (Policy::heading == sam::direction::backward)
      std::reverse(items.begin(), items.end());
    check_scan<Kind>(context, items, expected_scan<Kind>(items, policy, init), policy, init);
  });
}

template <class Case>
void check_scan_at_every_edge() {
  check_scan_at_every_edge<typename Case::item, Case::kind>(typename Case::policy{});
}

/// Checks that `call` throws an error "<function>: <argument> <problem> [<file>:...". The file is
/// the caller's. `function` is the end of its name, or all of it.
void fails(std::function<void()> const& call, std::string const& function,
           std::string const& argument, std::string const& problem,
           std::source_location at = std::source_location::current());
/// Checks that `call` throws an error, from any function.
inline void fails(std::function<void()> const& call, std::string const& argument,
                  std::string const& problem,
                  std::source_location at = std::source_location::current()) {
  fails(call, "", argument, problem, at);
}

/// Returns a span made from pointer and size.
template <class T>
std::span<T> as_span(fenced_array<T>& items) {
  return {items.data(), items.size()};
}

}  // namespace test
