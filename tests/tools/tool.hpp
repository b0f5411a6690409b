// SPDX-License-Identifier: MIT
// Helpers for tests of the tool: they run it, and write and read .npy files with code of their own.
#pragma once

#include <sam/portable.hpp>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

/// A temporary folder, removed at the end.
class test_folder {
 public:
  test_folder();
  ~test_folder();
  test_folder(test_folder const&) = delete;
  test_folder& operator=(test_folder const&) = delete;

  std::string operator/(std::string const& name) const { return path_ / name; }
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

struct run_result {
  int status;
  std::string output, errors;
};

/// Runs `sam <arguments>` in a shell, after the commands in `before`.
run_result run_tool(std::string const& arguments, std::string const& before = "");

/// Runs commands in a shell, with the tool as $sam.
run_result run_shell(std::string const& commands);

/// Starts `sam <arguments>` and returns its process id.
int start_tool(std::string const& arguments);
/// Waits for a process and returns its exit status, or the negated number of the signal that ended
/// it.
int end_of(int process);

/// Returns the names of the back ends that this program tests.
std::vector<std::string> back_ends();
/// Returns the options that choose each of them. Skips the test if one cannot be used here.
std::vector<std::string> back_end_options();
/// Returns an option that chooses one of them, or nothing if that is the tool's default. May skip
/// the test.
std::string one_back_end();

/// Checks that the tool fails with `status` and prints `problem` in one line.
void fails(int status, std::string const& problem, std::string const& arguments,
           std::string const& before = "");

std::string read_bytes(std::string const& path);
void write_bytes(std::string const& path, std::string const& bytes);

/// Returns a .npy file made of its parts.
std::string npy_bytes(std::string const& header, std::string const& items, char version = 1);
/// Returns the bytes behind the header.
std::string npy_items(std::string const& file);
std::string npy_header(std::string const& file);
/// Checks the item type in the header.
void expect_type(std::string const& file, std::string const& descr);

template <class T>
std::string descr() {
  std::string const kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
  return (sizeof(T) == 1 ? "|" : "<") + kind + std::to_string(sizeof(T));
}

/// The type of sums and products of T.
template <class T>
using total =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class To, class From>
std::vector<To> converted(std::vector<From> const& items) {
  std::vector<To> result;
  result.reserve(items.size());
  for (From const x : items)
    result.push_back(static_cast<To>(x));
  return result;
}
template <class T>
std::vector<total<T>> widened(std::vector<T> const& items) {
  return converted<total<T>>(items);
}

template <class T>
void write_npy(std::string const& path, std::vector<T> const& items) {
  std::string bytes(items.size() * sizeof(T), '\0');
  if (!items.empty())
    std::memcpy(bytes.data(), items.data(), bytes.size());
  write_bytes(path, npy_bytes("{'descr': '" + descr<T>() + "', 'fortran_order': False, 'shape': (" +
                                  std::to_string(items.size()) + ",), }",
                              bytes));
}

/// Reads the items of a file, whose type must be T.
template <class T>
std::vector<T> read_npy(std::string const& path) {
  std::string const file = read_bytes(path), bytes = npy_items(file);
  expect_type(file, descr<T>());
  std::vector<T> items(bytes.size() / sizeof(T));
  if (!items.empty())
    std::memcpy(items.data(), bytes.data(), bytes.size());
  return items;
}

/// Packs flags as bits, 32 per word, lowest bit first. Bits behind the last flag are set.
template <class Flag>
std::vector<std::uint32_t> packed(std::vector<Flag> const& flags) {
  std::vector<std::uint32_t> words((flags.size() + 31) / 32, ~std::uint32_t{0});
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] == Flag(0))
      words[i / 32] ^= std::uint32_t{1} << (i % 32);
  return words;
}

/// Returns random items: any bits for integers, small integers for floats, whose sums are exact.
template <class T>
std::vector<T> random_items(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> items(n);
  for (T& item : items)
    if constexpr (std::is_floating_point_v<T>)
      item = static_cast<T>(static_cast<int>(random() % 5) - 2);
    else
      item = static_cast<T>(random());
  return items;
}
