// SPDX-License-Identifier: MIT
// Compares the first call of a context, whose workspace is new memory, with later calls. Also
// measures several ways to touch as much new memory.
#include <sam/compact.hpp>
#include <sam/radix_sort.hpp>
#include <sam/reduce.hpp>
#include <sam/scan.hpp>
#include <sam/segmented_scan.hpp>

#include "support.hpp"

#include <algorithm>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace {

using perf::index_t, perf::pages;

/// Times call(context) with a new context if `is_first`, otherwise with one that has made the call
/// before.
template <class Call>
void time_contexts(benchmark::State& state, index_t n, std::size_t item_bytes, bool is_first,
                   Call call) {
  auto context = std::make_unique<sam::default_context>();
  perf::time_calls(
      state, n, item_bytes,
      [&] {
        call(*context);
        context->wait();
      },
      [&] {
        if (is_first)
          context = std::make_unique<sam::default_context>();
      });
}

template <class Add>
void for_both(std::string const& name, Add add) {
  for (bool const is_first : {true, false})
    add(name + (is_first ? "/first" : "/later"), is_first);
}

/// Adds call(context, in, out) of n items.
template <class T, class Call>
void add_call(std::string const& name, index_t n, Call call) {
  for_both(name + "/n:" + std::to_string(n), [=](std::string const& full_name, bool is_first) {
    perf::add(full_name, "sam", [=](auto& state) {
      pages<T> const in(n), out(n);
      perf::fill_random(in);
      time_contexts(state, n, sizeof(T), is_first, [&](auto& context) { call(context, in, out); });
    });
  });
}
void add_sort(index_t n) {
  add_call<std::uint64_t>("sort/u64", n, [](auto& context, auto const& in, auto const& out) {
    sam::radix_sort(context, in, out);
  });
}
void add_calls_of_few(index_t n) {
  add_sort(n);
  add_call<std::int32_t>("scan/i32", n, [](auto& context, auto const& in, auto const& out) {
    sam::inclusive_scan(context, in, out);
  });
  add_call<std::int32_t>("reduce/i32", n, [](auto& context, auto const& in, auto const& out) {
    sam::reduce(context, in, std::span(out.data(), 1));
  });
  add_call<std::int32_t>("compact/i32", n, [](auto& context, auto const& in, auto const& out) {
    benchmark::DoNotOptimize(
        sam::compact(context, in, out, [](std::int32_t x) { return x % 2 != 0; }));
  });
}
/// Adds a segmented scan by offsets, whose workspace has one bit per item.
void add_segmented_scan(index_t n) {
  for_both("segmented_scan/f32/n:" + std::to_string(n),
           [=](std::string const& name, bool is_first) {
             perf::add(name, "sam", [=](auto& state) {
               pages<float> const in(n), out(n);
               perf::fill_random(in);
               std::vector<index_t> offsets;
               for (index_t i = 0; i <= n; i += std::min<index_t>(n, 128))
                 offsets.push_back(i);
               time_contexts(state, n, sizeof(float), is_first, [&](auto& context) {
                 sam::segmented_inclusive_scan(context, in, sam::by_offsets(offsets), out);
               });
             });
           });
}

enum class page_size { usual, huge };
enum class touched_by { one_thread, all_threads };

/// Allocates memory, touches all of it, and frees it.
void touch(std::size_t bytes, page_size size, touched_by who) {
  constexpr std::align_val_t alignment{std::size_t{2} << 20};
  auto* const memory = static_cast<char*>(::operator new(bytes, alignment));
  if (size == page_size::huge)
    madvise(memory, bytes, MADV_HUGEPAGE);
  int const parts = who == touched_by::all_threads ? perf::threads() : 1;
  auto const clear = [&](int t) {
    auto const part = bytes / static_cast<std::size_t>(parts);
    std::memset(memory + part * static_cast<std::size_t>(t), 0, part);
  };
  if (parts == 1)
    clear(0);
  else
    perf::in_parallel(clear);
  benchmark::DoNotOptimize(memory);
  ::operator delete(memory, alignment);
}
void add_touches(index_t bytes) {
  for (auto const size : {page_size::usual, page_size::huge})
    for (auto const who : {touched_by::one_thread, touched_by::all_threads})
      perf::add("touch/bytes:" + std::to_string(bytes) +
                    (size == page_size::huge ? "/huge_pages" : "/usual_pages") +
                    (who == touched_by::one_thread ? "/one_thread" : "/all_threads"),
                "memory", [=](auto& state) {
                  perf::time_calls(state, bytes, 1,
                                   [&] { touch(static_cast<std::size_t>(bytes), size, who); });
                });
}

[[maybe_unused]] bool const registered = [] {
  for (int const log : {4, 8, 12, 16}) {
    add_calls_of_few(index_t{1} << log);
    add_segmented_scan(index_t{1} << log);
  }
  for (index_t const n : {index_t{1} << 18, index_t{1} << 22, index_t{1} << 25}) {
    add_sort(n);
    add_touches(8 * n);
  }
  add_segmented_scan(index_t{1} << 25);
  add_segmented_scan(index_t{1} << 28);
  return true;
}();

}  // namespace
