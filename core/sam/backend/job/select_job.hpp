// SPDX-License-Identifier: MIT
// Defines the job that finds the first keys of every segment, for back ends with an implementation
// of their own. The default implementation sorts whole segments. A context whose back end has a
// faster one for some segments has, beside run,
//
//   template <class Job>
//   bool select_in_segments(Job const&);
//
// for a select_in_segments_job. It returns false if it queued nothing; the default then runs.
#pragma once

#include <sam/digits.hpp>
#include <sam/portable.hpp>

namespace sam::inline v0_1::engine {

/// Describes the first k keys of each row of `keys`, in the order of their digits and, among equal
/// keys, of their indices: put(row * k + r, i) gets the index of the key of rank r. A row has the
/// keys from rows.begin(row) to rows.end(row), which may be none, and lie among the n keys. No row
/// is longer than rows.longest(), and with Rows::are_short none has more than 8192 keys. None of n,
/// segments and k is 0.
template <class Key, class Rows, class Put>
struct select_in_segments_job {
  using key = Key;
  using rows_type = Rows;
  using digits = number_digits<Key>;
  using ordered_key = typename digits::ordered_key;
  index_t n;
  Key const* keys;
  index_t segments;
  Rows rows;
  index_t k;
  ordered_key flip;  // the bits of ordered keys that are flipped: all for the largest keys first
  Put put;
};

}  // namespace sam::inline v0_1::engine
