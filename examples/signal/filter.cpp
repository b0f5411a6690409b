// SPDX-License-Identifier: MIT
// Recursive filters, recurrences, and differences, of a signal.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <array>
#include <cmath>
#include <vector>

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  // [recurrence]
  // A balance with interest: out[i] = rates[i] * out[i - 1] + payments[i], from 1000 on.
  std::vector<double> const rates{1.5, 1.0, 2.0}, payments{0, -100, 50};
  std::vector<double> balances(3);
  sam::linear_recurrence(context, rates, payments, balances, 1000.0);  // 1500 1400 2850
  // [/recurrence]

  // [filter]
  // out[i] = in[i] + 1.5 out[i - 1] - 0.5 out[i - 2]
  std::vector<double> const impulse{1, 0, 0, 0};
  std::vector<double> response(4);
  sam::linear_filter(context, impulse, std::array{1.5, -0.5}, response);  // 1 1.5 1.75 1.875
  // [/filter]

  // [delta]
  std::vector<int> const samples{10, 13, 17, 22, 28};
  std::vector<int> differences(5), decoded(5);
  sam::delta_encode<2>(context, samples, differences);  // 10 -7 1 1 1
  sam::delta_decode<2>(context, differences, decoded);  // the samples again
  // [/delta]
  context.wait();

  bool const right = balances == std::vector<double>{1500, 1400, 2850} &&
                     std::abs(response[3] - 1.875) < 1e-12 &&
                     differences == std::vector{10, -7, 1, 1, 1} && decoded == samples;
  return right ? 0 : 1;
}
