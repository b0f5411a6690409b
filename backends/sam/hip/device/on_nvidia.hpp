// SPDX-License-Identifier: MIT
// Lets the headers of HIP 5 for NVIDIA compile with CUDA 13, which changed or dropped some of what
// they name. The compiler includes this header before all others (-include). It serves tests of
// the HIP back end on NVIDIA GPUs.
#pragma once

#include <sam/base/requirements.hpp>

#include <cuda.h>
#include <cuda_runtime.h>

#if CUDART_VERSION >= 13000

// Device properties that CUDA 13 dropped.
struct hipnv_device_prop : cudaDeviceProp {
  int clockRate, memoryClockRate, computeMode, kernelExecTimeoutEnabled,
      cooperativeMultiDeviceLaunch;
};
inline cudaError_t cudaGetDeviceProperties(hipnv_device_prop* p, int dev) {
  cudaError_t e = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(p), dev);
  auto get = [&](int& v, cudaDeviceAttr a) {
    if (e == cudaSuccess)
      e = cudaDeviceGetAttribute(&v, a, dev);
  };
  get(p->clockRate, cudaDevAttrClockRate);
  get(p->memoryClockRate, cudaDevAttrMemoryClockRate);
  get(p->computeMode, cudaDevAttrComputeMode);
  get(p->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout);
  p->cooperativeMultiDeviceLaunch = 0;
  return e;
}
#define cudaDeviceProp hipnv_device_prop
#define cudaDevAttrCooperativeMultiDeviceLaunch static_cast<cudaDeviceAttr>(96)

// Functions with other parameters.
inline cudaMemLocation hipnv_loc(int dev) {
  cudaMemLocation l{};
  l.type = dev < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  l.id = dev < 0 ? 0 : dev;
  return l;
}
inline cudaError_t cudaMemAdvise(void const* p, size_t n, cudaMemoryAdvise a, int d) {
  return cudaMemAdvise(p, n, a, hipnv_loc(d));
}
inline cudaError_t cudaMemPrefetchAsync(void const* p, size_t n, int d, cudaStream_t s) {
  return cudaMemPrefetchAsync(p, n, hipnv_loc(d), 0u, s);
}
inline CUresult cuCtxCreate_v4(CUcontext* c, unsigned f, CUdevice d) {
  return cuCtxCreate_v4(c, static_cast<CUctxCreateParams*>(nullptr), f, d);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t g, cudaGraphNode_t const* f,
                                            cudaGraphNode_t const* t, size_t n) {
  return cudaGraphAddDependencies(g, f, t, nullptr, n);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t g, cudaGraphNode_t const* f,
                                               cudaGraphNode_t const* t, size_t n) {
  return cudaGraphRemoveDependencies(g, f, t, nullptr, n);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t g, cudaGraphNode_t* f, cudaGraphNode_t* t,
                                     size_t* n) {
  return cudaGraphGetEdges(g, f, t, nullptr, n);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t v, cudaGraphNode_t* d, size_t* c) {
  return cudaGraphNodeGetDependencies(v, d, nullptr, c);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t v, cudaGraphNode_t* d,
                                                  size_t* c) {
  return cudaGraphNodeGetDependentNodes(v, d, nullptr, c);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t* d, size_t n,
                                                       unsigned f) {
  return cudaStreamUpdateCaptureDependencies(s, d, nullptr, n, f);
}
inline CUresult cuStreamGetCaptureInfo_v2(CUstream s, CUstreamCaptureStatus* st, cuuint64_t* id,
                                          CUgraph* g, CUgraphNode const** d, size_t* n) {
  return cuStreamGetCaptureInfo(s, st, id, g, d, nullptr, n);
}

// Functions that are gone. HIP's headers name them, and nothing here calls them.
#define HIPNV_GONE(f)                                                                              \
  template <class... A>                                                                            \
  cudaError_t f(A&&...) {                                                                          \
    return cudaErrorNotSupported;                                                                  \
  }
HIPNV_GONE(cudaLaunchCooperativeKernelMultiDevice)
HIPNV_GONE(cudaBindTexture)
HIPNV_GONE(cudaBindTexture2D)
HIPNV_GONE(cudaBindTextureToArray)
HIPNV_GONE(cudaUnbindTexture)
HIPNV_GONE(cudaGetTextureAlignmentOffset)
HIPNV_GONE(cudaStreamGetCaptureInfo_v2)
template <class T, int D, cudaTextureReadMode M>
struct hipnv_texture {};
#define texture hipnv_texture
#endif
