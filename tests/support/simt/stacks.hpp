// SPDX-License-Identifier: MIT
// Switches between the stacks of fibers on one OS thread, and tells sanitizers about it. Used by
// machine.cpp alone, which is compiled without sanitizers.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

extern "C" {  // null without the thread sanitizer
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_acquire(void* at);
[[gnu::weak]] void __tsan_release(void* at);
// Null without the address sanitizer.
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* at, std::size_t bytes);
}

namespace simt {

// --- The thread sanitizer's view -----------------------------------------------------------------

inline bool watched() { return __tsan_create_fiber != nullptr; }
inline void* sanitizer_now() { return watched() ? __tsan_get_current_fiber() : nullptr; }
inline void* sanitizer_fiber() { return watched() ? __tsan_create_fiber(0) : nullptr; }
inline void sanitizer_end(void* fiber) {
  if (watched())
    __tsan_destroy_fiber(fiber);
}
inline void sanitizer_switch(void* fiber) {
  constexpr unsigned no_sync = 1;
  if (watched())
    __tsan_switch_to_fiber(fiber, no_sync);
}
inline void acquire(void* at) {
  if (watched())
    __tsan_acquire(at);
}
inline void release(void* at) {
  if (watched())
    __tsan_release(at);
}

// --- Switching stacks ----------------------------------------------------------------------------

struct frame {
  void* at[5];
};
// The builtins save all registers of the function that contains them. Nothing may be inlined into
// it, and its callers must assume that it clobbers all registers. Clang always assumes that; GCC
// needs noipa.
#ifdef __clang__
#define SIMT_OPAQUE [[gnu::noinline]]
#else
#define SIMT_OPAQUE [[gnu::noipa]]
#endif
SIMT_OPAQUE inline void go_on(frame& to) { __builtin_longjmp(to.at, 1); }
SIMT_OPAQUE inline void change(frame& from, frame& to) {
  if (__builtin_setjmp(from.at) == 0)
    go_on(to);
}
SIMT_OPAQUE inline void begin(frame& from, void (*body)(), std::byte* stack, std::size_t bytes) {
  ucontext_t to;
  getcontext(&to);
  to.uc_stack.ss_sp = stack;
  to.uc_stack.ss_size = bytes;
  to.uc_link = nullptr;
  makecontext(&to, body, 0);
  if (__builtin_setjmp(from.at) == 0)
    setcontext(&to);
}

/// The stacks of a block's fibers and their sanitizer state. They are kept for later launches,
/// since starting on a new stack takes system calls.
class stacks {
 public:
  explicit stacks(int count) : sanitizer(std::size_t(count) + 1), left_(std::size_t(count)) {
    memory_ = mmap(nullptr, size(), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED)
      throw std::bad_alloc();
    for (void*& fiber : sanitizer)
      fiber = sanitizer_fiber();
    for (int f = 0; f < count; ++f)
      *end_of(f) = mark;
  }
  stacks(stacks const&) = delete;
  ~stacks() {
    for (void* const fiber : sanitizer)
      sanitizer_end(fiber);
    munmap(memory_, size());
  }

  int count() const { return int(sanitizer.size()) - 1; }
  /// Resumes this stack where it was left, or starts `body`, which never returns, if it is new.
  void run(int fiber, frame& from, void (*body)()) {
    place_left& place = left_[std::size_t(fiber)];
    if (place.known)
      return change(from, place.at);
    place.known = true;
    begin(from, body, at(fiber), bytes);
  }
  void leave(int fiber, frame& to) { change(left_[std::size_t(fiber)].at, to); }
  bool overflowed(int fiber) const { return *end_of(fiber) != mark; }
  /// Clears the address sanitizer's marks on the stacks: functions were left without returning, so
  /// their red zones are still poisoned.
  void abandon() {
    for (place_left& place : left_)
      place.known = false;
    if (__asan_unpoison_memory_region != nullptr)
      __asan_unpoison_memory_region(memory_, size());
  }

  std::vector<void*> sanitizer;  // the last one is for the copy engine

 private:
  static constexpr std::size_t bytes = 64 << 10;
  static constexpr std::uint64_t mark = 0x6b63617473656874;
  struct place_left {
    frame at;
    bool known = false;
  };
  std::byte* at(int fiber) const {
    return static_cast<std::byte*>(memory_) + std::size_t(fiber) * bytes;
  }
  std::size_t size() const { return std::size_t(count()) * bytes; }
  std::uint64_t* end_of(int fiber) const { return reinterpret_cast<std::uint64_t*>(at(fiber)); }
  void* memory_;
  std::vector<place_left> left_;
};

class stack_store {
 public:
  std::unique_ptr<stacks> take(int count) {
    std::scoped_lock const lock(mutex_);
    for (auto& kept : kept_)
      if (kept && kept->count() >= count)
        return std::move(kept);
    return std::make_unique<stacks>(count);
  }
  void give(std::unique_ptr<stacks> used) {
    std::scoped_lock const lock(mutex_);
    for (auto& kept : kept_)
      if (!kept)
        return void(kept = std::move(used));
    kept_.push_back(std::move(used));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<stacks>> kept_;
};
inline stack_store& store() {
  static stack_store the_store;
  return the_store;
}

}  // namespace simt
