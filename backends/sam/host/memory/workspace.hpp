// SPDX-License-Identifier: MIT
// Defines the workspace (temporary storage) that a context keeps between calls on the host.
#pragma once

#include <sam/base/measured_memory.hpp>
#include <sam/error.hpp>
#include <sam/portable.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace sam::inline v0_1::host {

/// Sets the alignment that prevents false sharing: two cache lines of 64 bytes, because the
/// adjacent-line prefetcher fetches lines in pairs.
inline constexpr std::size_t cache_line = 128;

/// Owns the temporary storage that a context keeps between calls. It only grows, until it is
/// cleared, and a failed growth leaves it unchanged. It hands out parts in order, each on its own
/// cache lines. The memory comes from a resource of the caller, if there is one.
class workspace {
 public:
  /// Adds up the sizes of the parts that one call takes.
  class plan {
   public:
    template <class T>
    plan& part(index_t count) {
      static_assert(alignof(T) <= cache_line, "sam: items may be aligned to 128 bytes at most");
      bytes += padded(static_cast<std::size_t>(count) * sizeof(T));
      return *this;
    }
    std::size_t bytes = cache_line;
  };

  /// Memory of zeros, of which only pages that are accessed are there.
  class zeros {
   public:
    void* get(std::size_t bytes) {
      if (bytes > bytes_) {
        bytes_ = 0;
        memory_.reset(std::calloc(bytes + cache_line, 1));
        if (memory_ == nullptr)
          throw_out_of_memory(
              "sam::host", [] { return std::string("could not measure calls"); },
              std::source_location::current());
        bytes_ = bytes;
      }
      auto const base = reinterpret_cast<std::uintptr_t>(memory_.get());
      return static_cast<std::byte*>(memory_.get()) + (cache_line - base % cache_line) % cache_line;
    }
    void clear() { *this = zeros(); }

   private:
    struct release {
      void operator()(void* memory) const { std::free(memory); }
    };
    std::unique_ptr<void, release> memory_;
    std::size_t bytes_ = 0;
  };

  workspace() = default;
  explicit workspace(std::pmr::memory_resource* resource) : resource_(resource) {}
  workspace(workspace&& from) noexcept : resource_(from.resource_) { swap(from); }
  workspace& operator=(workspace&& from) noexcept {
    workspace taken(std::move(from));
    taken.swap(*this);
    return *this;
  }

  index_t bytes() const { return static_cast<index_t>(size_); }

  /// Grows the memory to the size of a plan. Throws if the allocation fails. Returns false while
  /// calls are measured, which then use no memory.
  bool reserve(plan const& wanted) {
    if (measured_.is_on()) {
      if (wanted.bytes > measured_.size(size_))
        measured_.grow_to(wanted.bytes);
      return false;
    }
    if (wanted.bytes <= size_)
      return true;
    block larger = allocate(wanted.bytes);
    if (!larger)
      throw_out_of_memory(
          "sam::host",
          [&] {
            return "could not grow a context's workspace to " + std::to_string(wanted.bytes) +
                   " bytes";
          },
          std::source_location::current());
    memory_ = std::move(larger);
    size_ = wanted.bytes;
    return true;
  }
  measured_memory& measured() { return measured_; }
  bool measures() const { return measured_.is_on(); }
  void forget_zeros() { zeros_.clear(); }

  /// Frees the memory.
  void clear() noexcept {
    memory_.reset();
    next_ = nullptr;
    size_ = 0;
  }

  /// Resets the position of the next part to the start of the memory.
  void rewind() {
    auto const base = reinterpret_cast<std::uintptr_t>(memory_.get());
    next_ = memory_.get() + (cache_line - base % cache_line) % cache_line;
  }
  /// Returns the start of the memory after growing it to at least `bytes` bytes. While calls are
  /// measured, it returns zeros, since calls may read what earlier ones would have written.
  void* of_bytes(std::size_t bytes) {
    if (!reserve(plan().part<std::byte>(static_cast<index_t>(bytes))))
      return zeros_.get(bytes);
    rewind();
    return next_;
  }
  /// Returns the next part, of `count` uninitialised items. A plan must have reserved it.
  template <class T>
  T* take(index_t count) {
    auto* const part = reinterpret_cast<T*>(next_);
    next_ += padded(static_cast<std::size_t>(count) * sizeof(T));
    return part;
  }

 private:
  static std::size_t padded(std::size_t bytes) {
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }

  struct release {
    std::size_t bytes, alignment;
    std::pmr::memory_resource* resource;
    void operator()(std::byte* memory) const {
      if (resource != nullptr)
        resource->deallocate(memory, bytes, alignment);
      else
        ::operator delete (memory, std::align_val_t{alignment});
    }
  };
  using block = std::unique_ptr<std::byte, release>;

  /// Returns uninitialised memory, or null if the allocation fails. Large blocks request huge
  /// pages, which cost far fewer page faults and TLB misses. See docs/decisions/0001-huge-pages.md.
  block allocate(std::size_t bytes) const {
    if (resource_ != nullptr)
      return from_resource(bytes);
    constexpr std::size_t huge_page = std::size_t{2} << 20;
    bool const is_large = bytes >= 2 * huge_page;
    std::size_t const alignment = is_large ? huge_page : cache_line;
    block memory(
        static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}, std::nothrow)),
        release{bytes, alignment, nullptr});
#ifdef MADV_HUGEPAGE
    if (memory && is_large)
      madvise(memory.get(), bytes, MADV_HUGEPAGE);  // a failure only means usual pages
#endif
    return memory;
  }

  /// Takes memory from the resource, which decides on pages.
  block from_resource(std::size_t bytes) const {
    void* memory = nullptr;
#ifdef __cpp_exceptions
    try {
      memory = resource_->allocate(bytes, cache_line);
    } catch (std::bad_alloc const&) {  // as a null pointer: the caller says what was asked for
    }
#else
    memory = resource_->allocate(bytes, cache_line);
#endif
    return block(static_cast<std::byte*>(memory), release{bytes, cache_line, resource_});
  }

  void swap(workspace& other) noexcept {
    std::swap(resource_, other.resource_);
    std::swap(memory_, other.memory_);
    std::swap(next_, other.next_);
    std::swap(size_, other.size_);
  }
  std::pmr::memory_resource* resource_ = nullptr;
  block memory_;
  std::byte* next_ = nullptr;
  std::size_t size_ = 0;
  measured_memory measured_;
  zeros zeros_;
};

}  // namespace sam::inline v0_1::host
