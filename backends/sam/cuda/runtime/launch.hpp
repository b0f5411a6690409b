// SPDX-License-Identifier: MIT
// How a kernel is queued: how many of its blocks the device holds, and what a launch asks for.
#pragma once

#include <sam/cuda/runtime/context.hpp>

namespace sam::cuda {

/// Lets a kernel have `bytes` of shared memory, always as many, and says how many blocks of it a
/// multiprocessor then holds.
template <class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments), int threads, int bytes) {
  auto const* const function = reinterpret_cast<void const*>(kernel);
  return context.known(function, [&] {
    check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "give a kernel its shared memory");
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads,
                                                        std::size_t(bytes)),
          "find out how many blocks are resident");
    return blocks;
  });
}
/// The same of a kernel of a config: 0 if the device has too little shared memory for it.
template <class Config, class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments)) {
  return Config::shared_bytes > int(context.shared_bytes())
             ? 0
             : cuda::resident_blocks(context, kernel, Config::threads, Config::shared_bytes);
}

/// So many blocks, at most `most`, and no more than the context allows.
inline index_t limited(context const& context, index_t blocks, index_t most) {
  blocks = min_of(blocks, most);
  return context.most_blocks() > 0 ? min_of(blocks, context.most_blocks()) : blocks;
}

/// What a launch asks for besides its sizes.
class launch_attributes {
 public:
  /// The kernel may start before the one before it is done: see device::grid_dependency_wait.
  void start_early() {
    add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed =
        1;
  }
  /// So many blocks run at the same time and reach one another's shared memory.
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

/// Asks for half of a multiprocessor's memory as shared memory while it runs blocks of this kernel:
/// where kernels that follow one another divide it in different ways, the next one cannot start
/// early, and the driver takes no heed of that.
inline void share_half(void const* kernel) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50),
        "divide the memory of multiprocessors");
}
/// The same for the first time that it is said of a kernel.
inline void share_half(context& context, void const* kernel) {
  context.known(kernel, [&] { return share_half(kernel), 0; });
}

/// How many blocks of a kernel the device holds in one cluster: `most`, the 8 that any device holds
/// if this part of it has as many multiprocessors, or none. Lets the kernel have `bytes` of shared
/// memory, always as many.
template <class Arguments>
int blocks_of_cluster(context& context, void (*kernel)(Arguments), int most, int threads,
                      int bytes) {
  auto const* const function = reinterpret_cast<void const*>(kernel);
  return context.known(function, [&] {
    constexpr int portable = 8;
    check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "give a kernel its shared memory");
    share_half(function);
    if (most > portable)
      check(cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
            "let a kernel form large clusters");
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
        cudaGetLastError();  // a device that knows no such clusters holds none
      else if (clusters > 0)
        return blocks;
    }
    return 0;
  });
}

/// Queues a kernel that waits for the one before it by itself: see device::grid_dependency_wait.
/// Not early, it starts only when that is done. Blocks may form clusters of so many.
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
