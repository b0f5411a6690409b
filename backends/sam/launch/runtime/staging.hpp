// SPDX-License-Identifier: MIT
// Copies arrays between host and device, for programs whose items lie in host memory.
#pragma once

#include <sam/launch/runtime/context.hpp>

#include <span>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// Copies arrays between host and device.
class staging {
 public:
  /// Device copies of an input and an output array. `in` is copied to the device by the
  /// constructor; bring_back() copies `out` to the host. If both are one array on the host, they
  /// are one on the device.
  template <class T>
  class arrays {
   public:
    arrays(context& context, std::span<T const> in, std::span<T> out)
        : context_(context), on_host_(out), in_(bytes_for(in.size()), context.stream()) {
      self::check(platform::copy_to_device(in_.get(), in.data(), in.size_bytes(), context.stream()),
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
    /// Copies `out` to the host and waits for all work of the stream.
    void bring_back() const {
      self::check(platform::copy_to_host(on_host_.data(), out().data(), on_host_.size_bytes(),
                                         context_.stream()),
                  "copy items from the device");
      context_.wait();
    }

   private:
    static std::size_t bytes_for(std::size_t items) { return max_of(items * sizeof(T), 1); }

    context& context_;
    std::span<T> on_host_;
    device_memory in_;
    std::vector<device_memory> out_;  // empty if the output is in_
  };

  /// Copies bytes within device memory: the baseline that scans are compared with.
  static void copy(context& context, std::span<std::byte const> from, std::span<std::byte> to) {
    check(platform::copy_on_device(to.data(), from.data(), from.size(), context.stream()),
          "copy items on the device");
    context.wait();
  }
};

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
