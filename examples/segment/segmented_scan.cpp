// SPDX-License-Identifier: MIT
// A sparse matrix in compressed rows times a vector, and each customer's running balance: many
// short sequences in one array. The time does not depend on how long each sequence is.
#include <sam/backend.hpp>
#include <sam/sam.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  sam::default_runtime const runtime(argc, argv);
  sam::default_context context;

  // Row k of the matrix lies from rows[k] to rows[k + 1]; row 1 is empty.
  std::vector<int> const rows{0, 2, 2, 5}, columns{0, 2, 0, 1, 2};
  std::vector<double> const entries{1, 2, 3, 4, 5}, vector{10, 20, 30};
  std::vector<double> products(entries.size()), result(3);
  for (std::size_t i = 0; i < entries.size(); ++i)
    products[i] = entries[i] * vector[static_cast<std::size_t>(columns[i])];
  sam::segmented_reduce(context, products, sam::by_offsets(rows), result);

  // Payments, sorted by customer.
  std::vector<int> const customers{7, 7, 7, 8, 9, 9}, payments{50, -20, -5, 10, 1, 2};
  std::vector<int> balances(6), before(6), names(6), totals(6), count(1);
  sam::segmented_inclusive_scan(context, payments, sam::by_keys(customers), balances);
  sam::segmented_exclusive_scan(context, payments, sam::by_keys(customers), before, sam::plus{},
                                100);
  sam::reduce_by_key(context, customers, payments, names, totals, count);
  context.wait();

  for (std::size_t c = 0; c < static_cast<std::size_t>(count[0]); ++c)
    std::printf("customer %d: %d\n", names[c], totals[c]);
  bool const right = result == std::vector<double>{70, 0, 260} &&
                     balances == std::vector{50, 30, 25, 10, 1, 3} &&
                     before == std::vector{100, 150, 130, 100, 100, 101} && count[0] == 3 &&
                     names[2] == 9 && totals[0] == 25 && totals[1] == 10 && totals[2] == 3;
  return right ? 0 : 1;
}
