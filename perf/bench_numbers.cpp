// SPDX-License-Identifier: MIT
// Benchmarks primitives that compute numbers (reductions, scans, histograms, differences) and those
// on runs of items. Peers, if they have the primitive, are std::execution::par_unseq and ParlayLib.
// All are compared with copies of as many bytes and with a plain loop, in one process and on the
// same items.
#include <sam/delta.hpp>
#include <sam/find_runs.hpp>
#include <sam/histogram.hpp>
#include <sam/inner_product.hpp>
#include <sam/reduce.hpp>
#include <sam/run_length.hpp>
#include <sam/segmented_inner_product.hpp>
#include <sam/segmented_reduce.hpp>
#include <sam/summed_area_table.hpp>
#include <sam/unique.hpp>
#include <sam/weighted_histogram.hpp>

#include "support.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#if __has_include(<oneapi/tbb/parallel_scan.h>)
#define SAM_PEER_TBB 1
#include <execution>
#endif
#if __has_include(<parlay/primitives.h>)
#define SAM_PEER_PARLAY 1
#include <parlay/primitives.h>
#endif

namespace {

using perf::add, perf::index_t, perf::pages;

/// The arrays of all cases with n items of T. They are kept because cases run in random order.
template <class T>
struct arrays {
  explicit arrays(index_t n)
      : in(n), factors(n), out(n), wanted(n), keys(n), lengths(n), lengths_wanted(n) {
    perf::fill_random(in);
    perf::fill_random(factors);
    std::mt19937_64 bits(std::random_device{}());
    T key{};
    for (index_t i = 0; i < n; ++i)
      keys.data()[i] = key = static_cast<T>(key + (bits() % 10 == 0 ? 1 : 0));
  }
  /// Clears the results that only some cases write.
  void forget() {
    counts.clear();
    counts_wanted.clear();
    runs = runs_wanted = 0;
  }
  pages<T> in, factors, out, wanted;
  pages<T> keys;  // runs of ten equal keys on average
  pages<std::int32_t> lengths, lengths_wanted;
  std::vector<std::uint32_t> counts, counts_wanted;
  index_t runs = 0, runs_wanted = 0;
};

template <class T>
bool is_as_wanted(arrays<T> const& a, index_t items) {
  return a.runs == a.runs_wanted && a.counts == a.counts_wanted &&
         std::equal(a.out.data(), a.out.data() + items, a.wanted.data(), perf::near<T>) &&
         std::equal(a.lengths.data(), a.lengths.data() + a.runs, a.lengths_wanted.data());
}

/// Adds one case: sam, a plain loop that computes the expected results, and copies of `bytes` per
/// item. sam(context, arrays) returns the number of items of `out` that it wrote.
template <class T, class Sam, class Loop>
std::string compare(std::string const& what, index_t n, double bytes, Sam sam, Loop loop) {
  std::string const name = what + "/" + perf::type_name<T>() + "/n:" + std::to_string(n);
  add(name, "sam", [=](benchmark::State& state) {
    auto& a = perf::kept<arrays<T>>(n);
    sam::default_context context;
    perf::time_calls(state, n, sizeof(T), [&] {
      sam(context, a);
      context.wait();
    });
    // Checked once per case, because it takes longer than the timing.
    static std::set<std::string> checked;
    if (!checked.insert(name).second)
      return;
    a.forget();
    index_t const made = sam(context, a);
    context.wait();
    loop(a);
    if (!is_as_wanted(a, made))
      perf::report_wrong_result(state, name);
  });
  auto const copied = [=](auto copy) {
    return [=](benchmark::State& state) {
      auto& a = perf::kept<arrays<T>>(n);
      auto const half = static_cast<std::size_t>(static_cast<double>(n) * bytes / 2);
      std::size_t const most = static_cast<std::size_t>(n) * sizeof(T);
      perf::time_calls(state, n, sizeof(T), [&] {
        for (std::size_t done = 0; done < half; done += std::min(half - done, most))
          copy(a.out.data(), a.in.data(), std::min(half - done, most));
      });
    };
  };
  add(name, "roof", copied(perf::roof_copy));
  add(name, "memcpy", copied(perf::memory_copy));
  add(name, "serial", [=](benchmark::State& state) {
    auto& a = perf::kept<arrays<T>>(n);
    perf::time_calls(state, n, sizeof(T), [&] {
      loop(a);
      benchmark::ClobberMemory();
    });
  });
  return name;
}

/// Adds a peer's call to the same case.
template <class T, class Call>
void compare_with(std::string const& name, index_t n, char const* who, Call call) {
  add(name, who, [=](benchmark::State& state) {
    auto& a = perf::kept<arrays<T>>(n);
    perf::time_calls(state, n, sizeof(T), [&] {
      call(a);
      benchmark::ClobberMemory();
    });
  });
}

template <class T>
void compare_reductions(index_t n) {
  auto const name = compare<T>(
      "reduce", n, sizeof(T),
      [=](auto& context, auto& a) {
        sam::reduce(context, a.in, std::span(a.out.data(), 1));
        return index_t{1};
      },
      [=](auto& a) {
        T sum{};
        for (index_t i = 0; i < n; ++i)
          sum = sam::plus{}(sum, a.in.data()[i]);
        a.wanted.data()[0] = sum;
      });
#ifdef SAM_PEER_TBB
  compare_with<T>(name, n, "std_par", [=](auto& a) {
    a.wanted.data()[0] =
        std::reduce(std::execution::par_unseq, a.in.data(), a.in.data() + n, T{}, sam::plus{});
  });
#endif
}

struct square {
  template <class T>
  T operator()(T x) const {
    return sam::number_ring<T>::multiply(x, x);
  }
};

template <class T>
void compare_transformed_reductions(index_t n) {
  auto const name = compare<T>(
      "transform_reduce/square", n, sizeof(T),
      [=](auto& context, auto& a) {
        sam::transform_reduce(context, a.in, std::span(a.out.data(), 1), square{});
        return index_t{1};
      },
      [=](auto& a) {
        // Sums in double: squares are not negative, so that a float sum would soon absorb them.
        std::conditional_t<std::is_floating_point_v<T>, double, T> sum{};
        for (index_t i = 0; i < n; ++i)
          sum = sam::plus{}(sum, decltype(sum)(square{}(a.in.data()[i])));
        a.wanted.data()[0] = static_cast<T>(sum);
      });
#ifdef SAM_PEER_TBB
  compare_with<T>(name, n, "std_par", [=](auto& a) {
    a.wanted.data()[0] = std::transform_reduce(std::execution::par_unseq, a.in.data(),
                                               a.in.data() + n, T{}, sam::plus{}, square{});
  });
#endif
}

template <class T, class Limit>
void compare_histograms(index_t n, int bins, Limit lower, Limit upper, bool is_cumulative = false) {
  auto const bin_of = [=](T x) {
    return static_cast<std::size_t>((x - lower) * static_cast<Limit>(bins) / (upper - lower));
  };
  auto const buffer = static_cast<std::size_t>(bins + (is_cumulative ? 1 : 0));
  auto const sum_up = [=](std::vector<std::uint32_t>& counts) {
    if (is_cumulative)
      std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), std::uint32_t{0});
  };
  [[maybe_unused]] auto const name = compare<T>(
      (is_cumulative ? "cumulative_histogram/bins:" : "histogram/bins:") + std::to_string(bins), n,
      sizeof(T),
      [=](auto& context, auto& a) {
        a.counts.resize(buffer);
        if (is_cumulative)
          sam::cumulative_histogram(context, a.in, a.counts, sam::even_bins(lower, upper));
        else
          sam::histogram(context, a.in, a.counts, sam::even_bins(lower, upper));
        return index_t{0};
      },
      [=](auto& a) {
        a.counts_wanted.assign(buffer, 0);
        for (index_t i = 0; i < n; ++i)
          ++a.counts_wanted[bin_of(a.in.data()[i])];
        sum_up(a.counts_wanted);
      });
#ifdef SAM_PEER_PARLAY
  compare_with<T>(name, n, "parlay", [=](auto& a) {
    auto const bin = [=, in = a.in.data()](std::size_t i) { return bin_of(in[i]); };
    auto const items = static_cast<std::size_t>(n);
    auto const counts = parlay::histogram_by_index(parlay::delayed_tabulate(items, bin),
                                                   static_cast<std::uint32_t>(bins));
    a.counts_wanted.assign(counts.begin(), counts.end());
    a.counts_wanted.resize(buffer);
    sum_up(a.counts_wanted);
  });
#endif
}

template <class T>
void compare_inner_products(index_t n) {
  auto const name = compare<T>(
      "inner_product", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        sam::inner_product(context, a.in, a.factors, std::span(a.out.data(), 1));
        return index_t{1};
      },
      [=](auto& a) {
        T sum{};
        for (index_t i = 0; i < n; ++i)
          sum = sam::plus{}(sum, sam::multiplies{}(a.in.data()[i], a.factors.data()[i]));
        a.wanted.data()[0] = sum;
      });
#ifdef SAM_PEER_TBB
  compare_with<T>(name, n, "std_par", [=](auto& a) {
    a.wanted.data()[0] =
        std::transform_reduce(std::execution::par_unseq, a.in.data(), a.in.data() + n,
                              a.factors.data(), T{}, sam::plus{}, sam::multiplies{});
  });
#endif
#ifdef SAM_PEER_PARLAY
  compare_with<T>(name, n, "parlay", [=](auto& a) {
    auto const product = [in = a.in.data(), factors = a.factors.data()](std::size_t i) {
      return sam::multiplies{}(in[i], factors[i]);
    };
    a.wanted.data()[0] =
        parlay::reduce(parlay::delayed_tabulate(static_cast<std::size_t>(n), product),
                       parlay::binary_op(sam::plus{}, T{}));
  });
#endif
}

/// Counts three of four channels, as the colours of an image, and sums weights in 256 bins.
void compare_other_histograms(index_t n) {
  using T = std::uint8_t;
  constexpr index_t bins = 256, channels = 3;
  auto const even = sam::even_bins(0, 256);
  compare<T>(
      "histogram_of_channels/3_of:4", n / 4 * 4, sizeof(T),
      [=](auto& context, auto& a) {
        a.counts.resize(channels * bins);
        sam::histogram_of_channels<4, channels>(context, a.in, a.counts, even);
        return index_t{0};
      },
      [=](auto& a) {
        a.counts_wanted.assign(channels * bins, 0);
        for (index_t i = 0; i < n; i += 4)
          for (index_t c = 0; c < channels; ++c)
            ++a.counts_wanted[static_cast<std::size_t>(c * bins + a.in.data()[i + c])];
      });
  [[maybe_unused]] auto const name = compare<T>(
      "weighted_histogram/bins:256", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        a.counts.resize(bins);
        sam::weighted_histogram(context, a.in, a.factors, a.counts, even);
        return index_t{0};
      },
      [=](auto& a) {
        a.counts_wanted.assign(bins, 0);
        for (index_t i = 0; i < n; ++i)
          a.counts_wanted[a.in.data()[i]] += a.factors.data()[i];
      });
#ifdef SAM_PEER_PARLAY
  compare_with<T>(name, n, "parlay", [=](auto& a) {
    auto const pair = [in = a.in.data(), weights = a.factors.data()](std::size_t i) {
      return std::pair{std::uint32_t{in[i]}, std::uint32_t{weights[i]}};
    };
    auto const sums =
        parlay::reduce_by_index(parlay::delayed_tabulate(static_cast<std::size_t>(n), pair), bins);
    a.counts_wanted.assign(sums.begin(), sums.end());
  });
#endif
}

void compare_scans(index_t n) {
  using T = std::int32_t;
  auto const exclusive = compare<T>(
      "exclusive_scan", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        sam::exclusive_scan(context, a.in, a.out);
        return n;
      },
      [=](auto& a) {
        std::exclusive_scan(a.in.data(), a.in.data() + n, a.wanted.data(), T{}, sam::plus{});
      });
  auto const transformed = compare<T>(
      "transform_inclusive_scan/square", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        sam::transform_inclusive_scan(context, a.in, a.out, square{});
        return n;
      },
      [=](auto& a) {
        std::transform_inclusive_scan(a.in.data(), a.in.data() + n, a.wanted.data(), sam::plus{},
                                      square{});
      });
  auto const both = compare<T>(
      "transform_exclusive_scan/square", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        sam::transform_exclusive_scan(context, a.in, a.out, square{});
        return n;
      },
      [=](auto& a) {
        std::transform_exclusive_scan(a.in.data(), a.in.data() + n, a.wanted.data(), T{},
                                      sam::plus{}, square{});
      });
#ifdef SAM_PEER_TBB
  constexpr auto how = std::execution::par_unseq;
  compare_with<T>(exclusive, n, "std_par", [=](auto& a) {
    std::exclusive_scan(how, a.in.data(), a.in.data() + n, a.wanted.data(), T{}, sam::plus{});
  });
  compare_with<T>(transformed, n, "std_par", [=](auto& a) {
    std::transform_inclusive_scan(how, a.in.data(), a.in.data() + n, a.wanted.data(), sam::plus{},
                                  square{});
  });
  compare_with<T>(both, n, "std_par", [=](auto& a) {
    std::transform_exclusive_scan(how, a.in.data(), a.in.data() + n, a.wanted.data(), T{},
                                  sam::plus{}, square{});
  });
#endif
}

template <class T>
void compare_tables(index_t n, bool is_exclusive = false) {
  index_t const width = std::gcd(n, index_t{8192});
  compare<T>((is_exclusive ? "exclusive_summed_area_table/width:" : "summed_area_table/width:") +
                 std::to_string(width),
             n, 2 * sizeof(T),
             [=](auto& context, auto& a) {
               if (is_exclusive)
                 sam::exclusive_summed_area_table(context, a.in, width, a.out);
               else
                 sam::summed_area_table(context, a.in, width, a.out);
               return n;
             },
             [=](auto& a) {
               sam::plus const plus;
               std::vector<T> columns(
                   static_cast<std::size_t>(width));  // sums of all rows up to this
               for (index_t row = 0; row < n; row += width) {
                 T sum{};
                 for (index_t x = 0; x < width; ++x) {
                   T& column = columns[static_cast<std::size_t>(x)];
                   T const above = column, left = sum;
                   if (is_exclusive)
                     a.wanted.data()[row + x] = above;
                   sum = plus(left, a.in.data()[row + x]);
                   if (!is_exclusive)
                     a.wanted.data()[row + x] = plus(above, sum);
                   column = plus(above, is_exclusive ? left : sum);
                 }
               }
             });
}

void compare_differences(index_t n) {
  using T = std::uint32_t;
  auto const name = compare<T>(
      "delta_encode", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        sam::delta_encode(context, a.in, a.out);
        return n;
      },
      [=](auto& a) { std::adjacent_difference(a.in.data(), a.in.data() + n, a.wanted.data()); });
#ifdef SAM_PEER_TBB
  compare_with<T>(name, n, "std_par", [=](auto& a) {
    std::adjacent_difference(std::execution::par_unseq, a.in.data(), a.in.data() + n,
                             a.wanted.data());
  });
#endif
  auto const sums = compare<T>(
      "delta_decode", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        sam::delta_decode(context, a.in, a.out);
        return n;
      },
      [=](auto& a) { std::partial_sum(a.in.data(), a.in.data() + n, a.wanted.data()); });
#ifdef SAM_PEER_TBB
  compare_with<T>(sums, n, "std_par", [=](auto& a) {
    std::inclusive_scan(std::execution::par_unseq, a.in.data(), a.in.data() + n, a.wanted.data());
  });
#endif
}

void compare_runs(index_t n) {
  using T = std::int32_t;
  double const run = sizeof(T) + sizeof(std::int32_t);  // one value and one length per ten items
  compare<T>(
      "run_length_encode/runs_of:10", n, sizeof(T) + run / 10,
      [=](auto& context, auto& a) {
        return a.runs = sam::run_length_encode(context, a.keys, a.out, a.lengths);
      },
      [=](auto& a) {
        index_t runs = 0;
        for (index_t i = 0; i < n; ++i) {
          if (i == 0 || a.keys.data()[i - 1] != a.keys.data()[i]) {
            a.wanted.data()[runs] = a.keys.data()[i];
            a.lengths_wanted.data()[runs++] = 0;
          }
          ++a.lengths_wanted.data()[runs - 1];
        }
        a.runs_wanted = runs;
      });
  compare<T>(
      "find_runs/runs_of:10", n, sizeof(T) + run / 10,
      [=](auto& context, auto& a) {
        return a.runs = sam::find_runs(context, a.keys, a.out, a.lengths);
      },
      [=](auto& a) {
        index_t runs = 0;
        for (index_t i = 0, end = 0; i < n; i = end) {
          while (end < n && a.keys.data()[end] == a.keys.data()[i])
            ++end;
          if (end - i > 1) {
            a.wanted.data()[runs] = static_cast<T>(i);
            a.lengths_wanted.data()[runs++] = static_cast<T>(end - i);
          }
        }
        a.runs_wanted = runs;
      });
  compare<T>(
      "unique_by_key/runs_of:10", n, 2 * sizeof(T) + run / 10,
      [=](auto& context, auto& a) {
        return a.runs = sam::unique_by_key(context, a.keys, a.in, a.out, a.lengths);
      },
      [=](auto& a) {
        index_t runs = 0;
        for (index_t i = 0; i < n; ++i)
          if (i == 0 || a.keys.data()[i - 1] != a.keys.data()[i]) {
            a.wanted.data()[runs] = a.keys.data()[i];
            a.lengths_wanted.data()[runs++] = a.in.data()[i];
          }
        a.runs_wanted = runs;
      });
}

void compare_reductions_by_key(index_t n) {
  using T = std::int32_t;
  compare<T>(
      "reduce_by_key/runs_of:10", n, 2 * sizeof(T) + 2 * sizeof(T) / 10.0,
      [=](auto& context, auto& a) {
        std::span const count(&a.runs, 1);
        sam::reduce_by_key(context, a.keys, a.in, a.out, a.lengths, count);
        context.wait();
        return a.runs;
      },
      [=](auto& a) {
        index_t runs = 0;
        for (index_t i = 0; i < n; ++i) {
          T const x = a.in.data()[i];
          if (i == 0 || a.keys.data()[i - 1] != a.keys.data()[i]) {
            a.wanted.data()[runs] = a.keys.data()[i];
            a.lengths_wanted.data()[runs++] = x;
          } else {
            T& total = a.lengths_wanted.data()[runs - 1];
            total = sam::plus{}(total, x);
          }
        }
        a.runs_wanted = runs;
      });
}

/// Adds products by key, and of rows of 1000 items, whose peers have a parallel loop over the rows.
void compare_products(index_t n) {
  using T = std::int32_t;
  compare<T>(
      "inner_product_by_key/runs_of:10", n, 3 * sizeof(T) + 2 * sizeof(T) / 10.0,
      [=](auto& context, auto& a) {
        return a.runs =
                   sam::inner_product_by_key(context, a.keys, a.in, a.factors, a.out, a.lengths);
      },
      [=](auto& a) {
        index_t runs = 0;
        for (index_t i = 0; i < n; ++i) {
          T const x = sam::multiplies{}(a.in.data()[i], a.factors.data()[i]);
          if (i == 0 || a.keys.data()[i - 1] != a.keys.data()[i]) {
            a.wanted.data()[runs] = a.keys.data()[i];
            a.lengths_wanted.data()[runs++] = x;
          } else {
            T& total = a.lengths_wanted.data()[runs - 1];
            total = sam::plus{}(total, x);
          }
        }
        a.runs_wanted = runs;
      });
  constexpr index_t length = 1000;
  index_t const rows = (n + length - 1) / length;
  auto const product_of = [=](auto& a, index_t row) {
    T sum{};
    for (index_t i = row * length; i < std::min(n, (row + 1) * length); ++i)
      sum = sam::plus{}(sum, sam::multiplies{}(a.in.data()[i], a.factors.data()[i]));
    a.wanted.data()[row] = sum;
  };
  auto const name = compare<T>(
      "segmented_inner_product/of:1000", n, 2 * sizeof(T),
      [=](auto& context, auto& a) {
        return sam::segmented_inner_product(context, a.in, a.factors, sam::by_length(length),
                                            a.out);
      },
      [=](auto& a) {
        for (index_t row = 0; row < rows; ++row)
          product_of(a, row);
      });
  compare_with<T>(name, n, "threads", [=](auto& a) {
    perf::in_parallel([&](int t) {
      for (index_t row = rows * t / perf::threads(); row < rows * (t + 1) / perf::threads(); ++row)
        product_of(a, row);
    });
  });
}

/// Adds decoding of runs with nearly ten items on average and random values.
void compare_decoding(index_t n) {
  using T = std::int32_t;
  index_t const runs = n / 10;
  double const run = sizeof(T) + sizeof(std::int32_t);
  std::vector<std::int32_t> of_runs(static_cast<std::size_t>(runs));
  std::mt19937 bits(std::random_device{}());
  index_t left = n;  // so that the runs fit into the output
  for (std::int32_t& length : of_runs) {
    length = static_cast<std::int32_t>(std::min(static_cast<index_t>(bits() % 20), left));
    left -= length;
  }
  compare<T>(
      "run_length_decode/runs_of:10", n, sizeof(T) + run / 10,
      [=](auto& context, auto& a) {
        std::span const values(a.in.data(), of_runs.size());
        return sam::run_length_decode(context, values, of_runs, a.out);
      },
      [=](auto& a) {
        T* to = a.wanted.data();
        for (index_t r = 0; r < runs; ++r)
          to = std::fill_n(to, of_runs[static_cast<std::size_t>(r)], a.in.data()[r]);
      });
}

[[maybe_unused]] bool const registered = [] {
  constexpr std::int64_t half = std::int64_t{1} << 31;
  for (index_t const n : perf::sizes({1 << 26})) {
    compare_reductions<std::int32_t>(n);
    compare_reductions<float>(n);
    compare_transformed_reductions<std::int32_t>(n);
    compare_transformed_reductions<float>(n);
    compare_histograms<std::uint8_t>(n, 256, 0, 256);
    compare_histograms<std::int32_t>(n, 256, -half, half);
    compare_histograms<std::int32_t>(n, 100'000, -half, half);
    compare_histograms<float>(n, 256, -0.5f, 0.5f);
    compare_histograms<std::uint8_t>(n, 256, 0, 256, true);
    compare_histograms<std::int32_t>(n, 256, -half, half, true);
    compare_histograms<std::int32_t>(n, 100'000, -half, half, true);
    compare_other_histograms(n);
    compare_inner_products<std::int32_t>(n);
    compare_scans(n);
    compare_tables<std::int32_t>(n);
    compare_tables<float>(n);
    compare_tables<std::int32_t>(n, true);
    compare_tables<float>(n, true);
    compare_differences(n);
    compare_runs(n);
    compare_reductions_by_key(n);
    compare_products(n);
    compare_decoding(n);
  }
  return true;
}();

}  // namespace
