// SPDX-License-Identifier: MIT
// For programs whose items lie in the host's memory: copies of them on the device.
#pragma once

#include <sam/cuda/runtime/context.hpp>

#include <span>

namespace sam::cuda {

class staging {
 public:
  /// The arrays of some calls: `in` on the device from the start, `out` back on the host by
  /// `bring_back`. They are one array on the device if they are one on the host.
  template <class T>
  class arrays {
   public:
    arrays(context& context, std::span<T const> in, std::span<T> out)
        : context_(context), on_host_(out), in_(bytes_for(in.size()), context.stream()) {
      cuda::check(cudaMemcpyAsync(in_.get(), in.data(), in.size_bytes(), cudaMemcpyHostToDevice,
                                  context.stream()),
                  "copy items to the device");
      if (in.data() != out.data())
        out_.emplace_back(bytes_for(out.size()), context.stream());
    }
    arrays(context& context, std::span<T> items) : arrays(context, items, items) {}

    std::span<T const> in() const { return {static_cast<T const*>(in_.get()), on_host_.size()}; }
    std::span<T> out() const {
      void* const items = out_.empty() ? in_.get() : out_.front().get();
      return {static_cast<T*>(items), on_host_.size()};
    }
    /// Waits for all work as well.
    void bring_back() const {
      cuda::check(cudaMemcpyAsync(on_host_.data(), out().data(), on_host_.size_bytes(),
                                  cudaMemcpyDeviceToHost, context_.stream()),
                  "copy items from the device");
      context_.wait();
    }

   private:
    static std::size_t bytes_for(std::size_t items) { return max_of(items * sizeof(T), 1); }

    context& context_;
    std::span<T> on_host_;
    device_memory in_;
    std::vector<device_memory> out_;  // one, or none where it is in_
  };

  /// What a scan is measured beside: as many bytes, read and written in the device's memory.
  static void copy(context& context, std::span<std::byte const> from, std::span<std::byte> to) {
    check(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDeviceToDevice,
                          context.stream()),
          "copy items on the device");
    context.wait();
  }
};

}  // namespace sam::cuda
