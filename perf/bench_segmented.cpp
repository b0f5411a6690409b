// SPDX-License-Identifier: MIT
// Benchmarks segmented scans and reductions against copies of as many bytes as they read and write,
// and against a plain loop, which also computes the expected results.
#include <sam/segmented_reduce.hpp>
#include <sam/segmented_scan.hpp>

#include "support.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace {

using perf::add;
using perf::index_t;
using perf::pages;

/// Items, and segments of `length` items on average in every form of description.
template <class T>
struct arrays {
  static arrays& of(index_t n, index_t length) { return perf::kept<arrays>(n, length); }
  arrays(index_t n, index_t length)
      : in(n), out(n), wanted(n), flags(n), words((n + 31) / 32), keys(n), count(1) {
    perf::fill_random(in);
    std::mt19937_64 bits(std::random_device{}());
    offsets.push_back(0);
    std::int32_t key = 0;
    for (index_t i = 0; i < n; ++i) {
      bool const head = bits() % static_cast<std::uint64_t>(length) == 0;
      flags.data()[i] = head;
      keys.data()[i] = key += head;
      std::uint32_t& word = words.data()[i / 32];
      word = (i % 32 == 0 ? 0 : word) | std::uint32_t{head} << i % 32;
      if (head && i > 0)
        offsets.push_back(static_cast<std::uint32_t>(i));
    }
    offsets.push_back(static_cast<std::uint32_t>(n));
  }
  pages<T> in, out, wanted;
  pages<std::uint8_t> flags;
  pages<std::uint32_t> words;
  pages<std::int32_t> keys;
  pages<index_t> count;
  std::vector<std::uint32_t> offsets;
};

enum class makes { inclusive, exclusive, backward, totals };

/// Computes the expected results of call(context, arrays). A segment begins, or in a backward scan
/// ends, at each i where head(i) is true; `head` is called with ascending or, backward, descending
/// i. Returns the number of results.
template <makes Made, class Op, class T, class Head>
index_t plain_loop(arrays<T>& a, Head head) {
  Op const op{};
  T const* const in = a.in.data();
  T* const out = a.wanted.data();
  index_t const n = a.in.size();
  T sum{};
  if constexpr (Made == makes::backward) {
    for (index_t i = n; i-- > 0;)
      out[i] = sum = head(i) || i == n - 1 ? in[i] : op(in[i], sum);
    return n;
  }
  index_t segments = 0;
  for (index_t i = 0; i < n; ++i) {
    bool const first = head(i) || i == 0;
    if constexpr (Made == makes::exclusive)
      out[i] = first ? T{} : sum;
    sum = first ? in[i] : op(sum, in[i]);
    if constexpr (Made == makes::inclusive)
      out[i] = sum;
    if constexpr (Made == makes::totals)
      out[(segments += first) - 1] = sum;
  }
  return Made == makes::totals ? segments : n;
}

enum class lengths_are { random, equal };

/// Adds one case: sam, and copies of `bytes` per item. The timed call is call(context, arrays).
template <class T, makes Made = makes::inclusive, class Op = sam::plus, class Call>
void compare(std::string const& what, index_t n, index_t length, double bytes, Call call,
             lengths_are lengths = lengths_are::random) {
  std::string const name = what + "/" + perf::type_name<T>() +
                           "/segments_of:" + std::to_string(length) + "/n:" + std::to_string(n);
  auto const time = [=](benchmark::State& state, auto const& work) {
    auto& a = arrays<T>::of(n, length);
    perf::time_calls(state, n, sizeof(T), [&] { work(a); });
  };
  auto const loop = [=](arrays<T>& a) {
    if (lengths == lengths_are::random)
      return plain_loop<Made, Op>(a, [flags = a.flags.data()](index_t i) { return flags[i] != 0; });
    return plain_loop<Made, Op>(a, [=, left = index_t{0}](index_t) mutable {
      left = left == 0 ? length - 1 : left - 1;
      return left == length - 1;
    });
  };
  add(name, "sam", [=](benchmark::State& state) {
    sam::default_context context;
    auto& a = arrays<T>::of(n, length);
    index_t const uncounted = -1;
    a.count.data()[0] = uncounted;
    time(state, [&](arrays<T>&) {
      call(context, a);
      context.wait();
    });
    // Checked once per case, because it takes longer than the timing.
    static std::set<std::string> checked;
    if (!checked.insert(name).second)
      return;
    std::memset(static_cast<void*>(a.out.data()), 0xcd, static_cast<std::size_t>(n) * sizeof(T));
    call(context, a);
    context.wait();
    index_t const made = loop(a), counted = a.count.data()[0];
    if ((counted != uncounted && counted != made) ||
        !std::equal(a.out.data(), a.out.data() + made, a.wanted.data(), perf::near<T>))
      perf::report_wrong_result(state, name);
  });
  auto const copied = [=](auto copy) {
    return [=](benchmark::State& state) {
      double const once = 2 * sizeof(T);  // a copy of n items moves these bytes per item
      time(state, [&](arrays<T>& a) {
        auto left = static_cast<std::size_t>(static_cast<double>(n) * sizeof(T) * bytes / once);
        std::size_t const all = static_cast<std::size_t>(n) * sizeof(T);
        for (; left > all; left -= all)
          copy(a.out.data(), a.in.data(), all);
        copy(a.out.data(), a.in.data(), left);
      });
    };
  };
  add(name, "roof", copied(perf::roof_copy));
  add(name, "memcpy", copied(perf::memory_copy));
  add(name, "serial", [=](benchmark::State& state) {
    time(state, [&](arrays<T>& a) {
      loop(a);
      benchmark::ClobberMemory();
    });
  });
}

/// An associative operator that the library does not know.
struct last_not_zero {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const { return b != 0 ? b : a; }
};

[[maybe_unused]] bool const registered = [] {
  constexpr double moved = 2 * sizeof(std::int32_t);
  using T = std::int32_t;
  for (index_t const n : perf::sizes({1 << 26})) {
    for (index_t const length : {1000, 10, 100'000'000}) {
      compare<T>("by_heads", n, length, moved + 1, [](auto& context, auto& a) {
        sam::segmented_inclusive_scan(context, a.in, sam::by_heads(a.flags), a.out);
      });
      compare<T>("by_packed_bits", n, length, moved + 0.125, [](auto& context, auto& a) {
        sam::segmented_inclusive_scan(context, a.in, sam::by_heads(sam::packed_bits(a.words)),
                                      a.out);
      });
      compare<T>("by_offsets", n, length, moved + 0.25, [](auto& context, auto& a) {
        sam::segmented_inclusive_scan(context, a.in, sam::by_offsets(a.offsets), a.out);
      });
      compare<T>("by_keys", n, length, moved + 4, [](auto& context, auto& a) {
        sam::segmented_inclusive_scan(context, a.in, sam::by_keys(a.keys), a.out);
      });
      compare<T, makes::totals>("reduce_by_heads", n, length, 5, [](auto& context, auto& a) {
        sam::segmented_reduce(context, a.in, sam::by_heads(a.flags), a.out, a.count);
      });
      double const ends =
          8.0 / static_cast<double>(length);  // one offset and one total per segment
      compare<T, makes::totals>(
          "reduce_by_offsets", n, length, 4 + ends, [](auto& context, auto& a) {
            std::span const totals(a.out.data(), a.offsets.size() - 1);
            sam::segmented_reduce(context, a.in, sam::by_offsets(a.offsets), totals);
          });
      compare<T>(
          "by_length", n, length, moved,
          [=](auto& context, auto& a) {
            sam::segmented_inclusive_scan(context, a.in, sam::by_length(length), a.out);
          },
          lengths_are::equal);
      compare<T, makes::totals>(
          "reduce_by_length", n, length, 4 + ends / 2,
          [=](auto& context, auto& a) {
            sam::segmented_reduce(context, a.in, sam::by_length(length), a.out, a.count);
          },
          lengths_are::equal);
    }
    compare<T, makes::exclusive>(
        "by_heads/exclusive", n, 1000, moved + 1, [](auto& context, auto& a) {
          sam::segmented_exclusive_scan(context, a.in, sam::by_heads(a.flags), a.out);
        });
    compare<T, makes::backward>(
        "by_heads/backward", n, 1000, moved + 1, [](auto& context, auto& a) {
          sam::segmented_inclusive_scan(context, a.in, sam::by_heads(a.flags), a.out,
                                        sam::backward(sam::scan_policy<>{}));
        });
    compare<T, makes::inclusive, last_not_zero>(
        "by_heads/last_not_zero", n, 1000, moved + 1, [](auto& context, auto& a) {
          sam::segmented_inclusive_scan(context, a.in, sam::by_heads(a.flags), a.out,
                                        last_not_zero{});
        });
    compare<float>("by_heads", n, 1000, moved + 1, [](auto& context, auto& a) {
      sam::segmented_inclusive_scan(context, a.in, sam::by_heads(a.flags), a.out);
    });
    compare<double>("by_heads", n / 2, 1000, 17, [](auto& context, auto& a) {
      sam::segmented_inclusive_scan(context, a.in, sam::by_heads(a.flags), a.out);
    });
  }
  return true;
}();

}  // namespace
