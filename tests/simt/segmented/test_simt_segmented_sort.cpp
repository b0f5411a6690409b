// SPDX-License-Identifier: MIT
// Tests of the segmented sort kernels, run on fibers.
#include <sam/gpu/sort/segmented/long_segments.hpp>

#include "items.hpp"
#include "simt/context.hpp"
#include "simt/sorts.hpp"
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>
#include <tuple>

namespace {

using sam::index_t;
using sam::gpu::ranking;
using simt::by_number, simt::large_value, simt::record;

template <class Key, class Value, class Digits, int Warp = 32, int Items = 4, int Bits = 4>
struct segments_case {
  using key = Key;
  using value = Value;
  using digits = Digits;
  using job = sam::engine::sort_job<Key, Value, Digits>;
  static constexpr int warp_size = Warp;
  using config = sam::gpu::sort_config<2, Items, Bits, 1>;
  using listed = sam::gpu::sort_config<3, 2 * Items, Bits, 1>;
  static constexpr bool by_words = Items == 4;  // segments by a bit mask
};

/// Sorts segments that exceed a window in tiles.
template <class Key, class Digits, int Warp = 32, int Items = 4, int Bits = 4>
struct tiles_case : segments_case<Key, sam::no_values, Digits, Warp, Items, Bits> {
  using listed = sam::gpu::tile_sort_config<3, Items, Bits, 1, 5 * Warp * 3 * Items>;
};

struct heads_by_byte {
  std::uint8_t const* heads;
  SAM_FUNCTION bool at(index_t i) const { return heads[i] != 0; }
};

struct heads_by_bits {
  std::uint32_t const* words;
  SAM_FUNCTION bool at(index_t i) const { return (words[i / 32] >> i % 32 & 1) != 0; }
};
struct first_heads_by_bits : heads_by_bits {
  sam::engine::number_in_memory ends_at;
};

/// Sorts the first items of more that there may be. The others are not in any array.
template <class Case>
struct first_case : Case {
  static constexpr bool by_words = true;
};
template <class Case>
inline constexpr bool is_counted = false;
template <class Case>
inline constexpr bool is_counted<first_case<Case>> = true;

/// Returns random keys. If are_few, many keys have some equal bits.
template <class Key>
std::vector<Key> make_keys(index_t n, bool are_few, std::uint64_t seed) {
  std::vector<Key> keys(static_cast<std::size_t>(n));
  std::mt19937_64 random(seed);
  for (Key& k : keys) {
    std::uint64_t words[2] = {random(), random()};
    if (are_few)
      words[0] = words[1] = words[0] % 3 * 0x1101010101010111;
    std::memset(static_cast<void*>(&k), 0, sizeof(Key));
    std::memcpy(static_cast<void*>(&k), words, std::min(sizeof(Key), sizeof(words)));
    if constexpr (std::is_same_v<Key, float>)
      k = static_cast<float>(static_cast<std::int64_t>(words[0])) * 1e-9f;
  }
  return keys;
}

struct options {
  bool are_few = false;
  ranking how = ranking::atomic;
  bool in_place = false;
  bool of_indices = false;  // an argsort without sorted keys
  bool lists = true;
  int begin_bit = 0, bits_left_out = 0;
};

/// Launches the kernels as a back end does, with a number of blocks.
template <class Case>
class sorter {
 public:
  using key = typename Case::key;
  using value = typename Case::value;
  using job = typename Case::job;
  using device = simt::device<Case::warp_size>;
  using heads_type =
      std::conditional_t<is_counted<Case>, first_heads_by_bits,
                         std::conditional_t<Case::by_words, heads_by_bits, heads_by_byte>>;
  using windows = sam::gpu::packed_segments<device, job, heads_type, typename Case::config>;
  using listed = sam::gpu::sort_listed<device, job, typename Case::listed>;
  using keys_type = sam::gpu::long_keys<job>;
  using move = sam::gpu::move_long_items<device, job, 2>;

  sorter(int blocks, std::uint64_t seed) : blocks_(blocks), launch(seed), scans_(blocks, seed) {}

  /// Sorts, and returns the number of items in long segments.
  index_t sort(job const& given, heads_type heads, ranking how, bool lists) {
    job wanted = given;
    sam::engine::number_in_memory number;
    if constexpr (is_counted<Case>) {
      heads.ends_at = number = &given.n;
      wanted.n += 3 * windows::size + 17;
    }
    index_t const count = windows::windows(wanted.n);
    std::vector<sam::gpu::window_record> records(static_cast<std::size_t>(count));
    std::vector<sam::gpu::window_place> places(records.size());
    std::vector<sam::gpu::listed_segment> segments(
        static_cast<std::size_t>(wanted.n / (windows::longest + 1) + 1));
    std::uint32_t counts[2] = {};
    sam::gpu::segment_lists to{};
    if (lists)  // the second list, since the first has no capacity
      to = {{int(windows::longest), listed::size}, {nullptr, segments.data()}, counts};
    sam::gpu::window_arguments<job, heads_type> const all{
        wanted, heads, records.data(), to, {how, &must_ballot_}};
    launch(int(count), windows::threads, windows::shared_bytes, [&] { windows(all).run(); });
    sam::gpu::listed_arguments<job> of_list{};
    of_list.job = wanted;
    of_list.ranks = {how, &must_ballot_};
    of_list.segments = segments.data();
    of_list.count = counts + 1;
    std::vector<key> spare(static_cast<std::size_t>(wanted.n));
    of_list.keys_at[1] = spare.data();
    launch(blocks_, listed::threads, listed::shared_bytes, [&] { listed(of_list).run(); });
    index_t items = -1;
    scans_.run(count, sam::gpu::place_windows_job{records.data(), places.data(), &items, count - 1},
               sam::engine::resolve_policy<sam::engine::bound::exclusive>(
                   sam::scan_policy<sam::gpu::join_windows>{},
                   sam::engine::from_value<sam::gpu::windows_accumulator>{
                       {0, 0, 0, sam::gpu::windows_accumulator::is_short}}));
    std::vector<typename keys_type::item> together(static_cast<std::size_t>(items));
    std::vector<value> values(together.size());
    sam::gpu::long_arguments<job> const of_long{wanted,        records.data(),  places.data(),
                                                &items,        together.data(), values.data(),
                                                windows::size, number};
    launch(blocks_, move::threads, 0, [&] { move(of_long).load_items(); });
    job sorts = wanted;
    sorts.n = items;
    if constexpr (job::has_values)
      sorts.values = sorts.sorted_values = values.data();
    keys_type::for_each_sort(sorts, together.data(), wanted.n / (windows::longest + 1) + 1,
                             [](auto const& of) { sort_on_host(of); });
    launch(blocks_, move::threads, 0, [&] { move(of_long).take_back(); });
    return items;
  }
  std::uint32_t must_ballot() const { return must_ballot_; }

 private:
  template <class Job>
  static void sort_on_host(Job const& of) {
    std::vector<std::size_t> order(static_cast<std::size_t>(of.n));
    std::iota(order.begin(), order.end(), 0);
    sam::gpu::bits_between const bits{of.begin_bit, of.end_bit};
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
      return bits(of.digits(of.keys[i])) < bits(of.digits(of.keys[j]));
    });
    auto const keys = std::vector(of.keys, of.keys + of.n);
    std::vector<value> values;
    if constexpr (Job::has_values)
      values.assign(of.values, of.values + of.n);
    for (std::size_t i = 0; i < order.size(); ++i) {
      of.sorted_keys[i] = keys[order[i]];
      if constexpr (Job::has_values)
        of.sorted_values[i] = values[order[i]];
    }
  }
  int blocks_;
  std::uint32_t must_ballot_ = 0;
  simt::launcher<Case::warp_size> launch;
  simt::context<32> scans_;
};

/// Sorts segments of these lengths and compares the result with a stable sort of each.
template <class Case>
void check(sorter<Case>& s, std::vector<index_t> const& lengths, options const& o) {
  using windows = typename sorter<Case>::windows;
  using listed = typename sorter<Case>::listed;
  index_t const n = std::accumulate(lengths.begin(), lengths.end(), index_t{0});
  auto const seed = test::seed_for(n);
  CAPTURE(n, seed, lengths.size(), lengths[0], o.are_few, int(o.how), o.in_place, o.of_indices,
          o.lists, o.begin_bit, o.bits_left_out);
  auto const keys = make_keys<typename Case::key>(n, o.are_few, seed);
  simt::sort_trial<Case> trial(keys, o, false);
  std::vector<std::uint8_t> heads(keys.size());
  auto order = trial.order();
  auto at = order.begin();
  for (index_t const length : lengths) {
    if (at != order.begin())  // item 0 always begins a segment
      heads[*at] = 1;
    trial.sort(at, at + length);
    at += length;
  }

  std::vector<std::uint32_t> words((heads.size() + 31) / 32);
  for (std::size_t i = 0; i < words.size() * 32; ++i)  // also sets the bits past the last item
    words[i / 32] |= (i < heads.size() ? std::uint32_t{heads[i]} : 1u) << i % 32;
  index_t of_long = 0;
  if constexpr (is_counted<Case>)
    of_long = s.sort(trial.job, {{words.data()}, {}}, o.how, o.lists);
  else if constexpr (Case::by_words)
    of_long = s.sort(trial.job, {words.data()}, o.how, o.lists);
  else
    of_long = s.sort(trial.job, {heads.data()}, o.how, o.lists);

  index_t surely = 0, perhaps = 0;
  for (index_t const length : lengths) {
    surely += length > (o.lists ? listed::size : int(windows::buffer_for)) ? length : 0;
    perhaps += length > (o.lists ? listed::size : int(windows::longest)) ? length : 0;
  }
  REQUIRE((of_long >= surely && of_long <= perhaps));
  trial.check(order);
}

using simt::numbers;
using cases = std::tuple<
    segments_case<std::uint8_t, sam::no_values, numbers<std::uint8_t>>,
    segments_case<std::int16_t, std::uint64_t, sam::flipped_digits<numbers<std::int16_t>>, 64>,
    segments_case<std::uint32_t, sam::no_values, sam::flipped_digits<numbers<std::uint32_t>>>,
    segments_case<float, std::uint16_t, sam::flipped_digits<numbers<float>>, 32, 2, 5>,
    segments_case<std::uint64_t, sam::no_values, numbers<std::uint64_t>, 32, 6, 8>,
    segments_case<std::uint32_t, std::uint32_t, numbers<std::uint32_t>, 32, 16, 8>,
    segments_case<std::uint64_t, std::uint16_t, sam::flipped_digits<numbers<std::uint64_t>>, 32, 16,
                  8>,
#ifdef __SIZEOF_INT128__
    segments_case<sam::detail::int128, std::int32_t,
                  sam::flipped_digits<numbers<sam::detail::int128>>>,
#endif
    segments_case<record, sam::no_values, sam::user_digits<by_number, record>>,
    segments_case<record, large_value, sam::flipped_digits<sam::user_digits<by_number, record>>, 64,
                  2>>;

TEST_CASE("digits that contradict themselves sort no segment outside of itself on fibers",
          "[simt]") {
  using unsure = segments_case<std::uint32_t, std::uint64_t,
                               sam::user_digits<simt::unsure_number, std::uint32_t>, 32, 16, 8>;
  sorter<unsure> s(2, test::seed_for(2));
  for (index_t const length : {3, 60, 300, 1500}) {
    CAPTURE(length);
    options const o{};
    auto const keys = make_keys<std::uint32_t>(5000, false, test::seed_for(length));
    simt::sort_trial<unsure> const trial(keys, o, false);
    std::vector<std::uint8_t> heads(keys.size());
    for (std::size_t i = 0; i < heads.size(); i += static_cast<std::size_t>(length))
      heads[i] = 1;
    s.sort(trial.job, {heads.data()}, o.how, o.lists);
    trial.check_fences();
  }
}

/// Returns random lengths of up to `longest` that add up to at least n.
std::vector<index_t> random_lengths(index_t n, index_t longest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<index_t> lengths;
  while (n > 0) {
    lengths.push_back(1 + static_cast<index_t>(random() % static_cast<std::uint64_t>(longest)));
    n -= lengths.back();
  }
  return lengths;
}

TEMPLATE_LIST_TEST_CASE("segments are sorted on fibers", "[simt]", cases) {
  using windows = typename sorter<TestType>::windows;
  using listed = typename sorter<TestType>::listed;
  constexpr index_t size = windows::size, longest = windows::longest, buffer = windows::buffer_for;
  constexpr int bits = TestType::digits::bits;
  sorter<TestType> s(2, test::seed_for(2));
  using list = std::vector<index_t>;
  // One segment, or two that meet at a window boundary.
  check(s, list{1}, {});
  for (index_t const n : {index_t{63}, index_t{65}, size - 1, size, size + 1, buffer - 1, buffer})
    check(s, list{n}, {.in_place = n % 2 == 0});
  for (index_t const n : {size - 1, size, size + 1})
    for (index_t const m : {index_t{5}, longest - 1, longest, longest + 1, longest + 2})
      check(s, list{n, m}, {.in_place = m % 2 == 0});
  for (index_t const m : {index_t{1}, index_t{63}, index_t{64}, index_t{65}})
    check(s, list{size - m / 2, m, 1, size}, {});
  // Segments of equal length.
  for (index_t const length : {index_t{1}, index_t{2}, index_t{64}, index_t{65}, longest})
    check(s, list(static_cast<std::size_t>(3 * size / length + 1), length),
          {.are_few = length == 2, .of_indices = length != 2});
  // Long segments among short and medium ones.
  check(s, list{7 * size + 3}, {.in_place = true});
  for (bool const lists : {false, true}) {
    check(s, list{3, 3 * size + 3, 2, buffer + 1, 4, buffer + 1, size - 1},
          {.of_indices = true, .lists = lists});
    check(s, list{buffer + 1, buffer + 1, buffer + size, 2 * size + 1, 1},
          {.are_few = true, .lists = lists});
  }
  for (index_t const more : {index_t{-1}, index_t{0}, index_t{1}})
    check(s, list{5, listed::size + more, size, listed::size + more}, {.in_place = more == 0});
  int turn = 0;
  for (index_t const most :
       {index_t{3}, index_t{20}, index_t{64}, index_t{90}, longest, 3 * size}) {
    auto const lengths = random_lengths(5 * size + 7 * turn, most, test::seed_for(most));
    check(s, lengths, {.lists = false});
    check(s, lengths, {.are_few = true, .in_place = true});
    check(s, lengths,
          {.how = ranking::force_fallback, .of_indices = true, .begin_bit = 1, .bits_left_out = 2});
    check(s, lengths,
          {.how = ranking::ballot,
           .in_place = turn % 2 == 0,
           .begin_bit = 2,
           .bits_left_out = bits - 2});
    ++turn;
  }
}

TEMPLATE_LIST_TEST_CASE("segments of the first keys are sorted on fibers", "[simt]", cases) {
  using Case = first_case<TestType>;
  using windows = typename sorter<Case>::windows;
  constexpr index_t size = windows::size, buffer = windows::buffer_for;
  sorter<Case> s(2, test::seed_for(2));
  using list = std::vector<index_t>;
  for (index_t const n : {index_t{1}, index_t{63}, size - 1, size, size + 1, buffer - 1, buffer})
    check(s, list{n}, {.in_place = n % 2 == 0});
  check(s, list{7 * size + 3}, {.in_place = true});
  for (bool const lists : {false, true}) {
    check(s, list{3, 3 * size + 3, 2, buffer + 1, 4, buffer + 1, size - 1},
          {.of_indices = true, .lists = lists});
    check(s, list{buffer + 1, buffer + 1, buffer + size, 2 * size + 1, 1},
          {.are_few = true, .lists = lists});
  }
  for (index_t const most : {index_t{20}, index_t{90}, 3 * size}) {
    auto const lengths = random_lengths(5 * size + most, most, test::seed_for(most));
    check(s, lengths, {.lists = false});
    check(s, lengths, {.how = ranking::force_fallback, .of_indices = true});
  }
}

TEMPLATE_LIST_TEST_CASE("segments of all lengths are sorted by as few lanes as hold them", "[simt]",
                        cases) {
  using windows = typename sorter<TestType>::windows;
  sorter<TestType> s(1, test::seed_for(3));
  std::mt19937_64 random(test::seed_for(4));
  std::vector<index_t> lengths(70);
  std::iota(lengths.begin(), lengths.end(), 1);
  for (index_t most = 1; most <= windows::size; most *= 2)
    for (index_t const length : {most, most + 1})
      lengths.push_back(length);
  for (bool const are_few : {false, true}) {
    std::shuffle(lengths.begin(), lengths.end(), random);
    check(s, lengths, {.are_few = are_few});
    check(s, lengths, {.are_few = are_few, .in_place = true, .begin_bit = 3});
    check(s, lengths, {.are_few = are_few, .of_indices = true, .bits_left_out = 1});
  }
  // Enough segments for several iterations of each warp, and too few for some warps.
  for (index_t const length : {index_t{1}, index_t{2}, index_t{4}, index_t{5}, index_t{17}})
    check(s, std::vector<index_t>(static_cast<std::size_t>(2 * windows::size / length), length),
          {.are_few = true});
}

TEST_CASE("blocks have room for segments that are longer than windows", "[simt]") {
  using roomy = segments_case<std::uint32_t, std::uint32_t, numbers<std::uint32_t>, 32, 48, 8>;
  using windows = sorter<roomy>::windows;
  STATIC_REQUIRE(windows::longest > windows::size);
  sorter<roomy> s(2, test::seed_for(5));
  for (index_t const most :
       {index_t{40}, index_t{windows::longest}, index_t{windows::buffer_for} * 3 / 2}) {
    auto const lengths = random_lengths(3 * windows::buffer_for, most, test::seed_for(most));
    check(s, lengths, {.are_few = true, .in_place = true});
    check(s, lengths, {.of_indices = true});
  }
  check(s, {windows::size - 1, windows::longest + 1, windows::buffer_for, 1}, {});
}

using cases_in_tiles =
    std::tuple<tiles_case<std::uint32_t, sam::flipped_digits<numbers<std::uint32_t>>>,
               tiles_case<std::int16_t, numbers<std::int16_t>, 64>,
               tiles_case<float, sam::flipped_digits<numbers<float>>, 32, 6, 5>,
               tiles_case<std::uint64_t, numbers<std::uint64_t>, 32, 4, 8>>;

TEMPLATE_LIST_TEST_CASE("blocks sort segments in tiles on fibers", "[simt]", cases_in_tiles) {
  using windows = typename sorter<TestType>::windows;
  index_t const longest = sorter<TestType>::listed::size, tile = longest / 5;
  constexpr int bits_of_key = TestType::digits::bits;
  for (bool const in_order : {true, false}) {
    simt::lanes_in_order = in_order;
    sorter<TestType> s(2, test::seed_for(8));
    for (index_t const length : {index_t{windows::buffer_for} + 1, tile, tile + 1, 2 * tile - 1,
                                 longest - 1, longest, longest + 1})
      check(s, {3, length, 1, length}, {.in_place = length % 2 == 0});
    for (bool const are_few : {false, true}) {
      auto const lengths = random_lengths(3 * longest, longest + 40, test::seed_for(9));
      check(s, lengths, {.are_few = are_few, .in_place = true});
      check(s, lengths, {.are_few = are_few, .how = ranking::force_fallback});
      bool in_place = in_order != are_few;  // each number of bits is sorted in place and not
      for (int const bits :
           in_order ? std::array{0, bits_of_key / 2} : std::array{1, bits_of_key - 2}) {
        in_place = !in_place;
        check(s, lengths,
              {.are_few = are_few, .in_place = in_place, .begin_bit = 2, .bits_left_out = bits});
      }
    }
  }
  simt::lanes_in_order = true;
}

/// Sorts until additions were out of order, and once more.
template <class Case>
void check_until_out_of_order(std::vector<index_t> const& lengths) {
  simt::unknown_order order;
  sorter<Case> s(2, test::seed_for(3));
  order.set(true);
  check(s, lengths, {});
  REQUIRE(s.must_ballot() == 0);
  order.set(false);
  for (int times = 0; times < 50 && s.must_ballot() == 0; ++times)
    check(s, lengths, {.in_place = times % 2 == 0});
  REQUIRE(s.must_ballot() == 1);
  check(s, lengths, {});
}

TEMPLATE_LIST_TEST_CASE("segments that additions have put out of order are sorted again", "[simt]",
                        cases) {
  using windows = typename sorter<TestType>::windows;
  simt::lanes_in_order = false;
  sorter<TestType> s(2, test::seed_for(2));
  for (bool const are_few : {false, true})
    check(s, random_lengths(5 * windows::size, windows::buffer_for, test::seed_for(7)),
          {.are_few = are_few});
  simt::lanes_in_order = true;
  check_until_out_of_order<TestType>({3, windows::buffer_for - 7, 2});
  check_until_out_of_order<TestType>({windows::buffer_for + 1, windows::buffer_for + 3});
}
TEMPLATE_LIST_TEST_CASE("segments in tiles that additions have put out of order are sorted again",
                        "[simt]", cases_in_tiles) {
  check_until_out_of_order<TestType>({sorter<TestType>::listed::size});
}

}  // namespace
