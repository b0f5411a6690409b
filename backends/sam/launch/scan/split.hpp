// SPDX-License-Identifier: MIT
// Partitions few items by kind on a CUDA device, by one kernel.
#pragma once

#include <sam/gpu/few_items/split_in_cluster.hpp>
#include <sam/launch/scan/run.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Queues a partition of few items in one block or one cluster. Returns false, and queues nothing,
/// if there are too many items.
template <class Item, class Count, class Kind>
bool context::split(split_job<Item, Count, Kind> const& job) {
  using in_cluster = gpu::split_in_cluster<split_job<Item, Count, Kind>>;
  auto const policy =
      engine::resolve_policy<bound::exclusive>(scan_policy<plus>{}, from_value<std::uint32_t>{0});
  using policy_type = std::remove_const_t<decltype(policy)>;
  if constexpr (scan_tuning::has_cluster<in_cluster, policy_type>)
    return job.n <= in_cluster::most_items && job.n * index_t{sizeof(Item)} < small_bytes() &&
           self::launch_one_cluster<scan_tuning::cluster<in_cluster, policy_type>>(
               *this, job.n, in_cluster{job}, policy);
  else
    return false;
}

/// Returns true if the device has too little shared memory for compactions of many items to be
/// fast. Both compactions wait for look-back at every tile. A count waits for none, so that one
/// pass over tiles is left.
template <class Item, class Count, class Kind>
requires(scan_memory::least_to_compact_twice >
         0) bool context::counts_kinds_first(split_job<Item, Count, Kind> const& job) const {
  return index_t(shared_bytes()) < scan_memory::least_to_compact_twice &&
         job.n * index_t{sizeof(Item)} >= scan_tuning::least_to_count_first;
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
