// SPDX-License-Identifier: MIT
// Every kind of job on every back end.
#include <sam/sam.hpp>

#include "job_kinds.hpp"
#include "support.hpp"

namespace {

using sam::index_t;

/// Runs jobs on a back end that read one array of integers and write another, and perhaps a count.
class runner {
 public:
  static constexpr bool selects_first = sam::engine::selects_first<test::engine_context, int>;
  static constexpr bool limits_items = sam::engine::limits_items<test::engine_context>;

  runner(test::engine_context& context, std::vector<int> const& items)
      : context_(context), in_(test::on_backend(items)) {}

  /// Runs the job that make(in, out, count) returns. Returns the first `size` outputs.
  template <class Make, class Policy>
  std::vector<int> run(Make const& make, Policy const& policy, std::size_t size) {
    auto const n = static_cast<index_t>(in_.size());
    test::fenced_array<int> out(std::max<index_t>(n, 1));
    context_.run(n, make(in_.data(), out.data(), count_.data()), policy);
    context_.wait();
    REQUIRE(out.fences_intact());
    auto outputs = out.to_host();
    outputs.resize(size);
    return outputs;
  }
  index_t count() const { return count_.to_host()[0]; }
  void count(index_t to) { count_ = test::on_backend(std::vector<index_t>{to}); }

 private:
  test::engine_context& context_;
  test::fenced_array<int> in_;
  test::fenced_array<index_t> count_{1};
};

}  // namespace

TEST_CASE("the smallest job of every kind runs") {
  test::engine_context context;
  for (index_t const n : {1, 2, 63, 1000, 100'003}) {
    CAPTURE(n);
    auto const in = test::some_integers(n);
    runner with(context, in);
    test::check_every_kind(with, in);
  }
}
