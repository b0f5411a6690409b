// SPDX-License-Identifier: MIT
// Prints the scan plan as tables, for `sam info --scan-plan` and for docs/internals/cuda_scan.md.
#ifndef SAM_LAUNCH_SCAN_PLAN_TEXT_HPP
#define SAM_LAUNCH_SCAN_PLAN_TEXT_HPP

#include <sam/launch/runtime/context.hpp>
#include <sam/launch/scan/plan.hpp>

#include <string>

namespace sam::inline v0_1::SAM_GPU_WARPS {

namespace detail {

/// Scans an array of T into another.
template <class T>
struct array_job {
  using item = T;
  using accumulator = T;

  SAM_FUNCTION T load(index_t i) const { return in[i]; }
  SAM_FUNCTION T to_accumulator(T x) const { return x; }
  SAM_FUNCTION void store(index_t i, T, T y) const { out[i] = y; }
  SAM_FUNCTION T const* source() const { return in; }
  SAM_FUNCTION T* target() const { return out; }

  T const* in;
  T* out;
};

/// Returns a config as text: warps, items of each thread, stages, items of a tile, shared memory.
template <class Job, class Policy, class Config>
std::string text_of_config() {
  using config = gpu::scan_config<device, Job, Policy, Config>;
  return std::to_string(config::tile_items) + " items: " + std::to_string(config::warps) +
         " warps of " + std::to_string(config::items) + " a thread, " +
         std::to_string(config::stages) + " stages, " +
         std::to_string((config::shared_bytes + 1023) / 1024) + " KiB";
}

/// Returns the most items of a block and, if a job uses clusters, of a cluster as text.
template <class Job, class Policy>
std::string text_of_cluster() {
  if constexpr (scan_tuning::has_cluster<Job, Policy>) {
    using config = scan_tuning::cluster<Job, Policy>;
    using scan = gpu::one_cluster_scan<device, Job, Policy, config>;
    return std::to_string(scan::block_items) + " in a block: " + std::to_string(config::warps) +
           " warps of " + std::to_string(config::items) + " a thread" +
           (config::blocks > 1 ? "; " + std::to_string(scan::most_items) + " in a cluster" : "");
  } else {
    return "";
  }
}

/// Returns the row of inclusive sums of T of an order and tuple size.
template <class T, int Order = 1, int TupleSize = 1>
std::string row_of_sums(char const* items) {
  using policy = decltype(engine::resolve_policy<bound::inclusive>(
      scan_policy<plus, Order, TupleSize>{}, from_nothing{}));
  using job = array_job<T>;
  std::string text = "| " + std::string(items) + " | " + std::to_string(Order) + " | " +
                     (TupleSize == run_time_tuple ? "at run time" : std::to_string(TupleSize)) +
                     " | ";
  if constexpr (TupleSize == run_time_tuple) {
    return text + " | | " +
           self::detail::text_of_config<job, policy, scan_tuning::panels<T, policy>>() + " |\n";
  } else {
    return text + self::detail::text_of_cluster<job, policy>() + " | " +
           self::detail::text_of_config<job, policy, scan_tuning::small<job, policy>>() + " | " +
           self::detail::text_of_config<job, policy, scan_tuning::large<job, policy>>() + " |\n";
  }
}

}  // namespace detail

/// Returns the rows of the plan, and the configs of some sums, as Markdown tables.
inline std::string scan_plan_text() {
  std::string text = "| when, the first row that holds | what runs | reads, writes of items |\n"
                     "| --- | --- | --- |\n";
  for (scan_row const& row : scan_rows)
    text += std::string("| ") + row.when + " | " + row.runs + " | " + row.traffic + " |\n";
  return text +
         "\nLarge tiles run from 4.5 MiB of items of less than 8 bytes on, from 2.5 MiB of less "
         "than "
         "16, and from 1 MiB of larger ones.\n\n"
         "| items | order | tuple | few items | small tile | large tile |\n"
         "| --- | --- | --- | --- | --- | --- |\n" +
         detail::row_of_sums<std::int8_t>("int8") + detail::row_of_sums<std::int32_t>("int32") +
         detail::row_of_sums<std::int64_t>("int64") + detail::row_of_sums<double>("double") +
         detail::row_of_sums<std::int32_t, 2>("int32") +
         detail::row_of_sums<std::int32_t, 8>("int32") +
         detail::row_of_sums<std::int32_t, 1, 2>("int32") +
         detail::row_of_sums<std::int32_t, 1, 5>("int32") +
         detail::row_of_sums<std::int32_t, 1, run_time_tuple>("int32");
}

}  // namespace sam::inline v0_1::SAM_GPU_WARPS

#endif
