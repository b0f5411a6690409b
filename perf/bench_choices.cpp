// SPDX-License-Identifier: MIT
// Benchmarks extreme items, first matches, counts and selections by rank, also of segments and
// keys, against other libraries, in one process and on the same items.
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/find_by_key.hpp>
#include <sam/minmax.hpp>
#include <sam/partial_sort.hpp>
#include <sam/segmented_extremes.hpp>
#include <sam/segmented_find.hpp>
#include <sam/segmented_minmax.hpp>
#include <sam/segmented_top_k.hpp>
#include <sam/top_k.hpp>

#include "calls.hpp"

#include <array>
#include <functional>
#include <numeric>

namespace {

using perf::compared_call;
using perf::index_t;
using perf::pages;

/// Items, of which the last one alone is 0, and segments of `length` items each.
template <class T>
struct arrays {
  static constexpr index_t length = 1000;

  explicit arrays(index_t n)
      : in(n), keys(n), unique_keys(n / length + 1), numbers(n), out(n), places(n),
        found(n / length + 2), both(n / length + 2), moved(n), offsets(n / length + 2) {
    perf::fill_random(in);
    for (index_t i = 0; i < n; ++i) {
      if (!(in.data()[i] != 0) || i == n - 1)
        in.data()[i] = static_cast<T>(i < n - 1 ? 1 : 0);
      keys.data()[i] = static_cast<std::uint32_t>(i / length);
    }
    std::iota(numbers.data(), numbers.data() + n, 0u);
    for (index_t k = 0; k < offsets.size(); ++k)
      offsets.data()[k] = std::min(n, k * length);
  }
  std::vector<std::span<std::byte>> results() {
    return {perf::bytes_of(out), perf::bytes_of(places), perf::bytes_of(found),
            perf::bytes_of(unique_keys), perf::bytes_of(both)};
  }
  T const* begin() const { return in.data(); }
  T const* end() const { return in.data() + in.size(); }
  index_t segments() const { return (in.size() + length - 1) / length; }
  pages<T> in;
  pages<std::uint32_t> keys, unique_keys, numbers;
  pages<T> out;
  pages<std::uint32_t> places;  // indices, or values that go with the items of out
  pages<index_t> found;
  pages<sam::minmax_values<T>> both;
  pages<T> moved;  // for peers that work in place
  pages<index_t> offsets;
};

template <class T>
std::string name(char const* call) {
  return std::string(call) + "/" + perf::type_name<T>();
}
template <class T>
void copy_items(arrays<T>& a) {
  std::copy_n(a.in.data(), a.in.size(), a.moved.data());
}

struct is_zero {
  template <class T>
  bool operator()(T x) const {
    return !(x != 0);
  }
};
struct is_not_zero {
  template <class T>
  bool operator()(T x) const {
    return x != 0;
  }
};
struct is_small {
  template <class T>
  bool operator()(T x) const {
    return x < T(1) / 4 || x > T(1000);
  }
};

/// An order that no selection by digits knows.
struct by_value {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};

template <class T>
void compare_extremes(index_t n) {
  auto const loop = [](arrays<T>& a) {
    a.found.data()[0] = std::max_element(a.begin(), a.end()) - a.begin();
  };
  compared_call<arrays<T>> argmax(name<T>("argmax"), n, sizeof(T), loop);
  argmax.by_sam([](auto& context, auto& a) { sam::argmax(context, a.in, a.found.first(1)); })
      .by_std([](arrays<T>& a, auto const&... how) {
        a.found.data()[0] = std::max_element(how..., a.begin(), a.end()) - a.begin();
      });
  compared_call<arrays<T>> both(name<T>("find_minmax"), n, sizeof(T), [](arrays<T>& a) {
    a.found.data()[0] = std::min_element(a.begin(), a.end()) - a.begin();
    a.found.data()[1] = std::max_element(a.begin(), a.end()) - a.begin();
  });
  both.by_sam([](auto& context, auto& a) {
        auto const found = sam::find_minmax(context, a.in);
        a.found.data()[0] = found.min.index;
        a.found.data()[1] = found.max.index;
      })
      .by_std([](arrays<T>& a, auto const&... how) {
        auto const [least, greatest] = std::minmax_element(how..., a.begin(), a.end());
        a.found.data()[0] = least - a.begin();
        a.found.data()[1] = greatest - a.begin();
      });
  compared_call<arrays<T>> values(name<T>("minmax"), n, sizeof(T), [](arrays<T>& a) {
    a.found.data()[0] = static_cast<index_t>(*std::min_element(a.begin(), a.end()));
    a.found.data()[1] = static_cast<index_t>(*std::max_element(a.begin(), a.end()));
  });
  values
      .by_sam([](auto& context, auto& a) {
        auto const found = sam::minmax(context, a.in);
        a.found.data()[0] = static_cast<index_t>(found.min);
        a.found.data()[1] = static_cast<index_t>(found.max);
      })
      .by_std([](arrays<T>& a, auto const&... how) {
        auto const [least, greatest] = std::minmax_element(how..., a.begin(), a.end());
        a.found.data()[0] = static_cast<index_t>(*least);
        a.found.data()[1] = static_cast<index_t>(*greatest);
      });
#ifdef SAM_PEER_PARLAY
  argmax.by("parlay", [](arrays<T>& a) {
    a.found.data()[0] = parlay::max_element(parlay::make_slice(a.begin(), a.end())) - a.begin();
  });
  both.by("parlay", [](arrays<T>& a) {
    auto const found = parlay::minmax_element(parlay::make_slice(a.begin(), a.end()));
    a.found.data()[0] = found.first - a.begin();
    a.found.data()[1] = found.second - a.begin();
  });
  values.by("parlay", [](arrays<T>& a) {
    auto const found = parlay::minmax_element(parlay::make_slice(a.begin(), a.end()));
    a.found.data()[0] = static_cast<index_t>(*found.first);
    a.found.data()[1] = static_cast<index_t>(*found.second);
  });
#endif
}

template <class T>
void compare_matches(index_t n) {
  compared_call<arrays<T>> find(name<T>("find_if, the last"), n, sizeof(T),
                                [](arrays<T>& a) { a.found.data()[0] = a.in.size() - 1; });
  find.by_sam(
          [](auto& context, auto& a) { sam::find_if(context, a.in, is_zero{}, a.found.first(1)); })
      .by_std([](arrays<T>& a, auto const&... how) {
        a.found.data()[0] = std::find_if(how..., a.begin(), a.end(), is_zero{}) - a.begin();
      });
  auto const counting = [](arrays<T>& a, auto const&... how) {
    a.found.data()[0] = std::count_if(how..., a.begin(), a.end(), is_small{});
  };
  compared_call<arrays<T>> count(name<T>("count_if"), n, sizeof(T),
                                 [=](arrays<T>& a) { counting(a); });
  count
      .by_sam([](auto& context, auto& a) {
        sam::count_if(context, a.in, is_small{}, a.found.first(1));
      })
      .by_std(counting);
#ifdef SAM_PEER_PARLAY
  find.by("parlay", [](arrays<T>& a) {
    a.found.data()[0] =
        parlay::find_if(parlay::make_slice(a.begin(), a.end()), is_zero{}) - a.begin();
  });
  count.by("parlay", [](arrays<T>& a) {
    auto const found = parlay::count_if(parlay::make_slice(a.begin(), a.end()), is_small{});
    a.found.data()[0] = static_cast<index_t>(found);
  });
#endif
}

/// Tests items, of which the last one decides, and whether keys are in order.
template <class T>
void compare_tests(index_t n) {
  auto const add = [n](char const* what, std::size_t bytes, auto by_sam, auto test) {
    auto const by_std = [test](arrays<T>& a, auto const&... how) {
      a.found.data()[0] = test(a, how...) ? 1 : 0;
    };
    compared_call<arrays<T>>(name<T>(what), n, static_cast<double>(bytes),
                             [=](arrays<T>& a) { by_std(a); })
        .by_sam(by_sam)
        .by_std(by_std);
  };
  add(
      "any_of, the last", sizeof(T),
      [](auto& context, auto& a) { sam::any_of(context, a.in, is_zero{}, a.found.first(1)); },
      [](auto& a, auto const&... how) {
        return std::any_of(how..., a.begin(), a.end(), is_zero{});
      });
  add(
      "all_of, but for the last", sizeof(T),
      [](auto& context, auto& a) { sam::all_of(context, a.in, is_not_zero{}, a.found.first(1)); },
      [](auto& a, auto const&... how) {
        return std::all_of(how..., a.begin(), a.end(), is_not_zero{});
      });
  add(
      "none_of, but for the last", sizeof(T),
      [](auto& context, auto& a) { sam::none_of(context, a.in, is_zero{}, a.found.first(1)); },
      [](auto& a, auto const&... how) {
        return std::none_of(how..., a.begin(), a.end(), is_zero{});
      });
  add(
      "is_sorted, of u32 that are", 4,
      [](auto& context, auto& a) { a.found.data()[0] = sam::is_sorted(context, a.keys) ? 1 : 0; },
      [](auto& a, auto const&... how) {
        return std::is_sorted(how..., a.keys.data(), a.keys.data() + a.keys.size());
      });
}

/// Adds selections of 100 items with values or with their indices.
template <class T>
void compare_chosen(index_t n) {
  static constexpr index_t k = 100;
  if (k > n)
    return;
  // The peers sort a part of all indices.
  auto const order = [](arrays<T>& a) {
    std::iota(a.places.data(), a.places.data() + a.places.size(), 0u);
  };
  auto const choose = [](arrays<T>& a, auto const&... how) {
    std::partial_sort(how..., a.places.data(), a.places.data() + k,
                      a.places.data() + a.places.size(),
                      [in = a.begin()](std::uint32_t x, std::uint32_t y) {
                        return in[y] < in[x] || (!(in[x] < in[y]) && x < y);
                      });
  };
  auto const take_items = [=](arrays<T>& a, auto const&... how) {
    choose(a, how...);
    for (index_t i = 0; i < k; ++i)
      a.out.data()[i] = a.begin()[a.places.data()[i]];
  };
  // Leaves what is behind the results as it was.
  auto const alone = [order](auto f) {
    return [=](arrays<T>& a) {
      std::vector<std::uint32_t> const before(a.places.data(), a.places.data() + a.places.size());
      order(a);
      f(a);
      std::copy(before.begin() + k, before.end(), a.places.data() + k);
    };
  };
  compared_call<arrays<T>>(name<T>("top_k_indices") + "/k:100", n, sizeof(T), alone(choose))
      .by_sam([](auto& context, auto& a) { sam::top_k_indices(context, a.in, a.places.first(k)); })
      .by_std(choose, order);
  compared_call<arrays<T>>(name<T>("top_k_pairs") + "/k:100", n, sizeof(T) + 4, alone(take_items))
      .by_sam([](auto& context, auto& a) {
        sam::top_k_pairs(context, a.in, a.numbers, a.out.first(k), a.places.first(k));
      })
      .by_std(take_items, order);
}

template <class T>
void compare_ranks(index_t n) {
  auto const select = [](arrays<T>& a, auto const&... how) {
    T* const items = a.moved.data();
    std::nth_element(how..., items, items + a.in.size() / 2, items + a.in.size());
    a.out.data()[0] = items[a.in.size() / 2];
  };
  compared_call<arrays<T>> median(name<T>("nth_element, the median"), n, sizeof(T),
                                  [=](arrays<T>& a) {
                                    copy_items(a);
                                    select(a);
                                  });
  median
      .by_sam([](auto& context, auto& a) {
        sam::nth_element(context, a.in, a.in.size() / 2, a.out.first(1));
      })
      .by_std(select, copy_items<T>);
#ifdef SAM_PEER_PARLAY
  median.by("parlay", [](arrays<T>& a) {
    a.out.data()[0] = *parlay::kth_smallest(parlay::make_slice(a.begin(), a.end()),
                                            static_cast<std::size_t>(a.in.size() / 2));
  });
#endif
  for (index_t const k : {index_t{100}, index_t{1} << 16}) {
    if (k > n)
      continue;
    auto const part = [=](arrays<T>& a, auto const&... how) {
      std::partial_sort_copy(how..., a.begin(), a.end(), a.out.data(), a.out.data() + k,
                             std::greater<>());
    };
    compared_call<arrays<T>>(name<T>("top_k") + "/k:" + std::to_string(k), n, sizeof(T),
                             [=](arrays<T>& a) { part(a); })
        .by_sam([=](auto& context, auto& a) { sam::top_k(context, a.in, a.out.first(k)); })
        .by_std(part);
    auto const by_order = [=](arrays<T>& a, auto const&... how) {
      std::partial_sort_copy(how..., a.begin(), a.end(), a.out.data(), a.out.data() + k,
                             by_value{});
    };
    compared_call<arrays<T>>(name<T>("partial_sort by an order") + "/k:" + std::to_string(k), n,
                             sizeof(T), [=](arrays<T>& a) { by_order(a); })
        .by_sam([=](auto& context, auto& a) {
          sam::partial_sort(context, a.in, a.out.first(k), by_value{});
        })
        .by_std(by_order);
  }
}

// Calls on segments, whose peers have a parallel loop over the segments: one(arrays) returns what
// makes the results of segment k.

template <class T, class One>
void add(compared_call<arrays<T>>& to, One one) {
  to.by_loop().by_loops(one, [](arrays<T>& a) { return a.segments(); });
}
template <class One>
auto looped(One one) {
  return [one](auto& a) {
    auto const each = one(a);
    for (index_t k = 0; k < a.segments(); ++k)
      each(k);
  };
}
/// Adds the key of each segment to the results.
template <class One>
auto of_keys(One of_segments) {
  return [of_segments](auto& a) {
    return [each = of_segments(a), keys = a.unique_keys.data()](index_t k) {
      each(k);
      keys[k] = static_cast<std::uint32_t>(k);
    };
  };
}
/// Stores f(first, last, arrays) of the items of each segment, an integer.
template <class F>
auto of_items(F f) {
  return [f](auto& a) {
    return [f, &a, length = std::remove_cvref_t<decltype(a)>::length](index_t k) {
      index_t const begin = k * length, end = std::min(a.in.size(), begin + length);
      a.found.data()[k] = f(begin, end, a);
    };
  };
}

/// Adds tests, counts and searches of each segment or key. In all segments but the last one no item
/// is 0, and all keys are in order, so that the peers read all items, too.
template <class T>
void compare_tests_of_segments(index_t n) {
  auto const compare = [n](char const* what, double bytes, auto by_sam, auto one) {
    compared_call<arrays<T>> call(name<T>(what), n, bytes, looped(one));
    call.by_sam(by_sam);
    add(call, one);
  };
  constexpr double of_item = sizeof(T), with_key = of_item + 4;
  auto const segments = [](auto& a) { return sam::by_offsets(a.offsets.first(a.segments() + 1)); };
  auto const find = of_items([](index_t begin, index_t end, auto& a) {
    auto const* const at = std::find_if(a.begin() + begin, a.begin() + end, is_zero{});
    return at == a.begin() + end ? a.in.size() : at - a.begin();
  });
  auto const count = of_items([](index_t begin, index_t end, auto& a) {
    return index_t{std::count_if(a.begin() + begin, a.begin() + end, is_small{})};
  });
  auto const test = of_items([](index_t begin, index_t end, auto& a) -> index_t {
    return std::any_of(a.begin() + begin, a.begin() + end, is_zero{}) ? 1 : 0;
  });
  auto const order = of_items([](index_t begin, index_t end, auto& a) -> index_t {
    return std::is_sorted(a.keys.data() + begin, a.keys.data() + end) ? 1 : 0;
  });
  compare(
      "segmented_find_if by offsets, of 1000", of_item,
      [=](auto& context, auto& a) {
        sam::segmented_find_if(context, a.in, segments(a), is_zero{}, a.found.first(a.segments()));
      },
      find);
  compare(
      "segmented_count_if by offsets, of 1000", of_item,
      [=](auto& context, auto& a) {
        sam::segmented_count_if(context, a.in, segments(a), is_small{},
                                a.found.first(a.segments()));
      },
      count);
  compare(
      "segmented_any_of by offsets, of 1000", of_item,
      [=](auto& context, auto& a) {
        sam::segmented_any_of(context, a.in, segments(a), is_zero{}, a.found.first(a.segments()));
      },
      test);
  compare(
      "segmented_is_sorted by offsets, u32 of 1000", 4,
      [=](auto& context, auto& a) {
        sam::segmented_is_sorted(context, a.keys, segments(a), a.found.first(a.segments()));
      },
      order);
  compare(
      "find_if_by_key, runs of 1000", with_key,
      [](auto& context, auto& a) {
        sam::find_if_by_key(context, a.keys, a.in, a.unique_keys.first(a.segments()), is_zero{},
                            a.found.first(a.segments()));
      },
      of_keys(find));
  compare(
      "count_if_by_key, runs of 1000", with_key,
      [](auto& context, auto& a) {
        sam::count_if_by_key(context, a.keys, a.in, a.unique_keys.first(a.segments()), is_small{},
                             a.found.first(a.segments()));
      },
      of_keys(count));
  compare(
      "any_of_by_key, runs of 1000", with_key,
      [](auto& context, auto& a) {
        sam::any_of_by_key(context, a.keys, a.in, a.unique_keys.first(a.segments()), is_zero{},
                           a.found.first(a.segments()));
      },
      of_keys(test));
  compare(
      "is_sorted_by_key, runs of 1000, u32", 8,
      [](auto& context, auto& a) {
        sam::is_sorted_by_key(context, a.keys, a.keys, a.unique_keys.first(a.segments()),
                              a.found.first(a.segments()));
      },
      of_keys(order));
}

/// Adds both extreme items of each segment or key with their indices.
template <class T>
void compare_both_extremes(index_t n) {
  auto const both = [](arrays<T>& a) {
    return [&a](index_t k) {
      T const* const in = a.begin();
      index_t const begin = k * arrays<T>::length,
                    end = std::min(a.in.size(), begin + arrays<T>::length);
      auto const* const least = std::min_element(in + begin, in + end);
      auto const* const most = std::max_element(in + begin, in + end);
      a.both.data()[k] = {{*least, least - in}, {*most, most - in}};
    };
  };
  compared_call<arrays<T>> by_offsets(name<T>("segmented_find_minmax by offsets, of 1000"), n,
                                      sizeof(T), looped(both));
  by_offsets.by_sam([](auto& context, auto& a) {
    sam::segmented_find_minmax(context, a.in, sam::by_offsets(a.offsets.first(a.segments() + 1)),
                               a.both.first(a.segments()));
  });
  add(by_offsets, both);
  compared_call<arrays<T>> by_key(name<T>("find_minmax_by_key, runs of 1000"), n, sizeof(T) + 4,
                                  looped(of_keys(both)));
  by_key.by_sam([](auto& context, auto& a) {
    sam::find_minmax_by_key(context, a.keys, a.in, a.unique_keys.first(a.segments()),
                            a.both.first(a.segments()));
  });
  add(by_key, of_keys(both));
}

/// Adds extreme items and selections from segments.
template <class T>
void compare_segments(index_t n) {
  using call = compared_call<arrays<T>>;
  auto const extreme = [](auto find) {
    return [find](arrays<T>& a) {
      return [find, in = a.begin(), n = a.in.size(), to = a.found.data()](index_t k) {
        index_t const begin = k * arrays<T>::length, end = std::min(n, begin + arrays<T>::length);
        to[k] = find(in + begin, in + end) - in;
      };
    };
  };
  auto const greatest = extreme([](auto... items) { return std::max_element(items...); });
  auto const least = extreme([](auto... items) { return std::min_element(items...); });
  call by_offsets(name<T>("segmented_argmax by offsets, of 1000"), n, sizeof(T), looped(greatest));
  by_offsets.by_sam([](auto& context, auto& a) {
    sam::segmented_argmax(context, a.in, sam::by_offsets(a.offsets.first(a.segments() + 1)),
                          a.found.first(a.segments()));
  });
  add(by_offsets, greatest);
  call least_by_offsets(name<T>("segmented_argmin by offsets, of 1000"), n, sizeof(T),
                        looped(least));
  least_by_offsets.by_sam([](auto& context, auto& a) {
    sam::segmented_argmin(context, a.in, sam::by_offsets(a.offsets.first(a.segments() + 1)),
                          a.found.first(a.segments()));
  });
  add(least_by_offsets, least);
  // The smallest items of all segments, then the largest ones.
  auto const both = [](arrays<T>& a) {
    return [in = a.begin(), n = a.in.size(), to = a.out.data(), m = a.segments()](index_t k) {
      index_t const begin = k * arrays<T>::length, end = std::min(n, begin + arrays<T>::length);
      auto const [low, high] = std::minmax_element(in + begin, in + end);
      to[k] = *low;
      to[m + k] = *high;
    };
  };
  call extremes_by_offsets(name<T>("segmented_minmax by offsets, of 1000"), n, sizeof(T),
                           looped(both));
  extremes_by_offsets.by_sam([](auto& context, auto& a) {
    auto const m = static_cast<std::size_t>(a.segments());
    auto const all = a.out.first(2 * a.segments());
    auto const mins = all.first(m), maxs = all.subspan(m);
    sam::segmented_minmax(context, a.in, sam::by_offsets(a.offsets.first(a.segments() + 1)),
                          sam::zipped_to(mins, maxs));
  });
  add(extremes_by_offsets, both);
  // Writes the key and the first item that comes before all others of each run of equal keys.
  auto const of_runs = [](auto is_worse) {
    return [is_worse](arrays<T>& a) {
      std::uint32_t const* const keys = a.keys.data();
      index_t run = -1;
      for (index_t i = 0, best = 0; i < a.in.size(); ++i) {
        bool const begins = i == 0 || keys[i] != keys[i - 1];
        if (begins)
          a.unique_keys.data()[++run] = keys[i];
        if (begins || is_worse(a.begin()[best], a.begin()[i]))
          best = i;
        a.found.data()[run] = best;
      }
    };
  };
  call least_by_key(name<T>("argmin_by_key, runs of 1000"), n, sizeof(T) + 4,
                    looped(of_keys(least)));
  least_by_key.by("serial", of_runs(std::greater<>())).by_sam([](auto& context, auto& a) {
    sam::argmin_by_key(context, a.keys, a.in, a.unique_keys.first(a.segments()),
                       a.found.first(a.segments()));
  });
  call by_key(name<T>("argmax_by_key, runs of 1000"), n, sizeof(T) + 4, looped(of_keys(greatest)));
  by_key.by_sam([](auto& context, auto& a) {
    sam::argmax_by_key(context, a.keys, a.in, a.unique_keys.first(a.segments()),
                       a.found.first(a.segments()));
  });
  by_key.by("serial", of_runs(std::less<>()));
  static constexpr index_t k = 50;
  auto const few = [](arrays<T>& a) {
    return [in = a.begin(), n = a.in.size(), to = a.out.data()](index_t segment) {
      index_t const begin = segment * arrays<T>::length,
                    end = std::min(n, begin + arrays<T>::length);
      std::partial_sort_copy(in + begin, in + end, to + segment * k, to + (segment + 1) * k,
                             std::greater<>());
    };
  };
  call top(name<T>("segmented_top_k, 50 of 1000"), n, sizeof(T), looped(few));
  top.by_sam([](auto& context, auto& a) {
    sam::segmented_top_k(context, a.in, sam::by_length(arrays<T>::length), k,
                         a.out.first(k * a.segments()));
  });
  add(top, few);

  // Indices or values go with the chosen items, of which equal ones stay in their order.
  auto const chosen = [](bool with_values) {
    return [with_values](arrays<T>& a) {
      return [with_values, in = a.begin(), n = a.in.size(), keys = a.keys.data(),
              out = a.out.data(), to = a.places.data()](index_t segment) {
        index_t const begin = segment * arrays<T>::length,
                      size = std::min(n - begin, arrays<T>::length), most = std::min(k, size);
        std::array<std::uint32_t, arrays<T>::length> order;
        std::iota(order.begin(), order.begin() + size, static_cast<std::uint32_t>(begin));
        std::partial_sort(order.begin(), order.begin() + most, order.begin() + size,
                          [in](std::uint32_t x, std::uint32_t y) {
                            return in[y] < in[x] || (!(in[x] < in[y]) && x < y);
                          });
        for (index_t i = 0; i < most; ++i) {
          std::uint32_t const place = order[static_cast<std::size_t>(i)];
          if (with_values)
            out[segment * k + i] = in[place];
          to[segment * k + i] = with_values ? keys[place] : place;
        }
      };
    };
  };
  call pairs(name<T>("segmented_top_k_pairs, 50 of 1000"), n, sizeof(T) + 4, looped(chosen(true)));
  pairs.by_sam([](auto& context, auto& a) {
    sam::segmented_top_k_pairs(context, a.in, a.keys, sam::by_length(arrays<T>::length), k,
                               a.out.first(k * a.segments()), a.places.first(k * a.segments()));
  });
  add(pairs, chosen(true));
  call indices(name<T>("segmented_top_k_indices, 50 of 1000"), n, sizeof(T), looped(chosen(false)));
  indices.by_sam([](auto& context, auto& a) {
    sam::segmented_top_k_indices(context, a.in, sam::by_length(arrays<T>::length), k,
                                 a.places.first(k * a.segments()));
  });
  add(indices, chosen(false));
}

[[maybe_unused]] bool const registered = [] {
  for (index_t const n : perf::sizes({1 << 25, 1 << 20, 1 << 14})) {
    compare_extremes<float>(n);
    compare_extremes<std::int64_t>(n);
    compare_matches<float>(n);
    compare_matches<std::int32_t>(n);
    compare_tests<float>(n);
    compare_chosen<float>(n);
    compare_ranks<float>(n);
    compare_ranks<std::uint64_t>(n);
    compare_segments<float>(n);
    compare_tests_of_segments<float>(n);
    compare_both_extremes<std::int64_t>(n);
  }
  return true;
}();

}  // namespace
