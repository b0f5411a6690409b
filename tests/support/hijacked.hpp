// SPDX-License-Identifier: MIT
// A namespace of a caller that breaks every unqualified call in the library. It declares a function
// for each name of the library's free functions, and operators & and comma. Overload resolution
// must never consider them. Its types serve as items, keys, callables and containers.
#pragma once

#include <sam/sam.hpp>

#include "backend_bytes.hpp"

#include <cstddef>
#include <type_traits>

namespace hijacked {

/// Fails to compile as soon as overload resolution considers a function of this namespace. A
/// deleted function would only fail if it were the best match.
template <class... A>
struct considered {
  static_assert(sizeof...(A) > 1000,
                "sam: a call finds a function of a caller's namespace; qualify it");
  using type = void;
};

// Several overloads are needed for calls with explicit template arguments, such as f<T, 3>(x).
#define HIJACK(name)                                                                               \
  template <class... A>                                                                            \
  typename considered<A...>::type name(A&&...);                                                    \
  template <auto V, class... A>                                                                    \
  typename considered<A...>::type name(A&&...);                                                    \
  template <auto V, auto W, class... A>                                                            \
  typename considered<A...>::type name(A&&...);                                                    \
  template <class T, auto V, class... A>                                                           \
  typename considered<T, A...>::type name(A&&...);                                                 \
  template <class T, class U, auto V, class... A>                                                  \
  typename considered<T, U, A...>::type name(A&&...);
#include <hijackers.inc>
#undef HIJACK

template <class A, class B>
typename considered<A, B>::type operator,(A&&, B&&);
// nvcc's generated code for kernels takes the addresses of their arguments.
struct nothing {};
template <class A>
typename std::conditional_t<test::backend_bytes::on_host, considered<A>, nothing>::type
operator&(A&&);

/// An item of 1 + Rest integers.
template <int Rest>
struct item {
  int number;
  int rest[Rest];

  item* operator&() = delete;
  item const* operator&() const = delete;
  friend bool operator==(item const&, item const&) = default;
};
template <int Rest>
SAM_FUNCTION item<Rest> item_of(int number) {
  item<Rest> x{};
  x.number = number;
  return x;
}

struct plus {
  template <int Rest>
  SAM_FUNCTION item<Rest> operator()(item<Rest> const& a, item<Rest> const& b) const {
    return hijacked::item_of<Rest>(a.number + b.number);
  }
  SAM_FUNCTION int operator()(int a, int b) const { return a + b; }
  plus const* operator&() const = delete;
};
struct negate {
  template <int Rest>
  SAM_FUNCTION item<Rest> operator()(item<Rest> const& x) const {
    return hijacked::item_of<Rest>(-x.number);
  }
  SAM_FUNCTION int operator()(int x) const { return -x; }
  negate const* operator&() const = delete;
};
SAM_FUNCTION inline int number_of(int x) { return x; }
template <int Rest>
SAM_FUNCTION int number_of(item<Rest> const& x) {
  return x.number;
}
struct is_odd {
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return hijacked::number_of(x) % 2 != 0;
  }
  is_odd const* operator&() const = delete;
};
struct is_zero {
  template <class T>
  SAM_FUNCTION bool operator()(T const& x) const {
    return hijacked::number_of(x) == 0;
  }
};
struct same_number {
  template <class T>
  SAM_FUNCTION bool operator()(T const& a, T const& b) const {
    return hijacked::number_of(a) == hijacked::number_of(b);
  }
  same_number const* operator&() const = delete;
};
struct less_number {
  template <class T>
  SAM_FUNCTION bool operator()(T const& a, T const& b) const {
    return hijacked::number_of(a) < hijacked::number_of(b);
  }
  less_number const* operator&() const = delete;
};
struct digits {
  template <class T>
  SAM_FUNCTION unsigned operator()(T const& x) const {
    return static_cast<unsigned>(hijacked::number_of(x));
  }
  digits const* operator&() const = delete;
};

/// A container: the first `count` items of an array of the test.
template <class T>
struct view {
  T* first;
  std::size_t count;

  template <class Array>
  view(Array& a, std::size_t n) : first(a.data()), count(n) {}
  T* data() const { return first; }
  std::size_t size() const { return count; }
  view const* operator&() const = delete;
};

}  // namespace hijacked
