// SPDX-License-Identifier: MIT
// Runs one digit pass of the radix sort, with decoupled look-back across tiles.
//
// A block sorts its tile by one digit in shared memory. It then writes the items of each digit
// behind those of all smaller digits and behind the equal digits of earlier tiles.
//
// A tile publishes its count of each digit as its aggregate. It then looks back, digit by digit,
// until it finds an earlier tile that has published an inclusive prefix, and publishes its own. A
// descriptor word is a count and a two-bit status: 0 for not ready, 1 for aggregate, 2 for
// inclusive prefix. In every second pass the higher status bit is inverted. The inclusive prefixes
// that the previous pass left behind then read as not ready, so the words need no clearing between
// passes. A block waits only for tiles that were claimed before its own.
//
// Many tiles are in flight at once, so the nearest inclusive prefix is far back. Tiles therefore
// also accumulate their counts in one word per group of tiles and digit. The high bits of this word
// count the tiles that have been added. Look-back first reads the earlier tiles of its own group
// one by one. Before that group it reads whole groups, and the last tile of each, which may have
// its inclusive prefix.
//
// Between two passes, a key and a value of equal size are stored as one packed pair. Runs of a
// digit are then twice as long, and half as many memory sectors are written in two parts.
//
// Source: Adinets, Merrill, arXiv 2206.01784, 2022, after Merrill, Garland, "Single-pass parallel
// prefix scan with decoupled look-back", 2016. In those papers a tile looks back one tile at a
// time.
#pragma once

#include <sam/gpu/sort/digit_histogram.hpp>
#include <sam/gpu/sort/onesweep/fill_from_histogram.hpp>
#include <sam/gpu/sort/onesweep/onesweep_tile.hpp>

namespace sam::inline v0_1::gpu {

/// Runs one digit pass; all blocks of the grid execute it. Word is the unsigned type of descriptor
/// words: the number of keys must fit in all but two of its bits. OriginalIndices adds each item's
/// index within the tile to the order check. Without it, keys are ranked by ballots if the sort
/// leaves out some of their bits. Arguments is sort_arguments, or device_count_arguments of a sort
/// whose number of keys is read from memory.
template <class Device, class Job, class Config, class Word,
          bool OriginalIndices = !radix_traits<Job>::keys_only,
          class Arguments = sort_arguments<Job>>
class onesweep {
  static_assert(OriginalIndices || radix_traits<Job>::keys_only);

 public:
  using traits = radix_traits<Job>;
  static constexpr bool packs = traits::packs;
  using tile_type = onesweep_tile<Device, Job, Config, Word, OriginalIndices, packs>;
  using source = typename traits::key;
  using value = typename traits::value;
  using packed = typename traits::packed;
  static constexpr int threads = tile_type::threads;
  static constexpr int items = tile_type::items;
  static constexpr int size = tile_type::size;
  static constexpr int buckets = tile_type::buckets;
  static constexpr int own = tile_type::own;
  static constexpr int shared_bytes = tile_type::shared_bytes;
  static constexpr int value_bits = 8 * int{sizeof(Word)} - 2;
  static constexpr Word aggregate_flag = Word(1) << value_bits, prefix_flag = Word(2) << value_bits;

  static SAM_FUNCTION index_t tiles(index_t n) { return div_up(n, size); }
  static SAM_FUNCTION index_t groups(index_t n) { return engine::div_up(tiles(n), Config::group); }
  /// Returns the bytes of the descriptor words for this many passes. All passes share the words of
  /// tiles; each pass has its own words of groups.
  static SAM_FUNCTION index_t words_bytes(index_t n, int passes) {
    return buckets * (tiles(n) * index_t{sizeof(Word)} + passes * groups(n) * 4);
  }
  /// True if a descriptor word can count n keys.
  static SAM_FUNCTION bool counts(index_t n) {
    return n >> (value_bits < 63 ? value_bits : 62) == 0;
  }

  /// Sets the arguments for this step of the plan.
  static void prepare(sort_arguments<Job>& a, int step) {
    a.step = step;
    a.tiles = tiles(a.job.n);
    a.group_words =
        reinterpret_cast<std::uint32_t*>(static_cast<Word*>(a.words) + a.tiles * buckets) +
        step * groups(a.job.n) * buckets;
  }

  SAM_DEVICE explicit onesweep(Arguments const& arguments)
      : a_(arguments), index_(a_.step), tile_(a_.job) {}

  SAM_DEVICE void run() {
    if constexpr (is_counted)
      n_ = static_cast<Word>(a_.items());  // need not wait: see with_count
    Device::grid_dependency_wait();
    Device::grid_dependency_trigger();
    sort_step const step = a_.control->steps[index_];  // requested before the number is awaited
    if constexpr (is_counted)
      if (n_ == 0)
        return;
    if (step.what == sort_step::nothing)
      return;
    step_ = int(step.from | step.to << 2 | step.are_ordered_keys << 4 | step.parity << 6);
    if constexpr (traits::keys_only)
      if (step.what == sort_step::fill)
        return fill_from_histogram<Device, Job, Config, shared_bytes>(a_, index_, tile_.thread())
            .run(to(), n());
    tile_.by(a_.place(index_, Config::digit_bits), step.swizzles != 0);
    if (step.what == sort_step::copy)
      copy();
    else
      sort();
  }

 private:
  SAM_DEVICE void copy() const {
    index_t const step = index_t{Device::blocks()} * threads;
    index_t const first = index_t{Device::block()} * threads + tile_.thread();
#pragma unroll 4
    for (index_t i = first; i < n(); i += step) {
      if constexpr (packs) {
        packed const item = reads_packed() ? packed_from()[Word(i)] : pack(from()[i], value_at(i));
        if (writes_packed())
          packed_to()[Word(i)] = item;
        else
          unpack(item, i);
      } else {
        if (to() != nullptr)
          to()[i] = traits::to_be_written(traits::held(from()[i], reads_ordered_keys()),
                                          writes_ordered_keys());
        if constexpr (traits::has_values)
          values_to()[i] = value_at(i);
      }
    }
  }
  // The following read step_ through opaque() at every use: keeping the pointers costs registers.
  SAM_DEVICE source const* from() const {
    int const which = Device::opaque(step_) & 3;
    return which == 0 ? a_.job.keys
                      : sort_arguments<Job>::template one_of<Device>(a_.keys_at, which - 1);
  }
  SAM_DEVICE bool reads_ordered_keys() const { return (step_ & 1 << 4) != 0; }
  /// Calls f(are_ordered_keys) with a compile-time constant where the distinction affects the code,
  /// so that each case is compiled separately. Testing it for each item costs a tenth of a pass.
  template <class F>
  static SAM_DEVICE void known(bool are_ordered_keys, F const& f) {
    if (traits::is_held_as_ordered_key && !traits::has_values && are_ordered_keys)
      f(true);
    else
      f(traits::has_values && are_ordered_keys);
  }
  SAM_DEVICE bool writes_ordered_keys() const { return (step_ & 2 << 4) != 0; }
  /// Returns the output array of keys, or null if the caller asked for no sorted keys.
  SAM_DEVICE source* to() const {
    int const which = (Device::opaque(step_) >> 2 & 3) - 1;
    bool const is_unwanted = which == 0 && !writes_ordered_keys() && a_.job.sorted_keys == nullptr;
    return is_unwanted ? nullptr : sort_arguments<Job>::template one_of<Device>(a_.keys_at, which);
  }
  SAM_DEVICE value const* values_from() const requires(traits::has_values) {
    int const which = Device::opaque(step_) & 3;
    return which == 0 ? a_.job.values
                      : sort_arguments<Job>::template one_of<Device>(a_.values_at, which - 1);
  }
  SAM_DEVICE value* values_to() const requires(traits::has_values) {
    return sort_arguments<Job>::template one_of<Device>(a_.values_at,
                                                        (Device::opaque(step_) >> 2 & 3) - 1);
  }
  SAM_DEVICE bool reads_packed() const requires packs { return a_.packs && reads_ordered_keys(); }
  SAM_DEVICE bool writes_packed() const requires packs { return a_.packs && writes_ordered_keys(); }
  SAM_DEVICE packed_pairs<packed, Word> packed_from() const requires packs {
    return a_.template pairs_at<Device, Word>((Device::opaque(step_) & 3) - 1, n());
  }
  SAM_DEVICE packed_pairs<packed, Word> packed_to() const requires packs {
    return a_.template pairs_at<Device, Word>((Device::opaque(step_) >> 2 & 3) - 1, n());
  }
  SAM_DEVICE packed pack(source const& k, value const& v) const requires packs {
    return {traits::held(k, reads_ordered_keys()), v};
  }
  SAM_DEVICE void unpack(packed const& item, index_t i) const requires packs {
    if (to() != nullptr)
      to()[i] = traits::to_be_written(item.key, writes_ordered_keys());
    values_to()[i] = item.value;
  }
  SAM_DEVICE Word flipped() const { return step_ >> 6 == 0 ? 0 : prefix_flag; }
  /// Returns the tile that is being sorted or, after its items are written, the next claimed tile.
  /// Both are read from shared memory at every use, since keeping them costs registers.
  SAM_DEVICE index_t tile() const { return *tile_.word(0); }
  SAM_DEVICE index_t next_tile() const { return *tile_.word(1); }

  SAM_DEVICE value value_at(index_t i) const requires(traits::has_values) {
    if constexpr (integer<value>)
      if (values_from() == nullptr)
        return static_cast<value>(i);
    return values_from()[i];
  }

  /// True if a partial tile is padded with keys that sort last, so that one copy of the code sorts
  /// all tiles. Padding requires keys that can be computed from their digits.
  static constexpr bool pads = traits::is_invertible;
  /// True if partial tiles that are not padded are ranked by atomics, too. Ballots are so slow that
  /// passes over few tiles would wait for the partial one. With many bytes per thread, or with
  /// values, registers for both rankings would spill.
  static constexpr bool ranks_parts_by_adds =
      !traits::has_values && items * int(max_of(4, sizeof(source))) <= 96;

  SAM_DEVICE void sort() {
    note_next(claim());
    note_order();
    tile_.clear();
    Device::sync_block();  // orders the notes and the zeros before their use by other warps
    load_tile(next_tile());
    while (is_tile(next_tile())) {
      if (tile_.thread() == claimer)
        *tile_.word(0) = *tile_.word(1);  // ordered before its reads by the barrier after ranking
      if (pads || is_full(next_tile()))
        sort_one<true>(how());
      else if constexpr (!pads)
        sort_one<false>(ranks_parts_by_adds ? how() : ranking::ballot);
    }
  }
  /// Returns the ranking of the next tile. Atomic ranks must be checked. On a device whose order of
  /// additions is not known, ballots rank all tiles after one that was found out of order.
  SAM_DEVICE ranking how() const {
    bool const can_check = OriginalIndices || traits::sorts_all_bits(a_.job);
    bool const may_try =
        Device::adds_in_order() || (Device::may_add_in_order && *tile_.word(2) == 0);
    return can_check && may_try ? a_.ranks.how : ranking::ballot;
  }
  /// Notes for all threads of the block if a sort of the context has found a tile out of order.
  SAM_DEVICE void note_order() const {
    if (!Device::adds_in_order() && tile_.thread() == claimer)
      *tile_.word(2) = a_.ranks.template has_failed<Device>();
  }
  /// Notes for this block and later ones that a tile is out of order.
  SAM_DEVICE void note_wrong_order() const {
    if (!Device::adds_in_order() && tile_.thread() == claimer) {
      *tile_.word(2) = 1;
      a_.ranks.template note_failure<Device>();
    }
  }
  /// Thread that claims tiles: the last one, which has no digit to look back for if there are more
  /// threads than digits.
  static constexpr int claimer = threads - 1;
  SAM_DEVICE std::uint32_t claim() const {
    return tile_.thread() == claimer ? Device::add(&a_.control->claims[index_], 1) : 0;
  }
  SAM_DEVICE void note_next(std::uint32_t tile) const {
    if (tile_.thread() == claimer)
      *tile_.word(1) = tile;
  }

  /// Returns the number of keys.
  SAM_DEVICE index_t n() const {
    if constexpr (is_counted)
      return index_t(n_);
    else
      return a_.job.n;
  }
  /// True if pairs fill half the registers. If all places of a partial tile were then compared with
  /// a number in a register, pairs of whole tiles would be spilled.
  static constexpr bool fills_registers = packs && items * int{sizeof(packed)} > 128;
  /// Returns the number of keys for a partial tile, which may read it from memory again.
  SAM_DEVICE index_t n_of_partial() const {
    if constexpr (is_counted && fills_registers)
      return a_.items();
    else
      return n();
  }
  SAM_DEVICE bool is_tile(index_t tile) const {
    if constexpr (is_counted)
      return tile * size < n();
    else
      return tile < a_.tiles;
  }
  SAM_DEVICE bool is_full(index_t tile) const { return (tile + 1) * size <= n(); }
  SAM_DEVICE void load_tile(index_t tile) {
    if (is_full(tile))
      load<true>(tile);
    else if (tile * size < n())
      load<false>(tile);
    else if constexpr (tile_type::moves_values)
      // Else registers would hold the keys of the last tile until here.
      __builtin_memset(static_cast<void*>(&tile_.keys), 0, sizeof(tile_.keys));
  }

  template <bool Full>
  SAM_DEVICE void load(index_t tile) {
    index_t const first = tile * size;
    int const count = Full ? size : int(n_of_partial() - first);
    auto const for_each = [&](auto const& f) { tile_.template for_each_place<Full>(count, f); };
    auto& held = tile_.keys.at;
    if constexpr (packs) {
      if (reads_packed()) {
        auto const pairs = packed_from();
        for_each([&](int j, int p) { held[j] = pairs[Word(first) + Word(p)]; });
        return pad<Full>(count);
      }
    }
    source const* const keys = from() + first;
    if constexpr (!packs) {
      if constexpr (Full)
        known(reads_ordered_keys(), [&](bool are_ordered_keys) {
          for_each([&](int j, int p) { held[j] = traits::held(keys[p], are_ordered_keys); });
        });
      else  // one copy of the code: with two, sorts of floats would spill registers
        for_each([&](int j, int p) { held[j] = traits::held(keys[p], reads_ordered_keys()); });
    } else {
      for_each([&](int j, int p) { held[j].key = traits::held(keys[p], reads_ordered_keys()); });
      bool is_made = false;
      if constexpr (integer<value>)
        if (values_from() == nullptr) {
          for_each([&](int j, int p) { held[j].value = static_cast<value>(first + p); });
          is_made = true;
        }
      if (!is_made) {
        value const* const values = values_from() + first;
        for_each([&](int j, int p) { held[j].value = values[p]; });
      }
    }
    pad<Full>(count);
  }
  /// Replaces what threads without an item have loaded by keys that sort last.
  template <bool Full>
  SAM_DEVICE void pad(int count) {
    if constexpr (pads && !Full) {
      auto const last = traits::last_key(a_.job.digits);
#pragma unroll
      for (int j = 0; j < items; ++j)
        if (tile_.place_of(j) >= count) {
          if constexpr (packs)
            tile_.keys.at[j].key = last;
          else
            tile_.keys.at[j] = last;
        }
    }
  }

  /// Sorts a tile whose keys are loaded, and loads the keys of the next tile.
  template <bool Full>
  SAM_DEVICE void sort_one(ranking how) {
    static_assert(Full || !pads);
    int const count = Full ? size : int(n() - next_tile() * size);
    Word counted[own];
    uninitialized_array<value, items> values;
    tile_.template arrange<Full>(
        count, how,
        [&](int b, std::uint32_t c) {
          index_t const tile = this->tile();
          if constexpr (pads)
            if (b == tile_.last_digit() && !is_full(tile))
              c -= std::uint32_t((tile + 1) * size - n());
          counted[b - tile_.thread() * own] = c;
          publish(words_of(tile) + b,
                  tile == 0 ? prefix_flag | (begin_of(b) + c) : aggregate_flag | c);
          Device::add_no_return(group_word(tile / Config::group, b), one_of_group + c);
        },
        [&] {
          if (tile_.thread() < tile_type::owners) {
            index_t const tile = this->tile();
            Word* const words = words_of(tile);
#pragma unroll
            for (int k = 0; k < own; ++k) {
              int const b = tile_.thread() * own + k;
              Word before;
              if (tile == 0) {
                before = begin_of(b);
              } else {
                before = look_back(words + b, tile, b);
                publish(words + b, prefix_flag | (before + counted[k]));
              }
              tile_.offsets()[std::uint32_t(b) ^ tile_.flip()] = before - tile_.start[k];
            }
          }
        },
        [&] {
          if constexpr (!OriginalIndices)
            return !is_full(tile()) &&
                   tile_.has_lost_key(int(n() - tile() * size), traits::last_key(a_.job.digits));
          else
            return false;
        },
        [&] {
          if constexpr (tile_type::moves_values) {
            if (!pads || is_full(tile()))
              load_values<Full>(values, tile() * size, count);
            else
              load_values<false>(values, tile() * size, int(n() - tile() * size));
          }
        },
        [&] {
          note_wrong_order();
          if constexpr (!OriginalIndices)
            load_tile(tile());
        });
    if (!pads || is_full(tile()))
      send<Full>(values, count);
    else
      send<false>(values, int(n() - tile() * size));
    // The claim comes last: later tiles wait for a claimed tile until its counts are published.
    note_next(claim());
    Device::sync_block();  // orders the claim before its reads by other warps
    load_tile(next_tile());
  }

  SAM_DEVICE Word begin_of(int b) const { return Word(a_.control->begins[index_ * buckets + b]); }

  SAM_DEVICE Word* words_of(index_t tile) const {
    return static_cast<Word*>(a_.words) + tile * buckets;
  }
  SAM_DEVICE void publish(Word* at, Word word) const { Device::store(at, word ^ flipped()); }

  /// Returns the word of digit b of a group: the sum of its tiles' counts and, from bit group_bits
  /// up, how many tiles have added theirs.
  SAM_DEVICE std::uint32_t* group_word(index_t group, int b) const {
    return a_.group_words + group * buckets + b;
  }
  static constexpr int group_bits = 24;
  static constexpr std::uint32_t one_of_group = 1u << group_bits;
  static constexpr std::uint32_t whole_group = one_of_group * Config::group;
  static_assert(size * Config::group < int(one_of_group) && Config::group < 256);

  /// Returns the exclusive prefix of digit b for a tile: all smaller digits, and digit b of all
  /// earlier tiles.
  SAM_DEVICE Word look_back(Word const* mine, index_t tile, int b) const {
    Word sum = 0;
    bool is_known = add_up_group(mine - buckets, int(tile % Config::group), sum);
    if (!is_known)
      is_known = add_up_groups(tile / Config::group, b, sum);
    return is_known ? sum : sum + begin_of(b);
  }

  /// Adds the aggregates of the `left` tiles that end with the tile whose word is at `from`.
  /// Returns true if it reached an inclusive prefix, which it has then added to the sum.
  SAM_DEVICE bool add_up_group(Word const* from, int left, Word& sum) const {
    int asked = left;  // only 1 after a word that is not ready: polling slows the others down
    while (left > 0) {
      constexpr int together = Config::look_back;
      Word found[together];  // words beyond `asked` stand for an aggregate of 0
      Word all = prefix_flag - 1, any = 0, added = 0;
#pragma unroll
      for (int k = 0; k < together; ++k) {
        found[k] = k < asked ? Device::load(from - k * buckets) ^ flipped() : aggregate_flag;
        all &= found[k];
        any |= found[k];
        added += found[k] - aggregate_flag;
      }
      int used = 0;
      if (all >= aggregate_flag && any < prefix_flag) {  // the common case: all are aggregates
        sum += added;
        used = min_of(together, asked);
      } else {
#pragma unroll
        for (int k = 0; k < together; ++k) {
          if (k >= asked || found[k] < aggregate_flag)
            break;
          sum += found[k] & (aggregate_flag - 1);
          if (found[k] >= prefix_flag)
            return true;
          ++used;
        }
      }
      from -= used * buckets;
      left -= used;
      asked = used == 0 ? 1 : left;
      if (used == 0)
        Device::pause();
    }
    return false;
  }
  /// Adds the counts of this many whole groups. Returns true if it reached an inclusive prefix.
  SAM_DEVICE bool add_up_groups(index_t groups, int b, Word& sum) const {
    constexpr int ahead = Config::look_back > 1 ? Config::look_back / 2 : 1;
    auto left = int(groups);
    std::uint32_t const* from = group_word(groups - 1, b);
    Word const* last =
        static_cast<Word const*>(a_.words) + (groups * Config::group - 1) * buckets + b;
    int asked = left;
    while (left > 0) {
      std::uint32_t all[ahead], added = 0;
      Word found[ahead], any = 0;
      bool are_whole = true;
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        all[k] = k < asked ? Device::load(from - k * buckets) : whole_group;
        found[k] = k < asked ? Device::load(last - k * (Config::group * buckets)) ^ flipped()
                             : aggregate_flag;
        are_whole = are_whole && all[k] >= whole_group;
        any |= found[k];
        added += all[k] - whole_group;
      }
      int used = 0;
      if (are_whole && any < prefix_flag) {
        sum += added;
        used = min_of(ahead, asked);
      } else {
#pragma unroll
        for (int k = 0; k < ahead; ++k) {
          if (k >= asked)
            break;
          if (found[k] >= prefix_flag) {
            sum += found[k] & (aggregate_flag - 1);
            return true;
          }
          if (all[k] < whole_group)
            break;
          sum += all[k] - whole_group;
          ++used;
        }
      }
      from -= used * buckets;
      last -= used * (Config::group * buckets);
      left -= used;
      asked = used == 0 ? 1 : left;
      if (used == 0)
        Device::pause();
    }
    return false;
  }

  template <bool Full>
  SAM_DEVICE void load_values(uninitialized_array<value, items>& values, index_t first,
                              int count) const {
    if constexpr (integer<value>)
      if (values_from() == nullptr) {
#pragma unroll
        for (int j = 0; j < items; ++j)
          values.at[j] = static_cast<value>(first + tile_.place_of(j));
        return;
      }
    value const* const from = values_from() + first;
    tile_.template for_each_place<Full>(count, [&](int j, int p) { values.at[j] = from[p]; });
  }

  /// Writes the sorted tile to its positions in the output.
  template <bool Full>
  SAM_DEVICE void send(uninitialized_array<value, items> const& values, int count) {
    if constexpr (packs) {
      if (writes_packed()) {
        auto const to = packed_to();
        return tile_.template for_each_sorted<Full>(count, [&](int, int p, packed const item) {
          if (Word const at = place_of(p, item); is_place(at))
            to[at] = item;
        });
      }
    }
    if constexpr (tile_type::moves_values) {
      send_with_values<Full>(values, count);
    } else {
      send_items<Full>(count);
      if constexpr (traits::has_values && !packs)
        send_large_values<Full>(count);
    }
  }
  /// Writes the sorted keys, with values that are packed with them.
  template <bool Full>
  SAM_DEVICE void send_items(int count) {
    source* const keys = to();
    [[maybe_unused]] value* const sorted_values = sort_arguments<Job>::template one_of<Device>(
        a_.values_at, (Device::opaque(step_) >> 2 & 3) - 1);
    known(writes_ordered_keys(), [&](bool as_ordered_keys) {
      tile_.template for_each_sorted<Full>(count, [&](int, int p, auto const item) {
        Word const at = place_of(p, item);
        if (!is_place(at))
          return;
        if (!traits::has_values || keys != nullptr)
          keys[at] = traits::to_be_written(traits::key_of(item), as_ordered_keys);
        if constexpr (packs)
          sorted_values[at] = item.value;
      });
    });
  }
  /// Writes the sorted keys, then the values, which take the keys' place in shared memory part by
  /// part. Threads keep the digits of the keys that they have written. Addresses in shared memory
  /// are computed again behind opaque(), since keeping them costs registers.
  template <bool Full>
  SAM_DEVICE void send_with_values(uninitialized_array<value, items> const& values, int count) {
    static_assert(buckets <= 256);
    std::uint32_t digits[(items + 3) / 4] = {};  // four in each word
    source* const keys = to();
    bool const as_ordered_keys = writes_ordered_keys();
    tile_.template for_each_sorted<Full>(count, [&](int j, int p, auto const item) {
      std::uint32_t const digit = tile_.unflipped_digit(item);
      digits[j / 4] |= digit << j % 4 * 8;
      Word const at = tile_.offsets()[digit] + Word(p);
      if (keys != nullptr && is_place(at))
        keys[at] = traits::to_be_written(item, as_ordered_keys);
    });
    value* const sorted_values = values_to();
    constexpr int rows = tile_type::rows_of_part;
#pragma unroll
    for (int first = 0; first < items; first += rows) {
      Device::sync_block();  // orders the reads of keys or values before these values' writes
      scatter_values<Full>(values, count, first * threads);
      Device::sync_block();  // orders the writes of values before their reads by other warps
#pragma unroll
      for (int j = first; j < engine::min_of(first + rows, items); ++j)
        if (int const p = Device::opaque(tile_.sorted_place(j)); Full || p < count) {
          Word const at = tile_.offsets()[digits[j / 4] >> j % 4 * 8 & 255] + Word(p);
          if (is_place(at))
            sorted_values[at] = tile_.sorted_value(p - first * threads);
        }
    }
  }
  /// Returns the output position of the item at position p of the sorted tile.
  SAM_DEVICE Word place_of(int p, typename tile_type::key const& item) const {
    return tile_.offsets()[tile_.unflipped_digit(item)] + Word(p);
  }

  /// False for a position outside of the arrays, which only inconsistent user-defined digits
  /// produce.
  SAM_DEVICE bool is_place([[maybe_unused]] Word at) const {
    if constexpr (checks_places<Job>)
      return at < static_cast<Word>(n());
    else
      return true;
  }

  /// Writes the values of the part that begins at position `first` of the sorted tile.
  template <bool Full>
  SAM_DEVICE void scatter_values(uninitialized_array<value, items> const& values, int count,
                                 int first) {
    constexpr int size_of_part = tile_type::rows_of_part * threads;
#pragma unroll
    for (int j = 0; j < items; ++j)
      if (Full || tile_.place_of(j) < count)
        if (int const p = Device::opaque(int(tile_.at[j])) - first;
            !tile_type::has_parts || (p >= 0 && p < size_of_part))
          tile_.sorted_value(p) = values.at[j];
  }

  template <bool Full>
  SAM_DEVICE void send_large_values(int count) const {
#pragma unroll
    for (int j = 0; j < items; ++j) {
      int const p = tile_.place_of(j);
      if (Full || p < count) {
        auto const at = int(tile_.at[j]);
        if (Word const to = place_of(at, tile_.sorted_key(at)); is_place(to))
          values_to()[to] = value_at(tile() * size + p);
      }
    }
  }

  static constexpr bool is_counted = std::is_same_v<Arguments, device_count_arguments<Job>>;
  struct nothing {};
  Arguments const& a_;
  int index_;
  tile_type tile_;
  std::conditional_t<is_counted, Word, nothing> n_{};  // the number of keys, if memory has it
  int step_ = 0;  // a packed sort_step: from, to, are_ordered_keys, parity
};

}  // namespace sam::inline v0_1::gpu
