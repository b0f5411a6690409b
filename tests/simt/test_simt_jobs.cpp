// SPDX-License-Identifier: MIT
// Every kind of job by the GPU kernels on fibers.
#include "items.hpp"
#include "job_kinds.hpp"
#include "simt/context.hpp"
#include "simt/runner.hpp"
#include "simt/scans.hpp"
#include <catch2/catch_template_test_macros.hpp>

TEMPLATE_TEST_CASE("the smallest job of every kind runs on fibers", "", simt::context<32>,
                   simt::context<64>) {
  for (int const n : {1, 63, 1000, 3001}) {
    TestType context(3, test::seed_for(n));
    auto const in = test::some_integers(n);
    simt::runner<TestType> with(context, in);
    test::check_every_kind(with, in);
  }
}
