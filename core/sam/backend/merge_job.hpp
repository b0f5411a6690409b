// SPDX-License-Identifier: MIT
// Defines the jobs of comparison sorts and merges. A back end may run them by kernels of its own:
// its context then has, beside run,
//
//   template <class Item>
//   static constexpr index_t sorted_run_items;  // 0 if it has no kernels for such items
//   template <class Key, class Value, class Less>
//   void sort_runs(merge_sort_job<Key, Value, Less> const&);  // each run of sorted_run_items
//   template <class Key, class Value, class Less>
//   void merge_runs(merge_pass<Key, Value, Less> const&);
//   // the same for counted_merge of these, whose sizes lie in memory
//
// and, for set operations:
//
//   template <class Key>
//   static constexpr bool runs_sets;  // whether it has kernels for such keys
//   template <class Rule, class Pass, class Key, class Value, class Count>
//   void run_sets(Pass const&, set_output<Key, Value, Count> const&);
//
// Otherwise primitives run elementwise jobs, which all back ends can.
#pragma once

#include <sam/backend/sort_job.hpp>

#include <cstdint>

namespace sam::inline v0_1::engine {

/// A key with its value, as merges move them through memory of the library.
template <class Key, class Value>
struct keyed_value {
  Key key;
  Value value;
};

/// Names what merges move: keys, or keys with their values.
template <class Key, class Value>
struct merged_item {
  using type = keyed_value<Key, Value>;
};
template <class Key>
struct merged_item<Key, no_values> {
  using type = Key;
};
template <class Key, class Value>
using merged_item_t = typename merged_item<Key, Value>::type;

/// Returns a pointer n items on. A null pointer, that of an empty array, stays null.
template <class T>
SAM_FUNCTION T const* advanced(T const* p, index_t n) {
  return p == nullptr ? p : p + n;
}

/// Returns b if takes_b is 1, or a if it is 0. It makes no branch, which a CPU could not predict.
template <class T>
SAM_FUNCTION T const* either(T const* a, T const* b, index_t takes_b) {
  auto const x = reinterpret_cast<std::uintptr_t>(a), y = reinterpret_cast<std::uintptr_t>(b);
  return reinterpret_cast<T const*>(x ^ ((x ^ y) & -static_cast<std::uintptr_t>(takes_b)));
}

/// Arrays of items that are read: together, or keys and values apart.
template <class Key, class Value>
struct merge_source {
  using item = merged_item_t<Key, Value>;
  Key const* keys;
  Value const* values;   // null with an integer Value: value i is i
  item const* together;  // null if keys and values lie apart

  SAM_FUNCTION Key const& key(index_t i) const {
    return together != nullptr ? together[i].key : keys[i];
  }
  SAM_FUNCTION item load(index_t i) const {
    if (together != nullptr)
      return together[i];
    if constexpr (integer<Value>)
      if (values == nullptr)
        return {keys[i], static_cast<Value>(i)};
    return {keys[i], values[i]};
  }
  /// Calls use(load) for two sources of the same kind, whose values are in memory. load(is_a, i)
  /// returns item i of the items of one of them: from item `from_a` of a on, or from_b of b.
  template <class Use>
  static SAM_FUNCTION void with_either(merge_source const& a, index_t from_a, merge_source const& b,
                                       index_t from_b, Use const& use) {
    if (a.together != nullptr) {
      item const *const of_a = a.together + from_a, *const of_b = b.together + from_b;
      use([=](bool is_a, index_t i) { return (is_a ? of_a : of_b)[i]; });
    } else {
      Key const* const keys_a = engine::advanced(a.keys, from_a);
      Key const* const keys_b = engine::advanced(b.keys, from_b);
      Value const* const values_a = engine::advanced(a.values, from_a);
      Value const* const values_b = engine::advanced(b.values, from_b);
      use([=](bool is_a, index_t i) {
        return item{(is_a ? keys_a : keys_b)[i], (is_a ? values_a : values_b)[i]};
      });
    }
  }
  static SAM_FUNCTION Key const& key_of(item const& x) { return x.key; }
};
template <class Key>
struct merge_source<Key, no_values> {
  using item = Key;
  Key const* keys;
  SAM_FUNCTION Key const& key(index_t i) const { return keys[i]; }
  SAM_FUNCTION Key load(index_t i) const { return keys[i]; }
  template <class Use>
  static SAM_FUNCTION void with_either(merge_source const& a, index_t from_a, merge_source const& b,
                                       index_t from_b, Use const& use) {
    Key const* const of_a = engine::advanced(a.keys, from_a);
    Key const* const of_b = engine::advanced(b.keys, from_b);
    use([=](bool is_a, index_t i) { return (is_a ? of_a : of_b)[i]; });
  }
  static SAM_FUNCTION Key const& key_of(Key const& x) { return x; }
};

/// Arrays of items that are written.
template <class Key, class Value>
struct merge_target {
  using item = merged_item_t<Key, Value>;
  Key* keys;  // null if not wanted, as in an argsort
  Value* values;
  item* together;

  SAM_FUNCTION void store(index_t i, item const& x) const {
    if (together != nullptr) {
      together[i] = x;
    } else {
      if (keys != nullptr)
        keys[i] = x.key;
      values[i] = x.value;
    }
  }
  /// Stores item j of b if takes_b is 1, or item i of a if it is 0, for two sources of the same
  /// kind. An item that is chosen by its number passes through memory. If it has several registers,
  /// it waits there until all of them are stored, so it is chosen by its address.
  SAM_FUNCTION void store_either(index_t to, merge_source<Key, Value> const& a, index_t i,
                                 merge_source<Key, Value> const& b, index_t j,
                                 index_t takes_b) const {
    if (a.together != nullptr) {
      if constexpr (sizeof(item) <= 8) {  // one register
        item const next[2] = {a.together[i], b.together[j]};
        store(to, next[takes_b]);
      } else {
        store(to, *engine::either(a.together + i, b.together + j, takes_b));
      }
    } else if (together != nullptr || a.values == nullptr) {
      store(to, takes_b != 0 ? b.load(j) : a.load(i));
    } else {
      if (keys != nullptr)
        keys[to] = *engine::either(a.keys + i, b.keys + j, takes_b);
      values[to] = *engine::either(a.values + i, b.values + j, takes_b);
    }
  }
};
template <class Key>
struct merge_target<Key, no_values> {
  using item = Key;
  Key* keys;
  SAM_FUNCTION void store(index_t i, Key const& x) const { keys[i] = x; }
  SAM_FUNCTION void store_either(index_t to, merge_source<Key, no_values> const& a, index_t i,
                                 merge_source<Key, no_values> const& b, index_t j,
                                 index_t takes_b) const {
    Key const next[2] = {a.keys[i], b.keys[j]};
    keys[to] = next[takes_b];
  }
};

/// Returns items together as a source, or as a target.
template <class Key, class Value>
SAM_FUNCTION merge_source<Key, Value> together_as_source(merged_item_t<Key, Value> const* items) {
  if constexpr (std::is_same_v<Value, no_values>)
    return {items};
  else
    return {nullptr, nullptr, items};
}
template <class Key, class Value>
SAM_FUNCTION merge_target<Key, Value> together_as_target(merged_item_t<Key, Value>* items) {
  if constexpr (std::is_same_v<Value, no_values>)
    return {items};
  else
    return {nullptr, nullptr, items};
}

/// Describes a stable merge of two sorted arrays: of items that compare equal, those of `a` come
/// first. Outputs lie apart from inputs.
template <class Key, class Value, class Less>
struct merge_job {
  merge_source<Key, Value> a, b;
  index_t n_a, n_b;
  merge_target<Key, Value> to;
  Less less;
};

/// Describes a stable sort of n items. Outputs may be inputs, at the same indices.
template <class Key, class Value, class Less>
struct merge_sort_job {
  merge_source<Key, Value> from;
  index_t n;
  merge_target<Key, Value> to;
  Less less;

  /// Returns the job for another number of items.
  SAM_FUNCTION merge_sort_job with_sizes(index_t size, index_t) const {
    merge_sort_job job = *this;
    job.n = size;
    return job;
  }
};

/// A job or a pass whose sizes lie in memory: (*this)() is the one to do. A and B return them.
template <class Job, class A, class B>
struct counted_merge {
  Job job;  // with the largest sizes that there may be
  A a;
  B b;
  SAM_FUNCTION Job operator()() const { return job.with_sizes(a(), b()); }
};

/// A pass that merges neighbouring runs of `length` items of `a`, or all of `a` with all of `b` if
/// length is 0.
template <class Key, class Value, class Less>
struct merge_pass {
  merge_source<Key, Value> a, b;
  index_t n_a, n_b;
  index_t length;
  merge_target<Key, Value> to;
  Less less;

  /// Returns the pass for arrays of other sizes.
  SAM_FUNCTION merge_pass with_sizes(index_t size_a, index_t size_b) const {
    merge_pass pass = *this;
    pass.n_a = size_a;
    pass.n_b = size_b;
    return pass;
  }
  /// Two runs: items [a, a + a_size) of source a, and [b, b + b_size) of source b. The merged items
  /// begin at `begin`.
  struct runs {
    index_t begin, a, a_size, b, b_size;
    SAM_FUNCTION index_t size() const { return a_size + b_size; }
  };
  SAM_FUNCTION index_t size() const { return n_a + n_b; }
  /// Returns the runs that output i belongs to.
  SAM_FUNCTION runs runs_of(index_t i) const {
    if (length == 0)
      return {0, 0, n_a, 0, n_b};
    index_t const begin = i / (2 * length) * (2 * length);
    index_t const middle = min_of(begin + length, n_a), end = min_of(begin + 2 * length, n_a);
    return {begin, begin, middle - begin, middle, end - middle};
  }
  /// True if item j of run b comes before item i of run a.
  SAM_FUNCTION bool takes_b(runs const& r, index_t i, index_t j) const {
    return static_cast<bool>(less(b.key(r.b + j), a.key(r.a + i)));
  }
};

/// Outputs of a set operation, and the values that belong to keys. Its input is a merge_pass of
/// whole arrays of keys, or a counted_merge of one. Its rule says what is kept: see
/// <sam/detail/selection/set_job.hpp>.
template <class Key, class Value, class Count>
struct set_output {
  Key* keys;
  index_t keys_size;                 // keys beyond are dropped
  Value const *values_a, *values_b;  // null with no_values, as is the next one
  Value* values;
  index_t values_size;
  Count* count;  // of all kept keys
};

/// True if context C has a kernel for set operations on keys of this type.
template <class C, class Key>
inline constexpr bool runs_sets = [] {
  if constexpr (requires { C::template runs_sets<Key>; })
    return C::template runs_sets<Key>;
  else
    return false;
}();

/// True if context C sorts runs of items of this type, and merges runs.
template <class C, class Item>
inline constexpr bool merges_runs = [] {
  if constexpr (requires { C::template sorted_run_items<Item>; })
    return C::template sorted_run_items<Item> > 0;
  else
    return false;
}();

}  // namespace sam::inline v0_1::engine
