// SPDX-License-Identifier: MIT
// Kernel launches: occupancy queries, launch attributes and the launch itself.
//
// The address of a kernel template differs from one translation unit to the next (nvcc option
// -static-global-template-stub), and each address is a kernel with attributes of its own, while the
// host linker keeps one copy of a function that takes it. So the address of a kernel whose
// attributes are set is taken once, and passed on to its launch: in two functions, &kernel may be
// two kernels.
#pragma once

#include <sam/launch/runtime/context.hpp>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Lets a kernel have `bytes` of dynamic shared memory. The limit is never lowered, because another
/// context may have raised it.
inline void allow_shared_bytes(void const* kernel, int bytes) {
  int now = 0;
  check(platform::get_shared_limit(kernel, now), "query the shared memory of a kernel");
  if (now < bytes)
    check(platform::set_shared_limit(kernel, bytes), "set the shared memory of a kernel");
}

/// Returns how many blocks of a kernel a multiprocessor holds, and lets the kernel have `bytes` of
/// dynamic shared memory.
template <class Arguments>
int count_resident(context const& context, void (*kernel)(Arguments), int threads, int bytes) {
  auto const* const function = reinterpret_cast<void const*>(kernel);
  allow_shared_bytes(function, bytes);
  int blocks = 0;
  check(platform::count_resident(blocks, function, threads, std::size_t(bytes)),
        "query the occupancy of a kernel");
  return int(min_of(blocks, context.blocks_with_room(threads, std::size_t(bytes))));
}
/// Returns the same, and asks only in the first call of a context for a kernel. Later calls must
/// get the same `bytes`.
template <class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments), int threads, int bytes) {
  return context.known(reinterpret_cast<void const*>(kernel),
                       [&] { return self::count_resident(context, kernel, threads, bytes); });
}
/// Returns how many blocks of a config's kernel a multiprocessor holds; 0 if the device has too
/// little shared memory.
template <class Config, class Arguments>
int resident_blocks(context& context, void (*kernel)(Arguments)) {
  return Config::shared_bytes > int(context.shared_bytes())
             ? 0
             : self::resident_blocks(context, kernel, Config::threads, Config::shared_bytes);
}

/// Returns `blocks`, limited to `most` and to the limit of the context.
inline index_t limited(context const& context, index_t blocks, index_t most) {
  blocks = min_of(blocks, most);
  return context.most_blocks() > 0 ? min_of(blocks, context.most_blocks()) : blocks;
}

/// Sets a kernel's shared-memory carve-out, in percent. A kernel cannot start early if its
/// carve-out differs from that of the previous kernel, and the driver does not account for this.
inline void share(void const* kernel, int percent) {
  check(platform::share(kernel, percent), "set the shared memory carveout of a kernel");
}
inline void share_half(void const* kernel) { share(kernel, 50); }
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
    check(platform::set_shared_limit(function, bytes), "set the shared memory of a kernel");
    share_half(function);
    if (most > portable)
      check(platform::allow_large_clusters(function), "allow large clusters for a kernel");
    for (int const blocks : {most, portable}) {
      int clusters = 0;
      if (platform::count_clusters(clusters, function, {blocks, threads, bytes, false, blocks}) !=
          platform::success)
        platform::clear_error();  // the device lacks such clusters
      else if (clusters > 0)
        return blocks;
    }
    return 0;
  });
}

/// Clears memory of the device in the order of the context's work.
inline void clear(context& context, void* memory, std::size_t bytes, std::string_view doing) {
  if (!context.measures())
    self::check(platform::clear(memory, bytes, context.stream()), doing);
}

/// Queues a kernel. With `starts_early` it may start before the previous kernel ends, and must call
/// device::grid_dependency_wait itself; otherwise it starts after the previous kernel. Blocks form
/// clusters of `of_cluster`.
template <class Arguments>
void launch(context& context, void (*kernel)(Arguments), index_t blocks, int threads,
            int shared_bytes, std::type_identity_t<Arguments> const& arguments,
            bool starts_early = true, int of_cluster = 1) {
  if (context.measures())
    return;
  launch_size const size{blocks, threads, shared_bytes, starts_early && context.starts_early(),
                         of_cluster};
  self::check(platform::launch(kernel, size, context.stream(), arguments), "launch a kernel");
}
/// Queues a kernel that may start early. Half of the memory is its shared memory then, as it is of
/// kernels before it.
template <class Arguments>
void launch_sharing_half(context& context, void (*kernel)(Arguments), index_t blocks, int threads,
                         int shared_bytes, std::type_identity_t<Arguments> const& arguments) {
  if (context.starts_early())
    share_half(context, reinterpret_cast<void const*>(kernel));
  self::launch(context, kernel, blocks, threads, shared_bytes, arguments);
}

/// Queues a kernel whose blocks all run at the same time. Returns false, and queues nothing, if the
/// device has no room for all of them, as in a part of it that its properties do not tell of.
template <class Arguments>
bool launch_together(context& context, void (*kernel)(Arguments), index_t blocks, int threads,
                     int shared_bytes, std::type_identity_t<Arguments> const& arguments) {
  if (context.measures())
    return true;
  launch_size size{blocks, threads, shared_bytes, context.starts_early()};
  size.together = true;
  platform::status const queued = platform::launch(kernel, size, context.stream(), arguments);
  if (queued == platform::too_many_together) {
    platform::clear_error();
    return false;
  }
  self::check(queued, "launch a kernel");
  return true;
}

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
