// SPDX-License-Identifier: MIT
// Tests of the radix sort kernels, run on fibers.
#include <sam/gpu/sort/block_radix_sort.hpp>
#include <sam/gpu/sort/onesweep/onesweep_kernel.hpp>
#include <sam/gpu/sort/segmented/long_segments.hpp>

#include "items.hpp"
#include "simt/sorts.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <tuple>

namespace {

using sam::index_t;
using sam::gpu::ranking;
using simt::by_number, simt::large_value, simt::record, simt::wide_value;

/// A config with small tiles and few digits.
template <int Warp, int Bits, int Items>
struct configs {
  using pass = sam::gpu::sort_config<2, Items, Bits, 1, 2, 3>;
  using block = sam::gpu::sort_config<3, 2, Bits, 1>;
  using counts = sam::gpu::digit_histogram_config<2, 2, Bits>;
};

template <class Key, class Value, class Digits, int Warp = 32, int Bits = 4,
          class Word = std::uint32_t, int Items = 3, bool IsNoted = false>
struct sort_case {
  using key = Key;
  using value = Value;
  using digits = Digits;
  using word = Word;
  using job = sam::engine::sort_job<Key, Value, Digits>;
  static constexpr int warp_size = Warp;
  using config = configs<Warp, Bits, Items>;
  using device = simt::device<Warp>;
  using counts = sam::gpu::digit_histogram<device, job, typename config::counts>;
  static constexpr bool original_indices = IsNoted || !sam::gpu::radix_traits<job>::keys_only;
  using pass = sam::gpu::onesweep<device, job, typename config::pass, Word, original_indices>;
  using counted_pass = sam::gpu::onesweep<device, job, typename config::pass, Word,
                                          original_indices, sam::gpu::device_count_arguments<job>>;
  using block = sam::gpu::block_radix_sort<device, job, typename config::block>;
  static constexpr int digit_bits = Bits;
};

enum class keys_are { random, few, sorted, equal, skewed, in_one_bank, in_one_place };

template <class Key>
std::vector<Key> make_keys(index_t n, keys_are what, std::uint64_t seed) {
  std::vector<Key> keys(static_cast<std::size_t>(n));
  std::mt19937_64 random(seed);
  std::uint64_t i = 0;
  for (Key& k : keys) {
    std::uint64_t bits = random();
    if (what == keys_are::few)
      bits = bits % 3 * 0x1101010101010111;
    else if (what == keys_are::sorted)
      bits = i++;
    else if (what == keys_are::equal)
      bits = 0x7654321076543210;
    else if (what == keys_are::skewed)
      bits &= random() & random();
    else if (what == keys_are::in_one_bank)
      bits &= 0xe0e0e0e0e0e0e0e0;
    else if (what == keys_are::in_one_place)
      bits = (bits & 0xf0) | 0x5a5a5a5a5a5a5a0a;
    Key key;
    std::memset(static_cast<void*>(&key), 0, sizeof(Key));
    std::memcpy(static_cast<void*>(&key), &bits, std::min(sizeof(Key), sizeof(bits)));
    if constexpr (std::is_same_v<Key, float>)
      key = static_cast<float>(static_cast<std::int64_t>(bits)) * 1e-9f;
    k = key;
  }
  if constexpr (std::is_same_v<Key, record>)
    for (Key& k : keys)
      k.mark = static_cast<std::uint16_t>(i++);
  return keys;
}

/// Launches the kernels as a back end does, with a number of blocks.
template <class Case>
class sorter {
 public:
  using key = typename Case::key;
  using value = typename Case::value;
  using job = typename Case::job;

  sorter(int blocks, std::uint64_t seed) : blocks_(blocks), launch(seed) {}

  /// Sorts all keys or, if `number` is not negative, the first ones, whose number kernels read.
  void sort(job const& wanted, ranking how, bool in_one_block, index_t number = -1) {
    sam::gpu::sort_arguments<job> a{};
    a.job = wanted;
    a.ranks = {how, &must_ballot_};
    auto const n = static_cast<std::size_t>(wanted.n);
    auto const narrow = static_cast<int>(number);
    auto const count = number % 2 == 0 ? sam::engine::number_in_memory(&number)
                                       : sam::engine::number_in_memory(&narrow);
    auto const run = [&]<class Kernel>(std::type_identity<Kernel>) {
      if (number < 0)
        return Kernel(a).run();
      sam::gpu::device_count_arguments<job> const all{a, count};
      sam::gpu::with_count<typename Case::device, true>(
          all, [](auto const& some) { Kernel(some).run(); });
    };
    auto const pass = [&] {
      if (number < 0)
        return typename Case::pass(a).run();
      sam::gpu::device_count_arguments<job> const all{a, count};
      typename Case::counted_pass(all).run();
    };
    if (in_one_block) {
      launch(1, Case::block::threads, Case::block::shared_bytes,
             [&] { run(std::type_identity<typename Case::block>{}); });
      return;
    }
    // New memory holds a pattern, and memory from the previous sort is not cleared.
    std::vector<key> keys(n), more_keys(n);
    std::vector<value> values(n);
    std::memset(static_cast<void*>(keys.data()), 0xa5, n * sizeof(key));
    words_.resize(
        std::max(
            words_.size(),
            std::size_t(Case::pass::words_bytes(wanted.n, a.places(Case::digit_bits)) / 8 + 1)),
        ~std::uint64_t{0});
    a.keys_at[0] = wanted.sorted_keys != nullptr ? wanted.sorted_keys : more_keys.data();
    a.keys_at[1] = keys.data();
    a.in_place = a.all_in_place = wanted.keys == wanted.sorted_keys;
    if constexpr (job::has_values) {
      a.values_at[0] = wanted.sorted_values;
      a.values_at[1] = values.data();
      bool const values_in_place = wanted.values == wanted.sorted_values;
      a.all_in_place = values_in_place && (a.in_place || wanted.sorted_keys == nullptr);
      a.in_place = values_in_place || a.in_place;
    }
    a.pack_if_aligned();
    a.control = &control_;
    a.words = words_.data();
    a.words_bytes = Case::pass::words_bytes(wanted.n, a.places(Case::digit_bits));
    int const sorts = a.places(Case::digit_bits);
    a.steps = std::max(1, sorts + (a.in_place ? sorts % 2 : 0));
    a.copies = 4;
    launch(blocks_, Case::counts::threads, Case::counts::shared_bytes(a.copies),
           [&] { run(std::type_identity<typename Case::counts>{}); });
    for (int step = 0; step != a.steps; ++step) {
      Case::pass::prepare(a, step);
      launch(static_cast<int>(std::min<index_t>(blocks_, a.tiles)), Case::pass::threads,
             Case::pass::shared_bytes, pass);
    }
  }

  /// True if the control block is reset for the next sort.
  bool is_at_rest() const {
    auto const is_zero = [](std::uint64_t x) { return x == 0; };
    return std::all_of(std::begin(control_.counts), std::end(control_.counts), is_zero) &&
           control_.finished == 0;
  }
  sam::gpu::sort_control const& control() const { return control_; }
  std::uint32_t must_ballot() const { return must_ballot_; }

 private:
  int blocks_;
  simt::launcher<Case::warp_size> launch;
  sam::gpu::sort_control control_{};
  std::uint32_t must_ballot_ = 0;
  std::vector<std::uint64_t> words_{};
};

struct options {
  keys_are what = keys_are::random;
  ranking how = ranking::atomic;
  bool in_one_block = false;
  bool in_place = false;
  bool of_indices = false;  // an argsort without sorted keys
  int begin_bit = 0, bits_left_out = 0;
  index_t number = -1;  // of keys to be sorted in place, which the kernels read
};

template <class Case>
void check(sorter<Case>& s, index_t n, options const& o) {
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, int(o.what), int(o.how), o.in_one_block, o.in_place, o.of_indices, o.begin_bit,
          o.bits_left_out, o.number);
  auto const keys = make_keys<typename Case::key>(n, o.what, seed);
  simt::sort_trial<Case> trial(keys, o, n / 2 % 2 == 0);
  auto order = trial.order();
  trial.sort(order.begin(), o.number < 0 ? order.end() : order.begin() + o.number);
  s.sort(trial.job, o.how, o.in_one_block, o.number);
  trial.check(order);
  REQUIRE(s.is_at_rest());
}

using simt::numbers;
using keys_alone = sort_case<std::uint16_t, sam::no_values, numbers<std::uint16_t>>;
using cases = std::tuple<
    keys_alone, sort_case<std::uint8_t, sam::no_values, numbers<std::uint8_t>>,
    sort_case<std::int8_t, sam::no_values, sam::flipped_digits<numbers<std::int8_t>>>,
    sort_case<std::int32_t, sam::no_values, numbers<std::int32_t>, 32, 8>,
    sort_case<float, std::uint16_t, numbers<float>, 32, 5>,
    sort_case<std::int16_t, std::uint64_t, sam::flipped_digits<numbers<std::int16_t>>, 64>,
    sort_case<float, std::uint32_t, numbers<float>, 32, 6>,
    sort_case<std::uint32_t, wide_value, numbers<std::uint32_t>, 32, 8>,
    sort_case<record, sam::no_values, sam::user_digits<by_number, record>, 32, 6>,
    sort_case<record, std::int32_t, sam::user_digits<by_number, record>, 64>,
    sort_case<std::uint8_t, large_value, numbers<std::uint8_t>, 32, 7, std::uint64_t>,
    sort_case<std::uint64_t, sam::no_values, numbers<std::uint64_t>, 32, 8, std::uint64_t>,
    // Keys without values, sorted by some of their bits.
    sort_case<std::uint16_t, sam::no_values, numbers<std::uint16_t>, 32, 4, std::uint32_t, 3, true>,
    sort_case<float, sam::no_values, numbers<float>, 32, 8, std::uint32_t, 8, true>,
    // The rows of items of a warp fill whole rows of banks.
    sort_case<std::uint16_t, sam::no_values, numbers<std::uint16_t>, 32, 8, std::uint32_t, 16>,
    sort_case<float, std::uint32_t, numbers<float>, 32, 8, std::uint32_t, 8>>;

TEMPLATE_LIST_TEST_CASE("keys and values are sorted on fibers", "[simt]", cases) {
  constexpr int tile = TestType::pass::size;
  constexpr int one = TestType::block::size;
  constexpr int bits = TestType::digits::bits;
  for (int const blocks : {1, 3}) {
    CAPTURE(blocks);
    sorter<TestType> s(blocks, test::seed_for(blocks));
    index_t const n = 7 * tile + blocks;
    if (blocks == 1) {
      for (index_t const m : {1, 33, one - 1, one})
        check(s, m, {.in_one_block = true, .in_place = m == 33});
      check(s, one - 5, {.what = keys_are::few, .in_one_block = true, .of_indices = true});
      check(s, one - 5, {.how = ranking::ballot, .in_one_block = true, .in_place = true});
      check(s, one - 4, {.how = ranking::force_fallback, .in_one_block = true, .in_place = true});
      check(s, one, {.what = keys_are::skewed, .in_one_block = true});
      check(s, one - 3, {.in_one_block = true, .begin_bit = 1, .bits_left_out = 2});
      check(s, 40, {.in_one_block = true, .begin_bit = 2, .bits_left_out = bits - 2});
      for (index_t const m : {1, tile - 1, tile, tile + 1})
        check(s, m, {.in_place = m % 2 == 0});
      check(s, n, {.how = ranking::ballot, .in_place = true});
      check(s, n, {.how = ranking::force_fallback, .of_indices = true});
    } else {
      for (index_t const m : {n, n + 1})
        check(s, m, {});
      check(s, n + 2, {.begin_bit = 1, .bits_left_out = 2});
      check(s, n, {.in_place = true, .begin_bit = 3, .bits_left_out = bits - 4});
      check(s, n, {.begin_bit = 2, .bits_left_out = bits - 2});
    }
    bool in_place = blocks == 3;
    for (auto const what : {keys_are::few, keys_are::sorted, keys_are::equal, keys_are::skewed,
                            keys_are::in_one_bank, keys_are::in_one_place})
      check(s, n, {.what = what, .in_place = in_place = !in_place, .of_indices = blocks == 3});
  }
}

TEMPLATE_TEST_CASE("sorts on fibers read their number of keys", "[simt]", keys_alone,
                   (sort_case<float, std::uint32_t, numbers<float>, 32, 6>)) {
  sorter<TestType> s(3, test::seed_for(3));
  index_t const n = 7 * TestType::pass::size + 5, one = TestType::block::size;
  for (auto const what :
       {keys_are::random, keys_are::few, keys_are::equal, keys_are::in_one_place}) {
    for (index_t const number : {index_t{0}, index_t{1}, n / 2, n - 1, n})
      check(s, n, {.what = what, .in_place = true, .number = number});
    for (index_t const number : {index_t{0}, index_t{1}, one - 1, one})
      check(s, one, {.what = what, .in_one_block = true, .in_place = true, .number = number});
  }
}

template <class Value, int Warp = 32>
using unsure_case =
    sort_case<std::uint32_t, Value, sam::user_digits<simt::unsure_number, std::uint32_t>, Warp, 8>;

TEMPLATE_TEST_CASE("digits that contradict themselves write nothing outside the arrays on fibers",
                   "[simt]", unsure_case<std::uint32_t>, (unsure_case<std::uint64_t, 64>),
                   unsure_case<large_value>) {
  sorter<TestType> s(3, test::seed_for(3));
  for (bool const in_one_block : {false, true})
    for (ranking const how : {ranking::atomic, ranking::ballot})
      for (index_t const n : {TestType::block::size - 1, TestType::block::size}) {
        index_t const all = in_one_block ? n : 5 * TestType::pass::size + n % 2;
        options const o{.how = how, .in_one_block = in_one_block};
        CAPTURE(all, in_one_block, int(how));
        auto const keys = make_keys<std::uint32_t>(all, keys_are::random, test::seed_for(n));
        simt::sort_trial<TestType> const trial(keys, o, false);
        s.sort(trial.job, how, in_one_block);
        trial.check_fences();
      }
}

TEMPLATE_LIST_TEST_CASE("a tile that additions have put out of order is sorted again", "[simt]",
                        cases) {
  simt::lanes_in_order = false;
  sorter<TestType> s(2, test::seed_for(2));
  check(s, 3 * TestType::pass::size + 7, {});
  check(s, 3 * TestType::pass::size + 7, {.what = keys_are::few, .in_place = true});
  check(s, 3 * TestType::pass::size + 7,
        {.begin_bit = 1, .bits_left_out = TestType::digits::bits - 4});
  for (auto const what : {keys_are::random, keys_are::few})
    check(s, TestType::block::size - 1, {.what = what, .in_one_block = true});
  simt::lanes_in_order = true;
}

TEMPLATE_LIST_TEST_CASE("sorts rank by ballots once additions were found out of order", "[simt]",
                        cases) {
  simt::unknown_order order;
  index_t const n = 3 * TestType::pass::size + 7;
  for (bool const in_one_block : {false, true}) {
    sorter<TestType> s(2, test::seed_for(2));
    index_t const m = in_one_block ? TestType::block::size - 1 : n;
    order.set(true);
    check(s, m, {.in_one_block = in_one_block});
    REQUIRE(s.must_ballot() == 0);
    order.set(false);
    for (int times = 0; times < 50 && s.must_ballot() == 0; ++times)
      check(s, m, {.in_one_block = in_one_block, .in_place = times % 2 == 0});
    REQUIRE(s.must_ballot() == 1);
    check(s, m - 1, {.what = keys_are::few, .in_one_block = in_one_block});
  }
}

/// Sorts keys that differ in one digit, with few keys or none of many digit values. The memory is
/// aligned only for a key.
TEMPLATE_TEST_CASE("keys of one digit are written wherever they lie", "[simt]", std::uint8_t,
                   std::int8_t, std::uint16_t, std::uint32_t, float, std::uint64_t) {
  constexpr int warp = sizeof(TestType) == 2 || sizeof(TestType) == 8 ? 64 : 32;
  using filled = sort_case<TestType, sam::no_values, numbers<TestType>, warp, 8>;
  constexpr index_t of_vector = 16 / sizeof(TestType);
  for (int const blocks : {1, 3}) {
    sorter<filled> s(blocks, test::seed_for(blocks));
    for (index_t past = 0; past < of_vector; ++past)
      for (index_t const n :
           {index_t{1}, of_vector - 1, of_vector + 1, index_t{300}, index_t{3001}})
        for (auto const what : {keys_are::random, keys_are::skewed, keys_are::few}) {
          auto const seed = test::seed_for(n);
          CAPTURE(blocks, past, n, int(what), seed);
          auto const digits = make_keys<std::uint8_t>(n, what, seed);
          std::vector<TestType> keys(digits.size(), TestType(1));
          for (std::size_t i = 0; i < digits.size(); ++i)
            std::memcpy(static_cast<void*>(&keys[i]), &digits[i], 1);
          auto wanted = keys;
          std::sort(wanted.begin(), wanted.end());

          std::vector<TestType> memory(digits.size() + 3 * std::size_t(of_vector), TestType(77));
          auto const at = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(TestType);
          auto* const to = memory.data() + (of_vector - index_t(at % of_vector)) + past;
          typename filled::job job{};
          job.n = n;
          job.keys = keys.data();
          job.sorted_keys = to;
          job.end_bit = filled::digits::bits;
          s.sort(job, ranking::atomic, false);
          REQUIRE(std::equal(wanted.begin(), wanted.end(), to));
          REQUIRE(std::count(memory.data(), to, TestType(77)) == to - memory.data());
          auto const* const end = memory.data() + memory.size();
          REQUIRE(std::count(static_cast<TestType const*>(to) + n, end, TestType(77)) ==
                  end - (to + n));
        }
  }
}

TEST_CASE("passes without effect are left out", "[simt]") {
  using sam::gpu::sort_step;
  sorter<keys_alone> s(2, test::seed_for(0));
  auto const kinds = [&] {
    std::vector<int> all;
    for (int p = 0; p < 4; ++p)
      all.push_back(int(s.control().steps[p].what));
    return all;
  };
  check(s, 1000, {});
  REQUIRE(kinds() == std::vector<int>{1, 1, 1, 1});
  check(s, 1000, {.what = keys_are::equal});
  REQUIRE(kinds() == std::vector<int>{3, 0, 0, 0});
  check(s, 1000, {.what = keys_are::equal, .bits_left_out = 4});
  REQUIRE(kinds() == std::vector<int>{2, 0, 0, 0});
  check(s, 1000, {.what = keys_are::equal, .in_place = true});
  REQUIRE(kinds() == std::vector<int>{0, 0, 0, 0});
  for (bool const in_place : {false, true}) {
    check(s, 1000, {.what = keys_are::in_one_place, .in_place = in_place});
    REQUIRE(kinds() == std::vector<int>{0, 3, 0, 0});
  }
  check(s, 1000, {.what = keys_are::in_one_place, .bits_left_out = 4});
  REQUIRE(kinds() == std::vector<int>{0, 1, 0, 0});
  check(s, 1000, {.what = keys_are::sorted});
  REQUIRE(kinds() == std::vector<int>{1, 1, 1, 0});
  check(s, 1000, {.what = keys_are::sorted, .in_place = true});
  REQUIRE(kinds() == std::vector<int>{1, 1, 1, 2});
}

TEST_CASE("counters are mixed where digits crowd in few banks", "[simt]") {
  using words = sort_case<std::uint32_t, sam::no_values, numbers<std::uint32_t>, 32, 8>;
  sorter<words> s(2, test::seed_for(0));
  auto const passes_that_mix = [&](keys_are what) {
    check(s, 1000, {.what = what});
    int mixing = 0;
    for (int p = 0; p < 4; ++p)
      mixing += int(s.control().steps[p].swizzles);
    return mixing;
  };
  REQUIRE(passes_that_mix(keys_are::random) == 0);
  REQUIRE(passes_that_mix(keys_are::sorted) == 0);
  REQUIRE(passes_that_mix(keys_are::skewed) == 4);
  REQUIRE(passes_that_mix(keys_are::in_one_bank) == 4);
}

}  // namespace
