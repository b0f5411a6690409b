// SPDX-License-Identifier: MIT
// Compiles searches, and moves by indices and stencils.
#include "engine/words_on.hpp"

// This file is included once for each context of a group.
#ifndef SAM_TOOL_MOVES
#define SAM_TOOL_MOVES
#include <sam/binary_search.hpp>
#include <sam/compact.hpp>
#include <sam/gather.hpp>

namespace sam::tool {

template <class Context>
class moves_on final : public move_calls {
  using words = words_on<Context>;
  using indices_type = indices_on<Context>;

 public:
  explicit moves_on(Context& context) : context_(context) {}

  void search(word_span sorted, word_span values, index_span begins, index_span ends) override {
    words const among(context_, sorted), wanted(context_, values);
    indices_type const from(context_, begins), to(context_, ends);
    if (ends.empty())
      lower_bound(context_, among.in(), wanted.in(), from.out());
    else if (begins.empty())
      upper_bound(context_, among.in(), wanted.in(), to.out());
    else
      equal_range(context_, among.in(), wanted.in(), from.out(), to.out());
    from.bring_back();
    to.bring_back();
  }
  void gather(word_span in, index_span indices, word_span out) override {
    words const from(context_, in), to(context_, out);
    indices_type const by(context_, indices);
    sam::gather(context_, from.in(), by.in(), to.out());
    to.bring_back();
  }
  void scatter(word_span in, index_span indices, word_span out) override {
    words const from(context_, in), to(context_, out);
    indices_type const by(context_, indices);
    sam::scatter(context_, from.in(), by.in(), to.out());
    to.bring_back();
  }
  void permute(index_span indices, word_span in, word_span out, word_span other_in,
               word_span other_out) override {
    words const from(context_, in), to(context_, out);
    words const other_from(context_, other_in), other_to(context_, other_out);
    indices_type const by(context_, indices);
    sam::apply_permutation(context_, by.in(), from.in(), to.out(), other_from.in(), other_to.out());
    to.bring_back();
    other_to.bring_back();
  }
  index_t keep_by(word_span in, word_span stencil, word_span out,
                  key_range<std::uint64_t> keep) override {
    words const from(context_, in), by(context_, stencil), to(context_, out);
    index_t const kept = compact_by_stencil(context_, from.in(), by.in(), to.out(), keep);
    to.bring_back();
    return kept;
  }

 private:
  Context& context_;
};

template <class Context>
std::unique_ptr<move_calls> make_moves(Context& context) {
  return std::make_unique<moves_on<Context>>(context);
}

}  // namespace sam::tool
#endif

namespace sam::tool {

template std::unique_ptr<move_calls> make_moves(SAM_CONTEXT&);

}  // namespace sam::tool
