// SPDX-License-Identifier: MIT
// The device memory that a context keeps between calls, and where it takes that from: the run-time
// library, a pool of it, or a memory resource of the caller.
#pragma once

#include <sam/base/measured_memory.hpp>
#include <sam/launch/platform.hpp>
#include <sam/launch/runtime/error.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace sam::inline v0_1::SAM_GPU_BACKEND {

/// The alignment of a context's memory.
inline constexpr std::size_t memory_alignment = 256;

/// True for resources as in the newer versions of cuda::mr and RMM, which take the stream first.
template <class R>
concept allocates_on_stream = requires(R& resource, platform::stream stream, void* memory,
                                       std::size_t n) {
  { resource.allocate(stream, n, n) } -> std::same_as<void*>;
  resource.deallocate(stream, memory, n, n);
};
/// True for resources as in the older versions of cuda::mr.
template <class R>
concept allocates_async = requires(R& resource, platform::stream stream, void* memory,
                                   std::size_t n) {
  { resource.allocate_async(n, n, stream) } -> std::same_as<void*>;
  resource.deallocate_async(memory, n, n, stream);
};
/// True for resources as in the older versions of RMM, which align to 256 bytes.
template <class R>
concept allocates_for_stream = requires(R& resource, platform::stream stream, void* memory,
                                        std::size_t n) {
  { resource.allocate(n, stream) } -> std::same_as<void*>;
  resource.deallocate(memory, n, stream);
};
/// A resource of device memory, of any library: memory is allocated and freed in the order of a
/// stream's work.
template <class R>
concept memory_resource = allocates_on_stream<R> || allocates_async<R> || allocates_for_stream<R>;

/// A place that device memory comes from. It refers to a resource of the caller, and does not own
/// it.
class memory_source {
 public:
  /// Tells why there is no memory.
  struct failure {
    platform::status status = platform::success;  // of the run-time library
    bool is_out_of_memory = true;                 // if a resource failed
    std::string text;                             // what the resource says
  };

  /// The run-time library itself.
  memory_source()
      : allocate_([](void*, std::size_t bytes, platform::stream, failure& why) {
          void* memory = nullptr;
          why.status = platform::allocate(memory, bytes);
          return memory;
        }),
        release_([](void*, void* memory, std::size_t, platform::stream) {
          platform::release(memory);
        }) {}
  /// A pool of the run-time library.
  explicit memory_source(platform::memory_pool pool)
      : from_(pool),
        allocate_([](void* from, std::size_t bytes, platform::stream on, failure& why) {
          void* memory = nullptr;
          why.status = platform::allocate_from_pool(memory, bytes,
                                                    static_cast<platform::memory_pool>(from), on);
          return memory;
        }),
        release_([](void*, void* memory, std::size_t, platform::stream on) {
          platform::release_to_pool(memory, on);
        }) {}
  /// A resource of the caller, which must outlive all memory that is taken from it.
  template <memory_resource Resource>
  explicit memory_source(Resource& resource)
      : from_(const_cast<void*>(static_cast<void const*>(std::addressof(resource)))),
        allocate_(&memory_source::allocate_from<Resource>),
        release_(&memory_source::release_to<Resource>) {}

  /// Returns memory for the work of a stream, or null and the reason.
  void* allocate(std::size_t bytes, platform::stream on, failure& why) const {
    return allocate_(from_, bytes, on, why);
  }
  /// Frees memory behind the work of the stream for which it was allocated.
  void release(void* memory, std::size_t bytes, platform::stream on) const noexcept {
    release_(from_, memory, bytes, on);
  }

 private:
  template <class Resource>
  static void* allocate_from(void* from, std::size_t bytes, platform::stream on, failure& why) {
    auto& resource = *static_cast<Resource*>(from);
    void* memory = nullptr;
    auto const note = [&](bool is_out_of_memory, char const* text) {
      with_host_memory([&] { why.text = text; });
      why.is_out_of_memory = is_out_of_memory;
    };
    sam::detail::catch_error<std::exception>(
        [&] {
          sam::detail::catch_error<std::bad_alloc>(
              [&] {
                if constexpr (allocates_on_stream<Resource>)
                  memory = resource.allocate(on, bytes, memory_alignment);
                else if constexpr (allocates_async<Resource>)
                  memory = resource.allocate_async(bytes, memory_alignment, on);
                else
                  memory = resource.allocate(bytes, on);
              },
              [&](std::bad_alloc const& error) { note(true, error.what()); });
        },
        [&](std::exception const& error) { note(false, error.what()); });
    if (reinterpret_cast<std::uintptr_t>(memory) % memory_alignment != 0) {
      release_to<Resource>(from, memory, bytes, on);
      memory = nullptr;
      note(false, "its memory is not aligned to 256 bytes");
    }
    return memory;
  }
  template <class Resource>
  static void release_to(void* from, void* memory, std::size_t bytes, platform::stream on) {
    auto& resource = *static_cast<Resource*>(from);
    if constexpr (allocates_on_stream<Resource>)
      resource.deallocate(on, memory, bytes, memory_alignment);
    else if constexpr (allocates_async<Resource>)
      resource.deallocate_async(memory, bytes, memory_alignment, on);
    else
      resource.deallocate(memory, bytes, on);
  }

  void* from_ = nullptr;
  void* (*allocate_)(void* from, std::size_t bytes, platform::stream on, failure& why);
  void (*release_)(void* from, void* memory, std::size_t bytes, platform::stream on);
};

/// Returns a pool as a source of memory. Throws sam::invalid_argument if it is null.
inline memory_source source_of(platform::memory_pool pool, std::source_location at) {
  if (pool == nullptr)
    sam::detail::fail<invalid_argument>(std::string(platform::name) + "::context", "pool",
                                        "is null; pass a pool of the run-time library", at);
  return memory_source(pool);
}

/// True if a stream is being captured.
inline bool is_captured(platform::stream stream) {
  bool captured = false;
  if (platform::is_capturing(stream, captured) == platform::success)
    return captured;
  platform::clear_error();  // the legacy stream, while another one is being captured
  return false;
}
/// Throws sam::device_error if a stream is being captured. Memory that is allocated then would be
/// zeroed by the graph, and not before.
inline void expect_no_capture(platform::stream stream) {
  if (self::is_captured(stream))
    sam::detail::fail<device_error>(
        platform::name,
        "a context cannot allocate or free memory while its stream is being captured; make the "
        "call once before the capture",
        std::source_location::current());
}

/// A buffer of device memory for the work of one stream, zeroed when it is allocated.
class device_memory {
 public:
  device_memory(std::size_t bytes, platform::stream stream, memory_source const& from = {})
      : device_memory(allocated(bytes, stream, from), bytes, stream, from) {}
  /// Takes ownership of memory that from.allocate returned.
  device_memory(void* memory, std::size_t bytes, platform::stream stream, memory_source const& from)
      : memory_(memory, release{from, bytes, stream, current_device()}) {
    check(platform::clear(memory, bytes, stream), "clear device memory");
  }
  void* get() const { return memory_.get(); }
  std::size_t bytes() const { return memory_.get_deleter().bytes; }

 private:
  static void* allocated(std::size_t bytes, platform::stream stream, memory_source const& from) {
    self::expect_no_capture(stream);
    memory_source::failure why;
    void* const memory = from.allocate(bytes, stream, why);
    if (memory == nullptr)  // the message is built on failure only
      with_host_memory([&] {
        std::string const doing = "allocate " + std::to_string(bytes) + " bytes of device memory";
        check(why.status, doing);
        auto const what = [&] {
          return "could not " + doing + " by the memory resource" +
                 (why.text.empty() ? why.text : ": " + why.text);
        };
        if (why.is_out_of_memory)
          sam::throw_out_of_memory(platform::name, what, std::source_location::current());
        sam::detail::fail<device_error>(platform::name, what(), std::source_location::current());
      });
    return memory;
  }
  static int current_device() {
    int device = 0;
    static_cast<void>(platform::get_device(device));
    return device;
  }
  struct release {
    memory_source from;
    std::size_t bytes;
    platform::stream stream;
    int device;
    void operator()(void* memory) const {
      int const before = current_device();  // a resource may ask for it
      if (before != device)
        static_cast<void>(platform::set_device(device));
      from.release(memory, bytes, stream);
      if (before != device)
        static_cast<void>(platform::set_device(before));
    }
  };
  std::unique_ptr<void, release> memory_;
};

/// For which work, and where from, the memory of a context is allocated.
struct memory_supply {
  platform::stream stream;
  memory_source from;
};

/// Memory that a context keeps for one purpose. Only the last buffer is in use. Earlier ones are
/// kept because captured graphs may refer to them, and each has its own generation numbers.
class kept_memory {
 public:
  struct buffer {
    void* data;
    std::size_t bytes;
  };
  enum class growth { exact, doubling };

  /// Returns a buffer of at least so many bytes. Since old memory is kept, growth by doubling takes
  /// at least twice as much as before where there is so much: many small increases would otherwise
  /// add up. While calls are measured, it returns a buffer that nothing may access.
  buffer at_least(std::size_t bytes, memory_supply const& supply, growth how = growth::doubling) {
    std::size_t const held = buffers_.empty() ? 0 : buffers_.back().bytes();
    std::size_t const now = measured_.is_on() ? measured_.size(held) : held;
    if (bytes > now || now == 0) {
      std::size_t const most = how == growth::doubling ? std::max(bytes, 2 * now) : bytes;
      if (measured_.is_on())
        measured_.grow_to(most);
      else if (most == bytes || !add_if_possible(most, supply))
        add(bytes, supply);
    }
    if (measured_.is_on())
      return {reinterpret_cast<void*>(memory_alignment), measured_.size(held)};
    return {buffers_.back().get(), buffers_.back().bytes()};
  }
  /// Replaces the buffer by another one of its size.
  void renew(memory_supply const& supply) {
    if (!buffers_.empty())
      add(buffers_.back().bytes(), supply);
  }
  void clear() { buffers_.clear(); }
  measured_memory& measured() { return measured_; }
  measured_memory const& measured() const { return measured_; }
  std::size_t bytes() const {
    std::size_t all = 0;
    for (device_memory const& memory : buffers_)
      all += memory.bytes();
    return all;
  }

 private:
  void add(std::size_t bytes, memory_supply const& supply) {
    keep(device_memory(bytes, supply.stream, supply.from));
  }
  bool add_if_possible(std::size_t bytes, memory_supply const& supply) {
    self::expect_no_capture(supply.stream);
    memory_source::failure why;
    void* const memory = supply.from.allocate(bytes, supply.stream, why);
    if (memory == nullptr)
      platform::clear_error();
    else
      keep(device_memory(memory, bytes, supply.stream, supply.from));
    return memory != nullptr;
  }
  void keep(device_memory memory) {
    with_host_memory([&] { buffers_.push_back(std::move(memory)); });
  }

  std::vector<device_memory> buffers_;
  measured_memory measured_;
};

}  // namespace sam::inline v0_1::SAM_GPU_BACKEND
