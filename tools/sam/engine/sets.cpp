// SPDX-License-Identifier: MIT
// Compiles merges and set operations of keys with values.
#include "engine/words_on.hpp"

// This file is included once for each context of a group.
#ifndef SAM_TOOL_SETS
#define SAM_TOOL_SETS
#include <sam/merge.hpp>
#include <sam/set_operations.hpp>

namespace sam::tool {

template <class Context>
class sets_on final : public set_calls {
 public:
  explicit sets_on(Context& context) : context_(context) {}

  index_t combine(set_kind kind, keyed_words const& a, keyed_words const& b,
                  keyed_words const& out) override {
    words_on<Context> const keys_a(context_, a.keys), keys_b(context_, b.keys);
    words_on<Context> const keys(context_, out.keys);
    indices_on<Context> const values_a(context_, a.values), values_b(context_, b.values);
    indices_on<Context> const values(context_, out.values);
    index_t const count = [&] {
      switch (kind) {
      case set_kind::in_any:
        return set_union_by_key(context_, keys_a.in(), values_a.in(), keys_b.in(), values_b.in(),
                                keys.out(), values.out());
      case set_kind::in_both:
        return set_intersection_by_key(context_, keys_a.in(), values_a.in(), keys_b.in(),
                                       keys.out(), values.out());
      case set_kind::in_first:
        return set_difference_by_key(context_, keys_a.in(), values_a.in(), keys_b.in(), keys.out(),
                                     values.out());
      case set_kind::in_one:
        return set_symmetric_difference_by_key(context_, keys_a.in(), values_a.in(), keys_b.in(),
                                               values_b.in(), keys.out(), values.out());
      case set_kind::all:
        break;
      }
      merge_by_key(context_, keys_a.in(), values_a.in(), keys_b.in(), values_b.in(), keys.out(),
                   values.out());
      return static_cast<index_t>(out.keys.size());
    }();
    keys.bring_back();
    values.bring_back();
    return count;
  }

 private:
  Context& context_;
};

template <class Context>
std::unique_ptr<set_calls> make_sets(Context& context) {
  return std::make_unique<sets_on<Context>>(context);
}

}  // namespace sam::tool
#endif

namespace sam::tool {

template std::unique_ptr<set_calls> make_sets(SAM_CONTEXT&);

}  // namespace sam::tool
