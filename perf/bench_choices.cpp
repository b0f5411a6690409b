// SPDX-License-Identifier: MIT
// Benchmarks extreme items, first matches, counts and selections by rank, also of segments and
// keys, against other libraries, in one process and on the same items.
#include <sam/extremes.hpp>
#include <sam/find.hpp>
#include <sam/partial_sort.hpp>
#include <sam/segmented_extremes.hpp>
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
      : in(n), keys(n), unique_keys(n / length + 1), out(n), places(n), found(n / length + 2),
        moved(n), offsets(n / length + 2) {
    perf::fill_random(in);
    for (index_t i = 0; i < n; ++i) {
      if (!(in.data()[i] != 0) || i == n - 1)
        in.data()[i] = static_cast<T>(i < n - 1 ? 1 : 0);
      keys.data()[i] = static_cast<std::uint32_t>(i / length);
    }
    for (index_t k = 0; k < offsets.size(); ++k)
      offsets.data()[k] = std::min(n, k * length);
  }
  std::vector<std::span<std::byte>> results() {
    return {perf::bytes_of(out), perf::bytes_of(places), perf::bytes_of(found),
            perf::bytes_of(unique_keys)};
  }
  T const* begin() const { return in.data(); }
  T const* end() const { return in.data() + in.size(); }
  index_t segments() const { return (in.size() + length - 1) / length; }
  pages<T> in;
  pages<std::uint32_t> keys, unique_keys;
  pages<T> out;
  pages<std::uint32_t> places;  // indices, or values that go with the items of out
  pages<index_t> found;
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
#ifdef SAM_PEER_PARLAY
  argmax.by("parlay", [](arrays<T>& a) {
    a.found.data()[0] = parlay::max_element(parlay::make_slice(a.begin(), a.end())) - a.begin();
  });
  both.by("parlay", [](arrays<T>& a) {
    auto const found = parlay::minmax_element(parlay::make_slice(a.begin(), a.end()));
    a.found.data()[0] = found.first - a.begin();
    a.found.data()[1] = found.second - a.begin();
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

/// Adds calls on segments, whose peers have a parallel loop over the segments.
template <class T>
void compare_segments(index_t n) {
  using call = compared_call<arrays<T>>;
  auto const add = [](call& to, auto one) {
    to.by_loop().by_loops(one, [](arrays<T>& a) { return a.segments(); });
  };
  auto const looped = [](auto one) {
    return [one](arrays<T>& a) {
      auto const each = one(a);
      for (index_t k = 0; k < a.segments(); ++k)
        each(k);
    };
  };
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
      auto const [least, most] = std::minmax_element(in + begin, in + end);
      to[k] = *least;
      to[m + k] = *most;
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
  auto const of_keys = [](auto of_segments) {
    return [of_segments](arrays<T>& a) {
      return [each = of_segments(a), keys = a.unique_keys.data()](index_t k) {
        each(k);
        keys[k] = static_cast<std::uint32_t>(k);
      };
    };
  };
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
    compare_ranks<float>(n);
    compare_ranks<std::uint64_t>(n);
    compare_segments<float>(n);
  }
  return true;
}();

}  // namespace
