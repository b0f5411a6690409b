// SPDX-License-Identifier: MIT
// Runs jobs of every kind on fibers.
#pragma once

#include <sam/backend/members.hpp>

#include <cstddef>
#include <vector>

namespace simt {

/// Runs jobs on fibers that read one array of integers and write another, and perhaps a count.
template <class Context>
class runner {
 public:
  static constexpr bool selects_first = sam::engine::selects_first<Context, int>;
  static constexpr bool limits_items = sam::engine::limits_items<Context>;

  runner(Context& context, std::vector<int> const& items) : context_(context), in_(items) {}

  template <class Make, class Policy>
  std::vector<int> run(Make const& make, Policy const& policy, std::size_t size) {
    std::vector<int> out(in_.size());
    context_.run(static_cast<sam::index_t>(in_.size()), make(in_.data(), out.data(), &count_),
                 policy);
    out.resize(size);
    return out;
  }
  sam::index_t count() const { return count_; }
  void count(sam::index_t to) { count_ = to; }

 private:
  Context& context_;
  std::vector<int> in_;
  sam::index_t count_ = -1;
};

}  // namespace simt
