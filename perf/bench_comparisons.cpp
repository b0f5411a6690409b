// SPDX-License-Identifier: MIT
// Benchmarks sorts by a comparison, merges, set operations and searches for many values against
// other libraries, in one process and on the same items.
#include <sam/binary_search.hpp>
#include <sam/merge.hpp>
#include <sam/merge_sort.hpp>
#include <sam/segmented_merge_sort.hpp>
#include <sam/set_operations.hpp>

#include "calls.hpp"
#include "sort_peers.hpp"

#include <numeric>

namespace {

using perf::compared_call;
using perf::index_t;
using perf::pages;

/// An order that no radix sort knows: by < of the keys, as a function object of a caller.
struct by_value {
  template <class T>
  bool operator()(T const& a, T const& b) const {
    return a < b;
  }
};

/// Items to sort, and two sorted arrays, of whose items about a third are in both.
template <class T>
struct arrays {
  using pair = perf::key_and_value<T, std::uint32_t>;

  explicit arrays(index_t n)
      : in(n), values(n), a(n / 2), b(n - n / 2), out(n), values_out(n), found(n), count(1),
        moved(n), pairs(n), pairs_out(n) {
    perf::fill_random(in);
    std::iota(values.data(), values.data() + n, 0u);
    std::mt19937_64 bits(std::random_device{}());
    for (auto const* const each : {&a, &b}) {
      for (index_t i = 0; i < each->size(); ++i)
        each->data()[i] = static_cast<T>(bits() % static_cast<std::uint64_t>(n));
      std::sort(each->data(), each->data() + each->size());
    }
  }
  std::vector<std::span<std::byte>> results() {
    return {perf::bytes_of(out), perf::bytes_of(values_out), perf::bytes_of(found),
            perf::bytes_of(count)};
  }
  pages<T> in;
  pages<std::uint32_t> values;
  pages<T> a, b, out;
  pages<std::uint32_t> values_out;
  pages<std::uint32_t> found;
  pages<index_t> count;
  pages<T> moved;  // for peers that sort in place
  pages<pair> pairs, pairs_out;
};

template <class T>
void copy_items(arrays<T>& a) {
  std::copy_n(a.in.data(), a.in.size(), a.moved.data());
}
template <class T>
void copy_pairs(arrays<T>& a) {
  for (index_t i = 0; i < a.in.size(); ++i)
    a.pairs.data()[i] = {a.values.data()[i], a.in.data()[i]};
}

/// Adds stable sorts of other libraries, in place. oneTBB's is not stable.
template <class T, class Item>
void add_sorts(compared_call<arrays<T>>& call, pages<Item> arrays<T>::*items,
               typename compared_call<arrays<T>>::work copy) {
  auto const n_of = [](arrays<T> const& a) { return a.in.size(); };
  call.by_std(
      [=](arrays<T>& a, auto const&... how) {
        auto* const first = (a.*items).data();
        std::stable_sort(how..., first, first + n_of(a), by_value{});
      },
      copy);
#ifdef SAM_PEER_TBB
  call.by(
      "tbb",
      [=](arrays<T>& a) {
        auto* const first = (a.*items).data();
        tbb::parallel_sort(first, first + n_of(a), by_value{});
      },
      copy);
#endif
#ifdef SAM_PEER_PARLAY
  call.by(
      "parlay",
      [=](arrays<T>& a) {
        auto* const first = (a.*items).data();
        parlay::stable_sort_inplace(parlay::make_slice(first, first + n_of(a)), by_value{});
      },
      copy);
#endif
}

template <class T>
void compare_sorts(index_t n) {
  std::string const type = "/" + perf::type_name<T>();
  auto const sort_pairs = [](arrays<T>& a) {
    copy_pairs(a);
    std::stable_sort(a.pairs.data(), a.pairs.data() + a.in.size(), by_value{});
  };
  compared_call<arrays<T>> keys("merge_sort by an order" + type, n, 2 * sizeof(T), [](auto& a) {
    std::copy_n(a.in.data(), a.in.size(), a.out.data());
    std::stable_sort(a.out.data(), a.out.data() + a.in.size(), by_value{});
  });
  keys.by_sam([](auto& context, auto& a) { sam::merge_sort(context, a.in, a.out, by_value{}); });
  add_sorts(keys, &arrays<T>::moved, copy_items<T>);
  compared_call<arrays<T>> pairs("merge_sort_pairs by an order" + type + "+u32", n,
                                 2 * sizeof(T) + 8, [=](auto& a) {
                                   sort_pairs(a);
                                   for (index_t i = 0; i < a.in.size(); ++i) {
                                     a.out.data()[i] = a.pairs.data()[i].key;
                                     a.values_out.data()[i] = a.pairs.data()[i].value;
                                   }
                                 });
  pairs.by_sam([](auto& context, auto& a) {
    sam::merge_sort_pairs(context, a.in, a.values, a.out, a.values_out, by_value{});
  });
  add_sorts(pairs, &arrays<T>::pairs, copy_pairs<T>);
  compared_call<arrays<T>> order("merge_argsort by an order" + type, n, sizeof(T) + 4,
                                 [=](auto& a) {
                                   sort_pairs(a);
                                   for (index_t i = 0; i < a.in.size(); ++i)
                                     a.found.data()[i] = a.pairs.data()[i].value;
                                 });
  order.by_sam(
      [](auto& context, auto& a) { sam::merge_argsort(context, a.in, a.found, by_value{}); });
  add_sorts(order, &arrays<T>::pairs, copy_pairs<T>);
}

/// Adds stable sorts of rows of 1000 items, whose peers have a parallel loop over the rows.
template <class T>
void compare_sorts_of_rows(index_t n) {
  static constexpr index_t length = 1000;
  auto const rows = [](arrays<T>& a) { return (a.in.size() + length - 1) / length; };
  auto const sort = [](arrays<T>& a) {
    return [in = a.in.data(), out = a.out.data(), n = a.in.size()](index_t row) {
      index_t const begin = row * length, end = std::min(n, begin + length);
      std::copy(in + begin, in + end, out + begin);
      std::stable_sort(out + begin, out + end, by_value{});
    };
  };
  compared_call<arrays<T>>("segmented_merge_sort by an order, of 1000/" + perf::type_name<T>(), n,
                           2 * sizeof(T),
                           [=](arrays<T>& a) {
                             auto const each = sort(a);
                             for (index_t row = 0; row < rows(a); ++row)
                               each(row);
                           })
      .by_sam([](auto& context, auto& a) {
        sam::segmented_merge_sort(context, a.in, sam::by_length(length), a.out, by_value{});
      })
      .by_loop()
      .by_loops(sort, rows);
}

/// Adds an operation on two sorted arrays: sam's, and std's with all its arguments but the policy.
template <class T, class Sam, class Std>
compared_call<arrays<T>> compare_sets(char const* call, index_t n, double moved, Sam by_sam,
                                      Std by_std) {
  auto const run = [=](arrays<T>& a, auto const&... how) {
    T* const end = by_std(a.a.data(), a.a.data() + a.a.size(), a.b.data(), a.b.data() + a.b.size(),
                          a.out.data(), how...);
    a.count.data()[0] = end - a.out.data();
  };
  return compared_call<arrays<T>>(std::string(call) + "/" + perf::type_name<T>(), n,
                                  moved * sizeof(T), [=](arrays<T>& a) { run(a); })
      .by_sam(by_sam)
      .by_std(run);
}

template <class T>
void compare_sets(index_t n) {
  auto merge = compare_sets<T>(
      "merge", n, 2,
      [](auto& context, auto& a) {
        sam::merge(context, a.a, a.b, a.out);
        a.count.data()[0] = a.out.size();
      },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::merge(how..., a, a_end, b, b_end, out);
      });
#ifdef SAM_PEER_PARLAY
  merge.by("parlay", [](arrays<T>& a) {
    auto const slice = [](pages<T> const& x) {
      return parlay::make_slice(x.data(), x.data() + x.size());
    };
    parlay::internal::merge_into<parlay::copy_assign_tag>(slice(a.a), slice(a.b), slice(a.out),
                                                          by_value{});
  });
#endif
  compare_sets<T>(
      "set_union", n, 1.8,
      [](auto& context, auto& a) { sam::set_union(context, a.a, a.b, a.out, a.count); },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_union(how..., a, a_end, b, b_end, out);
      });
  compare_sets<T>(
      "set_intersection", n, 1.2,
      [](auto& context, auto& a) { sam::set_intersection(context, a.a, a.b, a.out, a.count); },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_intersection(how..., a, a_end, b, b_end, out);
      });
  compare_sets<T>(
      "set_difference", n, 1.3,
      [](auto& context, auto& a) { sam::set_difference(context, a.a, a.b, a.out, a.count); },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_difference(how..., a, a_end, b, b_end, out);
      });
  compare_sets<T>(
      "set_symmetric_difference", n, 1.6,
      [](auto& context, auto& a) {
        sam::set_symmetric_difference(context, a.a, a.b, a.out, a.count);
      },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_symmetric_difference(how..., a, a_end, b, b_end, out);
      });
}

/// Adds an operation on sorted keys with values, of which the first half go with a: sam's, and one
/// of std on pairs.
template <class T, class Sam, class Std>
void compare_sets_by_key(char const* call, index_t n, double moved, Sam by_sam, Std by_std) {
  auto const pair_up = [](arrays<T>& a) {
    index_t const half = a.a.size();
    for (index_t i = 0; i < a.in.size(); ++i)
      a.pairs.data()[i] = {a.values.data()[i], i < half ? a.a.data()[i] : a.b.data()[i - half]};
  };
  auto const run = [=](arrays<T>& a, auto const&... how) {
    auto* const first = a.pairs.data();
    auto* const end = by_std(first, first + a.a.size(), first + a.a.size(), first + a.in.size(),
                             a.pairs_out.data(), how...);
    a.count.data()[0] = end - a.pairs_out.data();
  };
  compared_call<arrays<T>>(std::string(call) + "/" + perf::type_name<T>() + "+u32", n,
                           moved * (sizeof(T) + 4),
                           [=](arrays<T>& a) {
                             pair_up(a);
                             run(a);
                             for (index_t i = 0; i < a.count.data()[0]; ++i) {
                               a.out.data()[i] = a.pairs_out.data()[i].key;
                               a.values_out.data()[i] = a.pairs_out.data()[i].value;
                             }
                           })
      .by_sam([=](auto& context, auto& a) {
        auto const values = std::span<std::uint32_t const>(a.values.first(a.in.size()));
        auto const half = static_cast<std::size_t>(a.a.size());
        by_sam(context, a, values.first(half), values.subspan(half));
      })
      .by_std(run, pair_up);
}

template <class T>
void compare_sets_by_key(index_t n) {
  compare_sets_by_key<T>(
      "merge_by_key", n, 2,
      [](auto& context, auto& a, auto of_a, auto of_b) {
        sam::merge_by_key(context, a.a, of_a, a.b, of_b, a.out, a.values_out);
        a.count.data()[0] = a.out.size();
      },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::merge(how..., a, a_end, b, b_end, out);
      });
  compare_sets_by_key<T>(
      "set_union_by_key", n, 1.8,
      [](auto& context, auto& a, auto of_a, auto of_b) {
        sam::set_union_by_key(context, a.a, of_a, a.b, of_b, a.out, a.values_out, a.count);
      },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_union(how..., a, a_end, b, b_end, out);
      });
  compare_sets_by_key<T>(
      "set_intersection_by_key", n, 1.2,
      [](auto& context, auto& a, auto of_a, auto) {
        sam::set_intersection_by_key(context, a.a, of_a, a.b, a.out, a.values_out, a.count);
      },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_intersection(how..., a, a_end, b, b_end, out);
      });
  compare_sets_by_key<T>(
      "set_difference_by_key", n, 1.3,
      [](auto& context, auto& a, auto of_a, auto) {
        sam::set_difference_by_key(context, a.a, of_a, a.b, a.out, a.values_out, a.count);
      },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_difference(how..., a, a_end, b, b_end, out);
      });
  compare_sets_by_key<T>(
      "set_symmetric_difference_by_key", n, 1.6,
      [](auto& context, auto& a, auto of_a, auto of_b) {
        sam::set_symmetric_difference_by_key(context, a.a, of_a, a.b, of_b, a.out, a.values_out,
                                             a.count);
      },
      [](auto a, auto a_end, auto b, auto b_end, auto out, auto const&... how) {
        return std::set_symmetric_difference(how..., a, a_end, b, b_end, out);
      });
}

/// Finds the items of `a` that are equal to each of `in`.
template <class T>
void compare_equal_ranges(index_t n) {
  auto const search = [](arrays<T>& a) {
    return [first = a.a.data(), last = a.a.data() + a.a.size(), x = a.in.data(),
            begins = a.found.data(), ends = a.values_out.data()](index_t i) {
      auto const [begin, end] = std::equal_range(first, last, x[i]);
      begins[i] = static_cast<std::uint32_t>(begin - first);
      ends[i] = static_cast<std::uint32_t>(end - first);
    };
  };
  compared_call<arrays<T>>("equal_range/" + perf::type_name<T>(), n, sizeof(T) + 8,
                           [=](arrays<T>& a) {
                             auto const one = search(a);
                             for (index_t i = 0; i < a.in.size(); ++i)
                               one(i);
                           })
      .by_sam([](auto& context, auto& a) {
        sam::equal_range(context, a.a, a.in, a.found, a.values_out);
      })
      .by_loop()
      .by_loops(search);
}

/// Searches for the items of `in`, which are in no order, or of `b`, which are sorted, in `a`.
template <class T>
void compare_searches(char const* call, index_t n, pages<T> arrays<T>::*values, bool upper) {
  auto const search = [=](arrays<T>& a) {
    return [=, first = a.a.data(), last = a.a.data() + a.a.size(), x = (a.*values).data(),
            to = a.found.data()](index_t i) {
      T const* const at =
          upper ? std::upper_bound(first, last, x[i]) : std::lower_bound(first, last, x[i]);
      to[i] = static_cast<std::uint32_t>(at - first);
    };
  };
  auto const size = [=](arrays<T>& a) { return (a.*values).size(); };
  compared_call<arrays<T>>(std::string(call) + "/" + perf::type_name<T>(), n, sizeof(T) + 4,
                           [=](arrays<T>& a) {
                             auto const one = search(a);
                             for (index_t i = 0; i < size(a); ++i)
                               one(i);
                           })
      .by_sam([=](auto& context, auto& a) {
        auto const what = (a.*values).first((a.*values).size());
        auto const to = a.found.first((a.*values).size());
        if (upper)
          sam::upper_bound(context, a.a, what, to);
        else
          sam::lower_bound(context, a.a, what, to);
      })
      .by_loop()
      .by_loops(search, size);
}

[[maybe_unused]] bool const registered = [] {
  for (index_t const n : perf::sizes({1 << 25, 1 << 20, 1 << 14})) {
    compare_sorts<std::uint32_t>(n);
    compare_sorts<double>(n);
    compare_sorts_of_rows<std::uint32_t>(n);
    compare_sets<std::uint32_t>(n);
    compare_sets<double>(n);
    compare_sets_by_key<std::uint32_t>(n);
    compare_equal_ranges<std::uint32_t>(n);
    compare_searches("lower_bound", n, &arrays<std::uint32_t>::in, false);
    compare_searches("lower_bound of sorted values", n, &arrays<std::uint32_t>::b, false);
    compare_searches("upper_bound", n, &arrays<double>::in, true);
  }
  return true;
}();

}  // namespace
