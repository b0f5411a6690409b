// SPDX-License-Identifier: MIT
// Tests the errors of sam::hip without a GPU, and which kernels a program for warps of 32 and of 64
// lanes launches. This file defines the functions of the HIP runtime that a context calls, so that
// each fails as on a machine that lacks something. Compiled for the host alone, without kernels,
// and not linked with the runtime.
#include <sam/hip/backend.hpp>
#include <sam/merge_sort.hpp>
#include <sam/radix_sort.hpp>
#include <sam/scan.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <vector>

namespace {

enum class lacks { nothing, device, code, code_for_warps, memory, room_for_launch, working_stream };
lacks machine = lacks::nothing;
hipError_t last_error = hipSuccess;
int lanes = 64;
std::vector<std::string> launched;  // the names of kernels, in order

/// Returns the names of all kernels, by the addresses that host code has for them.
std::map<void const*, std::string>& kernels() {
  static std::map<void const*, std::string> all;
  return all;
}

hipError_t fail_if(lacks what, hipError_t with) {
  return last_error = machine == what ? with : hipSuccess;
}

}  // namespace

// The HIP runtime of these machines. Memory of the device is that of the host.
extern "C" {
hipError_t hipGetDevice(int* device) {
  *device = 0;
  return fail_if(lacks::device, hipErrorNoDevice);
}
hipError_t hipSetDevice(int) { return hipSuccess; }
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "a GPU that is none");
  std::strcpy(properties->gcnArchName, "gfx942:sramecc+:xnack-");
  properties->warpSize = machine == lacks::code_for_warps ? 16 : lanes;
  properties->sharedMemPerBlock = properties->maxSharedMemoryPerMultiProcessor = 64 << 10;
  properties->maxThreadsPerMultiProcessor = 2048;
  properties->multiProcessorCount = 4;
  properties->pageableMemoryAccess = 1;
  return hipSuccess;
}
hipError_t hipFuncGetAttributes(hipFuncAttributes* of, void const*) {
  *of = {};
  of->maxDynamicSharedSizeBytes = 64 << 10;
  return fail_if(lacks::code, hipErrorNoBinaryForGpu);
}
hipError_t hipFuncSetAttribute(void const*, hipFuncAttribute, int) { return hipSuccess; }
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void const*, int,
                                                        std::size_t) {
  *blocks = 2;
  return hipSuccess;
}
hipError_t hipMalloc(void** memory, std::size_t bytes) {
  if (machine == lacks::memory)
    return last_error = hipErrorOutOfMemory;
  *memory = std::malloc(bytes);
  return hipSuccess;
}
hipError_t hipFree(void* memory) {
  std::free(memory);
  return hipSuccess;
}
hipError_t hipMallocFromPoolAsync(void** memory, std::size_t bytes, hipMemPool_t, hipStream_t) {
  return hipMalloc(memory, bytes);
}
hipError_t hipFreeAsync(void* memory, hipStream_t) { return hipFree(memory); }
hipError_t hipHostMalloc(void** memory, std::size_t bytes, unsigned) {
  return hipMalloc(memory, bytes);
}
hipError_t hipHostFree(void* memory) { return hipFree(memory); }
hipError_t hipMemsetAsync(void* memory, int value, std::size_t bytes, hipStream_t) {
  std::memset(memory, value, bytes);
  return hipSuccess;
}
hipError_t hipMemcpyAsync(void* to, void const* from, std::size_t bytes, hipMemcpyKind,
                          hipStream_t) {
  std::memcpy(to, from, bytes);
  return hipSuccess;
}
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, void const*) {
  *attributes = {};
  return last_error = hipErrorInvalidValue;
}
hipError_t hipLaunchKernel(void const* kernel, dim3, dim3, void**, std::size_t, hipStream_t) {
  launched.push_back(kernels()[kernel]);
  return fail_if(lacks::room_for_launch, hipErrorInvalidConfiguration);
}
hipError_t hipStreamIsCapturing(hipStream_t, hipStreamCaptureStatus* now) {
  *now = hipStreamCaptureStatusNone;
  return hipSuccess;
}
hipError_t hipStreamSynchronize(hipStream_t) {
  return fail_if(lacks::working_stream, hipErrorIllegalAddress);
}
// Registration of kernels.
void** __hipRegisterFatBinary(void const*) { return nullptr; }
void __hipUnregisterFatBinary(void**) {}
void __hipRegisterFunction(void**, void const* kernel, char*, char const* name, unsigned, void*,
                           void*, dim3*, dim3*, int*) {
  kernels()[kernel] = name;
}
hipError_t __hipPopCallConfiguration(dim3*, dim3*, std::size_t*, hipStream_t*) {
  return hipSuccess;
}

hipError_t hipGetLastError() { return std::exchange(last_error, hipSuccess); }
char const* hipGetErrorString(hipError_t error) {
  switch (error) {
  case hipErrorNoDevice:
    return "no device";
  case hipErrorNoBinaryForGpu:
    return "no binary for this GPU";
  case hipErrorOutOfMemory:
    return "out of memory";
  case hipErrorInvalidConfiguration:
    return "invalid configuration";
  case hipErrorIllegalAddress:
    return "illegal address";
  default:
    return "another error";
  }
}
}

namespace {

int failures = 0;

/// Calls f() on a machine and expects an error of a type, with a text, that leaves no error behind.
template <class Error, class F>
void expect(lacks what, std::string const& text, F const& f) {
  machine = what;
  std::string found = "no error";
  try {
    f();
  } catch (Error const& e) {
    found = e.what();
  } catch (std::exception const& e) {
    found = std::string("another type of error: ") + e.what();
  }
  if (found.find(text) == std::string::npos || last_error != hipSuccess) {
    std::printf("expected: %s\nfound:    %s\n", text.c_str(), found.c_str());
    ++failures;
  }
  machine = lacks::nothing;
}

/// Expects launches of kernels whose names have this text.
void expect_launches(std::string const& text) {
  bool has_all = !launched.empty();
  for (std::string const& name : launched)
    has_all = has_all && name.find(text) != std::string::npos;
  if (has_all)
    return;
  std::printf("expected: launches of kernels of %s\nfound:\n", text.c_str());
  for (std::string const& name : launched)
    std::printf("    %s\n", name.c_str());
  ++failures;
}

void expect_equal(char const* what, sam::index_t found, sam::index_t wanted) {
  if (found == wanted)
    return;
  std::printf("%s: expected %lld, found %lld\n", what, static_cast<long long>(wanted),
              static_cast<long long>(found));
  ++failures;
}

/// Counts the bytes that are taken from it, of which it has `most`. The functions that libraries
/// ask for are those of classes below.
struct counting_resource {
  std::size_t held = 0, most = std::size_t{1} << 40, shift = 0;
  enum class ends { in_bad_alloc, in_null, in_another_error } end = ends::in_bad_alloc;

 protected:
  void* take(std::size_t bytes) {
    if (held + bytes > most) {
      if (end == ends::in_bad_alloc)
        throw std::bad_alloc();
      if (end == ends::in_another_error)
        throw std::runtime_error("it is Friday");
      return nullptr;
    }
    held += bytes;
    return static_cast<std::byte*>(std::aligned_alloc(256, (bytes + 511) / 256 * 256)) + shift;
  }
  void give_back(void* memory, std::size_t bytes) noexcept {
    held -= bytes;
    std::free(static_cast<std::byte*>(memory) - shift);
  }
};
struct stream_view {  // as rmm::cuda_stream_view and cuda::stream_ref
  stream_view(hipStream_t) {}
};
struct stream_first : counting_resource {
  void* allocate(stream_view, std::size_t bytes, std::size_t) { return take(bytes); }
  void deallocate(stream_view, void* memory, std::size_t bytes, std::size_t) noexcept {
    give_back(memory, bytes);
  }
};
struct asynchronous : counting_resource {
  void* allocate_async(std::size_t bytes, std::size_t, stream_view) { return take(bytes); }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t, stream_view) {
    give_back(memory, bytes);
  }
};
struct stream_last : counting_resource {
  void* allocate(std::size_t bytes, stream_view = nullptr) { return take(bytes); }
  void deallocate(void* memory, std::size_t bytes, stream_view = nullptr) {
    give_back(memory, bytes);
  }
};

/// Checks a context that takes its memory from a resource, also one that has none left.
template <class Resource>
void check_resource() {
  Resource memory;
  std::vector<int> const in(100'000, 1);
  std::vector<int> out(in.size());
  {
    sam::hip::context context(nullptr, memory);
    std::size_t const at_first = memory.held;
    auto const sort = [&] { sam::merge_sort(context, in, out); };
    auto const calls = [&] {
      sort();
      sam::radix_sort(context, in, out);
      sam::inclusive_scan(context, in, out, sam::scan_policy<sam::plus, 8, 16>{});
    };
    std::size_t const before = launched.size();
    sam::index_t const wanted = context.bytes_for(calls);
    expect_equal("launches while calls are measured", sam::index_t(launched.size()),
                 sam::index_t(before));
    expect_equal("memory while calls are measured", sam::index_t(memory.held),
                 sam::index_t(at_first));
    using ends = counting_resource::ends;
    memory.most = at_first + 1000;
    for (ends const end : {ends::in_bad_alloc, ends::in_null}) {
      memory.end = end;
      expect<sam::out_of_memory>(lacks::nothing, "bytes of device memory by the memory resource",
                                 sort);
    }
    memory.end = ends::in_another_error;
    expect<sam::device_error>(lacks::nothing, "by the memory resource: it is Friday", sort);
    memory.most = std::size_t{1} << 40;
    memory.shift = 16;
    expect<sam::device_error>(lacks::nothing, "memory is not aligned to 256 bytes", sort);
    memory.shift = 0;
    expect_equal("memory after errors", sam::index_t(memory.held), sam::index_t(at_first));
    calls();
    expect_equal("memory of calls", sam::index_t(memory.held - at_first), wanted);
    expect_equal("memory for the same calls", context.bytes_for(calls), 0);
    context.trim();
    expect_equal("memory after trim()", sam::index_t(memory.held), sam::index_t(at_first));
    sam::hip::context moved(std::move(context));
    expect_equal("memory for calls after trim()",
                 moved.bytes_for([&] { sam::merge_sort(moved, in, out); }) > 0, true);
  }
  expect_equal("memory after the context", sam::index_t(memory.held), 0);
}

}  // namespace

int main() {
  check_resource<stream_first>();
  check_resource<asynchronous>();
  check_resource<stream_last>();
  {
    int pool = 0;
    sam::hip::context context(nullptr, reinterpret_cast<hipMemPool_t>(&pool));
    expect<sam::out_of_memory>(lacks::memory, "out of memory",
                               [&] { context.kernel_workspace(1 << 20); });
    expect<sam::invalid_argument>(lacks::nothing, "sam::hip::context: pool is null",
                                  [] { sam::hip::context(nullptr, hipMemPool_t{}); });
  }
  auto const open = [] { sam::hip::context context; };
  expect<sam::device_error>(lacks::device, "sam::hip: could not find a HIP device: no device",
                            open);
  expect<sam::device_error>(
      lacks::code,
      "sam::hip: could not find code for gfx942:sramecc+:xnack- in this program: no binary", open);
  expect<sam::device_error>(lacks::code_for_warps,
                            "sam::hip::context: a GPU that is none has warps of 16 lanes, but the "
                            "program is compiled for warps of 32 and 64",
                            open);
  expect<sam::out_of_memory>(lacks::memory, "sam::hip: could not allocate", open);
  sam::hip::linked_warp_sizes = -1;  // as after a file that is compiled for others
  expect<sam::device_error>(lacks::nothing, "files of this program are compiled for other sizes",
                            open);
  sam::hip::linked_warp_sizes = sam::hip::compiled_warp_sizes;

  sam::hip::context context;
  std::vector<int> const in(100'000, 1);
  std::vector<int> out(in.size());
  auto const scan = [&] { sam::inclusive_scan(context, in, out); };
  expect<sam::out_of_memory>(lacks::memory, "out of memory",
                             [&] { context.kernel_workspace(1 << 20); });
  expect<sam::device_error>(lacks::room_for_launch, "invalid configuration", scan);
  expect<sam::device_error>(lacks::working_stream,
                            "sam::hip: could not synchronize the stream: illegal",
                            [&] { context.wait(); });
  launched.clear();
  scan();  // the context works on
  context.wait();
  expect_launches("warps64");

  // A device with warps of 32 lanes gets the kernels for those.
  lanes = 32;
  sam::hip::context narrow;
  launched.clear();
  sam::inclusive_scan(narrow, in, out);
  narrow.wait();
  expect_launches("warps32");
  return failures != 0;
}
