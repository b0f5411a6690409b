// SPDX-License-Identifier: MIT
// Compares sam on the default execution space of Kokkos, by its native engine and by the fallback,
// with Kokkos's own algorithms and a copy, in one process. It prints JSON.
//
// bench_kokkos [most] [repetitions]: sizes go up to 2^most items; 28 and 15 by default on devices.
#include <sam/kokkos/backend.hpp>
#include <sam/sam.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

using space = Kokkos::DefaultExecutionSpace;
using native = sam::kokkos::basic_context<space>;
using fallback = sam::kokkos::basic_context<space, sam::kokkos::engine_kind::fallback>;
template <class T>
using view = Kokkos::View<T*, space>;
constexpr bool on_device = !sam::kokkos::is_host_space<space>;

struct fill_random {
  view<std::uint32_t> items;
  std::uint64_t seed;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::uint64_t x = (static_cast<std::uint64_t>(i) + seed) * 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    items(i) = static_cast<std::uint32_t>(x >> 32);
  }
};
template <class T>
struct add_up {
  view<T> in, out;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum, bool is_final) const {
    sum += in(i);
    if (is_final)
      out(i) = sum;
  }
};
template <class T>
struct add_items {
  view<T> in;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum) const { sum += in(i); }
};
struct is_odd {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& x) const {
    return x % 2 != 0;
  }
};

/// Measures calls and prints a JSON object for each.
class bench {
 public:
  explicit bench(int repetitions) : repetitions_(repetitions) {}

  /// Selects whether calls of sam and the copy are measured, or calls of Kokkos. Those come last,
  /// since after an error on a device nothing else can run in the process.
  void measure_peers(bool peers) { peers_ = peers; }

  /// Measures a call on new inputs that `prepare` makes each time, and prints the median, or the
  /// text of an exception.
  template <class Prepare, class Call>
  void measure(char const* what, char const* type, std::string_view who, std::int64_t n,
               Prepare const& prepare, Call const& call) {
    bool const is_peer = who != "deep_copy" && who != "cuda" && !who.starts_with("native") &&
                         !who.starts_with("fallback");
    if (is_peer != peers_)
      return;
    std::printf("%s\n    {\"call\": \"%s\", \"type\": \"%s\", \"who\": \"%s\", \"n\": %lld, ",
                first_ ? "" : ",", what, type, who.data(), static_cast<long long>(n));
    first_ = false;
    try {
      std::vector<double> const seconds = times_of(prepare, call);
      std::printf("\"seconds\": %.4g, \"least\": %.4g}", seconds[seconds.size() / 2], seconds[0]);
    } catch (std::exception const& error) {
      std::string text = error.what();
      std::replace_if(
          text.begin(), text.end(), [](char c) { return c == '"' || c == '\\' || c < ' '; }, ' ');
      std::printf("\"error\": \"%s\"}", text.c_str());
    }
    std::fflush(stdout);
  }

 private:
  /// Returns the times of a call, in order.
  template <class Prepare, class Call>
  std::vector<double> times_of(Prepare const& prepare, Call const& call) const {
    std::vector<double> seconds;
    for (int r = 0; r < repetitions_ + 2; ++r) {  // two warm up
      prepare(static_cast<std::uint64_t>(r));
      Kokkos::fence();
      auto const begin = std::chrono::steady_clock::now();
      call();
      Kokkos::fence();
      std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
      if (r >= 2)
        seconds.push_back(taken.count());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds;
  }

  int repetitions_;
  bool first_ = true;
  bool peers_ = false;
};

/// Arrays of n items, and how to fill the first.
template <class T>
struct arrays {
  std::int64_t n;
  view<std::uint32_t> words{Kokkos::view_alloc("words", Kokkos::WithoutInitializing),
                            static_cast<std::size_t>(n) * sizeof(T) / 4};
  view<T> in{reinterpret_cast<T*>(words.data()), static_cast<std::size_t>(n)};
  view<T> out{Kokkos::view_alloc("out", Kokkos::WithoutInitializing), static_cast<std::size_t>(n)};

  void fill(std::uint64_t seed) const {
    Kokkos::parallel_for("fill",
                         Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(
                             0, static_cast<std::int64_t>(words.size())),
                         fill_random{words, seed << 40});
  }
};

/// Measures a call by the context of the native engine's own back end, if that is another one.
template <class Prepare, class Call, class Native = native>
void by_engine([[maybe_unused]] bench& to, [[maybe_unused]] char const* what,
               [[maybe_unused]] char const* type, [[maybe_unused]] std::int64_t n,
               [[maybe_unused]] Prepare const& prepare, [[maybe_unused]] Call const& call) {
  if constexpr (requires(Native context) { context.engine_context(); }) {
    Native context;
    to.measure(what, type, "cuda", n, prepare, [&] { call(context.engine_context()); });
  }
}

template <class T>
void scans(bench& to, char const* type, std::int64_t n) {
  arrays<T> const a{n};
  native by_native;
  fallback by_fallback;
  auto const prepare = [&](std::uint64_t seed) { a.fill(seed); };
  auto const range = Kokkos::RangePolicy<space, Kokkos::IndexType<std::int64_t>>(0, n);
  to.measure("copy", type, "deep_copy", n, prepare,
             [&] { Kokkos::deep_copy(space(), a.out, a.in); });
  to.measure("inclusive_scan", type, "native", n, prepare,
             [&] { sam::inclusive_scan(by_native, a.in, a.out); });
  to.measure("inclusive_scan", type, "fallback", n, prepare,
             [&] { sam::inclusive_scan(by_fallback, a.in, a.out); });
  by_engine(to, "inclusive_scan", type, n, prepare,
            [&](auto& context) { sam::inclusive_scan(context, a.in, a.out); });
  to.measure("inclusive_scan", type, "parallel_scan", n, prepare, [&] {
    Kokkos::parallel_scan("scan", range, add_up<T>{a.in, a.out});
  });
  to.measure("inclusive_scan", type, "std algorithm", n, prepare,
             [&] { Kokkos::Experimental::inclusive_scan("scan", space(), a.in, a.out); });

  Kokkos::View<T, space> const sum("sum");
  to.measure("reduce", type, "native", n, prepare, [&] { sam::reduce(by_native, a.in, sum); });
  to.measure("reduce", type, "fallback", n, prepare, [&] { sam::reduce(by_fallback, a.in, sum); });
  to.measure("reduce", type, "parallel_reduce", n, prepare,
             [&] { Kokkos::parallel_reduce("reduce", range, add_items<T>{a.in}, sum); });
}

void more_scans(bench& to, std::int64_t n) {
  using T = std::int32_t;
  arrays<T> const a{n};
  native by_native;
  fallback by_fallback;
  auto const prepare = [&](std::uint64_t seed) { a.fill(seed); };
  auto const both = [&](char const* what, auto const& call) {
    to.measure(what, "int32", "native", n, prepare, [&] { call(by_native); });
    to.measure(what, "int32", "fallback", n, prepare, [&] { call(by_fallback); });
  };
  both("inclusive_scan, maximum",
       [&](auto& context) { sam::inclusive_scan(context, a.in, a.out, sam::maximum{}); });
  both("inclusive_scan, order 2", [&](auto& context) {
    sam::inclusive_scan(context, a.in, a.out, sam::scan_policy<sam::plus, 2>{});
  });
  both("inclusive_scan, 3-tuples", [&](auto& context) {
    sam::inclusive_scan(context, a.in, a.out, sam::scan_policy<sam::plus, 1, 3>{});
  });
  both("segmented_inclusive_scan, segments of 1000", [&](auto& context) {
    sam::segmented_inclusive_scan(context, a.in, sam::by_length(1000), a.out);
  });
  both("delta_encode", [&](auto& context) { sam::delta_encode(context, a.in, a.out); });
  view<std::uint32_t> const counts("counts", 256);
  both("histogram, 256 bins", [&](auto& context) {
    sam::histogram(context, a.words, counts, sam::even_bins(0U, 4294967040U));
  });
}

void compactions(bench& to, std::int64_t n) {
  namespace KE = Kokkos::Experimental;
  using T = std::int32_t;
  arrays<T> const a{n};
  native by_native;
  fallback by_fallback;
  Kokkos::View<std::int64_t, space> const count("count");
  auto const prepare = [&](std::uint64_t seed) { a.fill(seed); };
  to.measure("compact a half", "int32", "native", n, prepare,
             [&] { sam::compact(by_native, a.in, a.out, is_odd{}, count); });
  to.measure("compact a half", "int32", "fallback", n, prepare,
             [&] { sam::compact(by_fallback, a.in, a.out, is_odd{}, count); });
  to.measure("compact a half", "int32", "copy_if", n, prepare,
             [&] { KE::copy_if("copy_if", space(), a.in, a.out, is_odd{}); });
}

template <class T>
void sorts(bench& to, char const* type, std::int64_t n) {
  arrays<T> const a{n};
  native by_native;
  fallback by_fallback;
  auto const prepare = [&](std::uint64_t seed) { a.fill(seed); };
  to.measure("sort", type, "native", n, prepare, [&] { sam::radix_sort(by_native, a.in, a.out); });
  to.measure("sort", type, "fallback", n, prepare,
             [&] { sam::radix_sort(by_fallback, a.in, a.out); });
  by_engine(to, "sort", type, n, prepare,
            [&](auto& context) { sam::radix_sort(context, a.in, a.out); });
  to.measure("sort", type, "native, in place", n, prepare,
             [&] { sam::radix_sort(by_native, a.in, a.in); });
  to.measure("sort", type, "fallback, in place", n, prepare,
             [&] { sam::radix_sort(by_fallback, a.in, a.in); });
  to.measure("sort", type, "Kokkos::sort, in place", n, prepare,
             [&] { Kokkos::sort(space(), a.in); });
  if (n <= std::int64_t{1} << 24) {  // as Kokkos::sort does where it has no other library's sort
    using op = Kokkos::BinOp1D<view<T>>;
    to.measure("sort", type, "BinSort, in place", n, prepare, [&] {
      Kokkos::BinSort<view<T>, op> sorter(
          space(), a.in, op(static_cast<int>(n / 2), T(0), static_cast<T>(~T(0))), true);
      sorter.create_permute_vector(space());
      sorter.sort(space(), a.in);
    });
  }
}

void sorts_of_pairs(bench& to, std::int64_t n) {
  using T = std::uint32_t;
  arrays<T> const a{n};
  view<T> const values("values", static_cast<std::size_t>(n)), moved("moved", values.size());
  native by_native;
  fallback by_fallback;
  auto const prepare = [&](std::uint64_t seed) { a.fill(seed); };
  auto const both = [&](char const* what, auto const& call) {
    to.measure(what, "uint32", "native", n, prepare, [&] { call(by_native); });
    to.measure(what, "uint32", "fallback", n, prepare, [&] { call(by_fallback); });
  };
  both("sort pairs",
       [&](auto& context) { sam::radix_sort_pairs(context, a.in, values, a.out, moved); });
  to.measure("sort pairs", "uint32", "sort_by_key, in place", n, prepare,
             [&] { Kokkos::Experimental::sort_by_key(space(), a.in, values); });
  both("argsort", [&](auto& context) { sam::radix_argsort(context, a.in, moved); });
}

void run(int most, int repetitions) {
  bench to(repetitions);
  std::printf("{\n  \"space\": \"%s\",\n  \"engine\": \"%s\",\n  \"kokkos\": %d,\n"
              "  \"repetitions\": %d,\n  \"results\": [",
              space::name(), native::engine == sam::kokkos::engine_kind::host ? "host" : "cuda",
              KOKKOS_VERSION, repetitions);
  auto const measure_all = [&](std::int64_t n) {
    scans<std::int32_t>(to, "int32", n);
    scans<std::int64_t>(to, "int64", n / 2);
    more_scans(to, n);
    compactions(to, n);
    sorts<std::uint32_t>(to, "uint32", n);
    sorts<std::uint64_t>(to, "uint64", n / 2);
    sorts_of_pairs(to, n / 2);
  };
  for (bool const peers : {false, true}) {
    to.measure_peers(peers);
    for (int log = 16; log <= most; log += 4)
      measure_all(std::int64_t{1} << log);
  }
  std::printf("\n  ]\n}\n");
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  int const most = argc > 1 ? std::atoi(argv[1]) : on_device ? 28 : 20;
  int const repetitions = argc > 2 ? std::atoi(argv[2]) : on_device ? 15 : 5;
  run(most, repetitions);  // all Views end before Kokkos does
  Kokkos::finalize();
}
