// SPDX-License-Identifier: MIT
// Every kind of job by the GPU kernels on fibers.
#include "items.hpp"
#include "job_kinds.hpp"
#include "simt/context.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>

namespace {

/// Runs jobs on fibers that read one array of integers and write another, and perhaps a count.
template <class Context>
class runner {
 public:
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

}  // namespace

TEMPLATE_TEST_CASE("the smallest job of every kind runs on fibers", "", simt::context<32>,
                   simt::context<64>) {
  for (int const n : {1, 63, 1000, 3001}) {
    TestType context(3, test::seed_for(n));
    auto const in = test::some_integers(n);
    runner<TestType> with(context, in);
    test::check_every_kind(with, in);
  }
}
