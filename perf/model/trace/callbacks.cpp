// SPDX-License-Identifier: MIT
// The functions that compilers call with -fsanitize=thread. They take the place of the sanitizer's
// runtime. This file is compiled without that option.
#include "hooks.hpp"

#include <cstring>

using memory_trace::kind;
using memory_trace::note;

extern "C" {

#define AT __builtin_return_address(0)
#define ACCESSES(bytes)                                                                            \
  void __tsan_read##bytes(void* p) { note(p, bytes, kind::load, AT); }                             \
  void __tsan_write##bytes(void* p) { note(p, bytes, kind::store, AT); }                           \
  void __tsan_unaligned_read##bytes(void* p) { note(p, bytes, kind::load, AT); }                   \
  void __tsan_unaligned_write##bytes(void* p) { note(p, bytes, kind::store, AT); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
void __tsan_read_range(void* p, std::size_t n) { note(p, n, kind::load, AT); }
void __tsan_write_range(void* p, std::size_t n) { note(p, n, kind::store, AT); }

// Clang reports copies by these, g++ by the functions above.
void* __tsan_memcpy(void* to, void const* from, std::size_t n) {
  note(from, n, kind::load, AT);
  note(to, n, kind::store, AT);
  return std::memcpy(to, from, n);
}
void* __tsan_memmove(void* to, void const* from, std::size_t n) {
  note(from, n, kind::load, AT);
  note(to, n, kind::store, AT);
  return std::memmove(to, from, n);
}
void* __tsan_memset(void* to, int byte, std::size_t n) {
  note(to, n, kind::store, AT);
  return std::memset(to, byte, n);
}

void __tsan_init() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_func_entry(void* call) { memory_trace::enter(call); }
void __tsan_func_exit() { memory_trace::leave(); }

// Atomic loads of global memory poll what other blocks publish. Their number depends on the order
// in which blocks run, so they are not recorded.
#define UPDATE(bits, T, name)                                                                      \
  T __tsan_atomic##bits##_##name(T volatile* p, T x, int) {                                        \
    note(const_cast<T const*>(p), sizeof(T), kind::atomic, AT);                                    \
    return __atomic_##name(p, x, __ATOMIC_SEQ_CST);                                                \
  }
#define ATOMICS(bits, T)                                                                           \
  T __tsan_atomic##bits##_load(T const volatile* p, int) {                                         \
    note(const_cast<T const*>(p), sizeof(T), kind::load, AT, true);                                \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  void __tsan_atomic##bits##_store(T volatile* p, T x, int) {                                      \
    note(const_cast<T const*>(p), sizeof(T), kind::store, AT);                                     \
    __atomic_store_n(p, x, __ATOMIC_SEQ_CST);                                                      \
  }                                                                                                \
  T __tsan_atomic##bits##_exchange(T volatile* p, T x, int) {                                      \
    note(const_cast<T const*>(p), sizeof(T), kind::atomic, AT);                                    \
    return __atomic_exchange_n(p, x, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                \
  UPDATE(bits, T, fetch_add)                                                                       \
  UPDATE(bits, T, fetch_sub)                                                                       \
  UPDATE(bits, T, fetch_or)                                                                        \
  UPDATE(bits, T, fetch_and)                                                                       \
  int __tsan_atomic##bits##_compare_exchange_strong(T volatile* p, T* wanted, T x, int, int) {     \
    note(const_cast<T const*>(p), sizeof(T), kind::atomic, AT);                                    \
    return __atomic_compare_exchange_n(p, wanted, x, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
  }
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned int)
ATOMICS(64, unsigned long)
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
