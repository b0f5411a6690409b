// SPDX-License-Identifier: MIT
// This file queries the occupancy of kernels and launches them.
#pragma once

#include <sam/cuda/runtime/context.hpp>

namespace sam::cuda {

/// Sets the dynamic shared memory of a kernel to `bytes`, which must always be the same for a
/// kernel. Returns the number of its blocks that fit on a multiprocessor.
template <class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments), int threads, int bytes) {
  auto const* const function = reinterpret_cast<void const*>(kernel);
  return context.known(function, [&] {
    check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "set the shared memory of a kernel");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                        std::size_t(bytes)),
          "query the occupancy of a kernel");
    return blocks;
  });
}
/// Returns the number of blocks per multiprocessor for a kernel of a config, or 0 if the device has
/// too little shared memory.
template <class Config, class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments)) {
  return Config::shared_bytes > int(context.shared_bytes())
             ? 0
             : cuda::resident_blocks(context, kernel, Config::threads, Config::shared_bytes);
}

/// Returns `blocks`, but at most `most` and at most the limit of the context.
inline index_t limited(context const& context, index_t blocks, index_t most) {
  blocks = min_of(blocks, most);
  return context.most_blocks() > 0 ? min_of(blocks, context.most_blocks()) : blocks;
}

/// Collects the attributes of a launch.
class launch_attributes {
 public:
  /// Allows the kernel to start before the previous kernel has finished; see
  /// device::grid_dependency_wait.
  void start_early() {
    add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed =
        1;
  }
  /// Groups blocks into clusters, whose blocks are scheduled together and can access one another's
  /// shared memory.
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

/// Requests that a multiprocessor use half of its L1 memory as shared memory while it runs this
/// kernel. If consecutive kernels have different carveouts, the next one cannot start early, and
/// the driver does not take this into account.
inline void share_half(void const* kernel) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50),
        "set the shared memory carveout of a kernel");
}
/// Sets the carveout of a kernel on its first use with this context.
inline void share_half(context& context, void const* kernel) {
  context.known(kernel, [&] { return share_half(kernel), 0; });
}

/// Returns the largest supported cluster size of a kernel: `most`, the portable size 8, or 0 if no
/// cluster fits on this device or partition. Sets the dynamic shared memory to `bytes`, which must
/// always be the same for a kernel.
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
        cudaGetLastError();  // clears the error: the device does not support this cluster size
      else if (clusters > 0)
        return blocks;
    }
    return 0;
  });
}

/// Queues a kernel that calls device::grid_dependency_wait. If `starts_early` is false, it starts
/// when the previous kernel has finished. `of_cluster` is the number of blocks per cluster.
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

}  // namespace sam::cuda
