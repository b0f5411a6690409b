// SPDX-License-Identifier: MIT
// Declares the calls on words that a context makes. Each function is compiled in a source of its
// own. What it returns must not outlive the context.
#pragma once

#include "engine/memory.hpp"
#include "word_calls.hpp"

namespace sam::tool {

template <class Context>
std::unique_ptr<set_calls> make_sets(Context& context);
template <class Context>
std::unique_ptr<move_calls> make_moves(Context& context);
template <class Context>
std::unique_ptr<rank_calls> make_ranks(Context& context);
template <class Context>
std::unique_ptr<number_calls> make_numbers(Context& context);

/// Words and indices in memory that the context can access.
template <class Context>
using words_on = typename memory_of<Context>::template arrays<std::uint64_t>;
template <class Context>
using indices_on = typename memory_of<Context>::template arrays<std::int64_t>;

}  // namespace sam::tool
