// SPDX-License-Identifier: MIT
// Kernel launches: occupancy queries, launch attributes and the launch itself.
#pragma once

#include <sam/cuda/runtime/context.hpp>

namespace sam::inline v0_1::cuda {

/// Lets a kernel have `bytes` of dynamic shared memory. The limit is never lowered, because another
/// context may have raised it.
inline void allow_shared_bytes(void const* kernel, int bytes) {
  cudaFuncAttributes now;
  check(cudaFuncGetAttributes(&now, kernel), "query the shared memory of a kernel");
  if (now.maxDynamicSharedSizeBytes < bytes)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "set the shared memory of a kernel");
}

/// Returns how many blocks of a kernel a multiprocessor holds, and lets the kernel have `bytes` of
/// dynamic shared memory.
template <class Arguments>
int count_resident(context const& context, void (*kernel)(Arguments), int threads, int bytes) {
  auto const* const function = reinterpret_cast<void const*>(kernel);
  allow_shared_bytes(function, bytes);
  int blocks = 0;
  check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, std::size_t(bytes)),
      "query the occupancy of a kernel");
  return int(min_of(blocks, context.blocks_with_room(threads, std::size_t(bytes))));
}
/// Returns the same, and asks only in the first call of a context for a kernel. Later calls must
/// get the same `bytes`.
template <class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments), int threads, int bytes) {
  return context.known(reinterpret_cast<void const*>(kernel),
                       [&] { return cuda::count_resident(context, kernel, threads, bytes); });
}
/// Returns how many blocks of a config's kernel a multiprocessor holds; 0 if the device has too
/// little shared memory.
template <class Config, class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments)) {
  return Config::shared_bytes > int(context.shared_bytes())
             ? 0
             : cuda::resident_blocks(context, kernel, Config::threads, Config::shared_bytes);
}

/// Returns `blocks`, limited to `most` and to the limit of the context.
inline index_t limited(context const& context, index_t blocks, index_t most) {
  blocks = min_of(blocks, most);
  return context.most_blocks() > 0 ? min_of(blocks, context.most_blocks()) : blocks;
}

/// The attributes of a launch: programmatic dependent launch and the cluster size.
class launch_attributes {
 public:
  /// Lets the kernel start before the previous one ends: see device::grid_dependency_wait.
  void start_early() {
    add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed =
        1;
  }
  /// Groups blocks into clusters, whose blocks run at the same time and access each other's shared
  /// memory.
  void form_clusters(index_t blocks) {
    add(cudaLaunchAttributeClusterDimension).clusterDim = {unsigned(blocks), 1, 1};
  }
  void put_into(cudaLaunchConfig_t& config) {
    config.attrs = all_;
    config.numAttrs = unsigned(count_);
  }

 private:
  cudaLaunchAttributeValue& add(cudaLaunchAttributeID id) {
    all_[count_].id = id;
    return all_[count_++].val;
  }
  cudaLaunchAttribute all_[2]{};
  int count_ = 0;
};

/// Sets a kernel's shared-memory carve-out to half. A kernel cannot start early if its carve-out
/// differs from that of the previous kernel, and the driver does not account for this.
inline void share_half(void const* kernel) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50),
        "set the shared memory carveout of a kernel");
}
/// Sets the carve-out of a kernel once, in the first call for that kernel.
inline void share_half(context& context, void const* kernel) {
  context.known(kernel, [&] { return share_half(kernel), 0; });
}

/// Returns the largest cluster size that the device supports for a kernel: `most`, the portable
/// size of 8, or 0. MIG partitions may have too few multiprocessors for either. Also sets the limit
/// of dynamic shared memory to `bytes`, which must be the same in every call.
template <class Arguments>
int blocks_of_cluster(context& context, void (*kernel)(Arguments), int most, int threads,
                      int bytes) {
  auto const* const function = reinterpret_cast<void const*>(kernel);
  return context.known(function, [&] {
    constexpr int portable = 8;
    check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "set the shared memory of a kernel");
    share_half(function);
    if (most > portable)
      check(cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
            "allow large clusters for a kernel");
    for (int const blocks : {most, portable}) {
      launch_attributes attributes;
      attributes.form_clusters(blocks);
      cudaLaunchConfig_t config{};
      config.gridDim = unsigned(blocks);
      config.blockDim = unsigned(threads);
      config.dynamicSmemBytes = std::size_t(bytes);
      attributes.put_into(config);
      int clusters = 0;
      if (cudaOccupancyMaxActiveClusters(&clusters, function, &config) != cudaSuccess)
        cudaGetLastError();  // clears the error: the device lacks such clusters
      else if (clusters > 0)
        return blocks;
    }
    return 0;
  });
}

/// Queues a kernel. With `starts_early` it may start before the previous kernel ends, and must call
/// device::grid_dependency_wait itself; otherwise it starts after the previous kernel. Blocks form
/// clusters of `of_cluster`.
template <class Arguments>
void launch(context& context, void (*kernel)(Arguments), index_t blocks, int threads,
            int shared_bytes, std::type_identity_t<Arguments> const& arguments,
            bool starts_early = true, int of_cluster = 1) {
  launch_attributes attributes;
  if (starts_early && context.starts_early())
    attributes.start_early();
  if (of_cluster > 1)
    attributes.form_clusters(of_cluster);
  cudaLaunchConfig_t config{};
  config.gridDim = unsigned(blocks);
  config.blockDim = unsigned(threads);
  config.dynamicSmemBytes = std::size_t(shared_bytes);
  config.stream = context.stream();
  attributes.put_into(config);
  cuda::check(cudaLaunchKernelEx(&config, kernel, arguments), "launch a kernel");
}

}  // namespace sam::inline v0_1::cuda
