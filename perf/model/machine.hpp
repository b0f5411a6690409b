// SPDX-License-Identifier: MIT
// The memory machines of Nakano, "An optimal parallel prefix-sums algorithm on the memory machine
// models for GPUs", ICA3PP 2012, section 2. They compute the time units of memory accesses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace memory_model {

using number = std::int64_t;

/// The Discrete Memory Machine models shared memory, and the Unified Memory Machine models global
/// memory.
enum class machine_kind { discrete, unified };

/// The parameters of a machine. Threads form warps of `width` threads.
struct machine_parameters {
  machine_kind kind;
  number width;    // memory banks, or cells of an address group
  number latency;  // time units until an access is complete
  number threads;
};

/// Returns the time units in which one warp sends its requests for cells at these addresses.
///
/// On the discrete machine, cell a lies in bank a mod w, and a bank takes one request per time
/// unit. On the unified machine, cell a lies in address group a / w, and the memory takes requests
/// for one group per time unit. Requests for the same cell are one request.
inline number units_of_warp(machine_kind kind, number width, std::vector<number> addresses) {
  if (kind == machine_kind::unified)
    for (number& a : addresses)
      a /= width;
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  if (kind == machine_kind::unified)
    return number(addresses.size());
  std::vector<number> of_bank(static_cast<std::size_t>(width));
  number most = 0;
  for (number const a : addresses)
    most = std::max(most, ++of_bank[static_cast<std::size_t>(a % width)]);
  return most;
}

/// A memory machine with its memory. It runs accesses and adds up their time.
class machine {
 public:
  machine(machine_parameters const& parameters, number cells)
      : of_(parameters), memory_(static_cast<std::size_t>(cells)) {
    if (of_.width < 1 || of_.latency < 1 || of_.threads < 1)
      throw std::invalid_argument("memory_model::machine: a parameter is less than 1");
  }

  machine_parameters const& parameters() const { return of_; }
  /// The time units of all accesses so far.
  number time() const { return time_; }

  /// Accesses a cell without taking time, to set up and to check.
  number& operator[](number address) { return memory_.at(static_cast<std::size_t>(address)); }

  /// Reads the cells address_of(0) to address_of(n - 1) in parallel. Thread i reads the cells of i,
  /// i + p, and so on, and waits for each before it reads the next.
  template <class Address>
  std::vector<number> read(number n, Address const& address_of) {
    take_time(n, address_of);
    std::vector<number> values;
    for (number i = 0; i < n; ++i)
      values.push_back((*this)[address_of(i)]);
    return values;
  }
  /// Writes values in parallel, as read() reads them.
  template <class Address>
  void write(std::vector<number> const& values, Address const& address_of) {
    take_time(number(values.size()), address_of);
    for (std::size_t i = 0; i < values.size(); ++i)
      (*this)[address_of(number(i))] = values[i];
  }

 private:
  template <class Address>
  void take_time(number n, Address const& address_of) {
    for (number first = 0; first < n; first += of_.threads)
      time_ += step(first, std::min(n, first + of_.threads), address_of);
  }
  /// Returns the time in which each thread does at most one access. Warps send their requests in
  /// turn, and the last one completes after the latency.
  template <class Address>
  number step(number begin, number end, Address const& address_of) {
    number units = 0;
    for (number warp = begin; warp < end; warp += of_.width) {
      std::vector<number> addresses;
      for (number i = warp; i < std::min(end, warp + of_.width); ++i)
        addresses.push_back(address_of(i));
      units += units_of_warp(of_.kind, of_.width, addresses);
    }
    return units + of_.latency - 1;
  }

  machine_parameters of_;
  std::vector<number> memory_;
  number time_ = 0;
};

}  // namespace memory_model
