// SPDX-License-Identifier: MIT
// Receives every load and store of the traced kernels, and prints what has been recorded. This file
// is compiled without -fsanitize=thread.
#include "recorder.hpp"
#include "trace.hpp"
#include <malloc.h>
#include <pthread.h>

#include <atomic>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>

extern "C" char __executable_start, _end;  // begin and end of the program's static data

namespace memory_trace {

namespace {

struct kernel {
  std::string name;
  std::int64_t items;
  site_counts sites{};
  copy_counts copies{};
};

std::string selected;
std::list<kernel> kernels;
kernel* current = nullptr;
std::mutex mutex;
std::array<std::atomic<std::byte*>, 64> shared_memories;  // by block

struct address_range {
  std::uintptr_t begin, end;
  bool contains(std::uintptr_t x) const { return x >= begin && x < end; }
};
template <class T>
std::uintptr_t number(T const* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}
/// Returns the stack of the calling thread.
address_range own_stack() {
  pthread_attr_t attributes;
  void* begin = nullptr;
  std::size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_destroy(&attributes);
  return {number(begin), number(begin) + bytes};
}
address_range const main_stack = own_stack();
address_range const static_data{number(&__executable_start), number(&_end)};

/// Collects the accesses of a block, whose thread ends with it.
struct block_record {
  recorder accesses{};
  address_range shared{};
  bool is_busy = false;
  ~block_record() {
    is_busy = true;
    site_counts const all = accesses.finish();
    if (shared.begin != 0)
      shared_memories[std::size_t(simt::here.block)] = nullptr;
    std::scoped_lock const lock(mutex);
    for (auto const& [where, found] : all)
      current->sites[where] += found;
  }
};
// The record of this thread, if it is a block's. A plain pointer is usable before and after the
// record's life.
thread_local block_record* record_of_block = nullptr;
thread_local bool has_ended = false;

block_record* begin_block() {
  thread_local struct owner {
    std::unique_ptr<block_record> record = std::make_unique<block_record>();
    ~owner() {
      has_ended = true;
      record_of_block = nullptr;
      record.reset();
    }
  } all;
  block_record& record = *all.record;
  record.shared.begin = number(simt::here.shared);
  record.shared.end = record.shared.begin + malloc_usable_size(simt::here.shared);
  shared_memories[std::size_t(simt::here.block)] = simt::here.shared;
  return &record;
}
block_record* this_block() {
  if (record_of_block == nullptr && simt::here.shared != nullptr && current != nullptr &&
      !has_ended) {
    has_ended = true;  // code of the standard library may call back while the record is made
    record_of_block = begin_block();
    has_ended = false;
  }
  return record_of_block;
}

bool is_in_shared_memory_of_others(std::uintptr_t address) {
  for (auto const& memory : shared_memories)
    if (std::byte* const begin = memory; begin != nullptr && begin != simt::here.shared &&
                                         address >= number(begin) &&
                                         address < number(begin) + malloc_usable_size(begin))
      return true;
  return false;
}
bool is_on_stack_of_fiber(std::uintptr_t address) {
  constexpr std::uintptr_t most = 64 << 10;
  std::uintptr_t const top = number(__builtin_frame_address(0));
  return address + 4096 > top && address < top + most;
}
/// Returns true for addresses that are in global memory on a GPU. What the launching function has
/// on its stack are arguments of the kernel, and what is on the fiber's stack are its registers.
bool is_global(std::uintptr_t address) {
  return !main_stack.contains(address) && !static_data.contains(address) &&
         !is_on_stack_of_fiber(address) &&
         !address_range{number(&simt::here), number(&simt::here + 1)}.contains(address) &&
         !is_in_shared_memory_of_others(address);
}

void note_piece(block_record& block, std::uintptr_t address, int bytes, kind what, bool is_polled,
                void* at) {
  if (block.shared.contains(address))
    block.accesses.access(space::shared, what, address - block.shared.begin, bytes, number(at));
  else if (!is_polled && is_global(address))
    block.accesses.access(space::global, what, address, bytes, number(at));
}

/// Records an access. Large ones are recorded as accesses of at most 16 bytes each.
void note(void const* p, std::size_t bytes, kind what, void* at, bool is_polled = false) {
  block_record* const block = this_block();
  if (block == nullptr || block->is_busy)
    return;
  block->is_busy = true;
  std::uintptr_t const address = number(p);
  std::uintptr_t const all = address | bytes;
  std::size_t const piece = bytes <= 16 && (bytes & (bytes - 1)) == 0 ? bytes
                            : all % 16 == 0                           ? 16
                            : all % 8 == 0                            ? 8
                            : all % 4 == 0                            ? 4
                                                                      : 1;
  for (std::size_t k = 0; k < bytes; k += piece)
    note_piece(*block, address + k, int(piece), what, is_polled, at);
  block->is_busy = false;
}

std::string escaped(std::string const& text) {
  std::string all;
  for (char const c : text)
    all += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
  return all;
}
void print_counts(std::FILE* to, counts const& x) {
  std::pair<char const*, std::int64_t> const all[] = {{"requests", x.requests},
                                                      {"lanes", x.lanes},
                                                      {"units", x.units},
                                                      {"fewest", x.fewest},
                                                      {"collisions", x.collisions}};
  char const* next = "";
  for (auto const& [name, count] : all) {
    std::fprintf(to, "%s\"%s\": %lld", next, name, static_cast<long long>(count));
    next = ", ";
  }
  std::fprintf(to, "}");
}

}  // namespace

void select(std::string const& part_of_name) { selected = part_of_name; }

void record(std::string const& name, std::int64_t items, std::function<void()> const& work) {
  if (name.find(selected) == std::string::npos)
    return;
  kernels.push_back({name, items});
  current = &kernels.back();
  work();
  current = nullptr;
}

void print(std::FILE* to) {
  static char const* const spaces[] = {"shared", "global", "copied"};
  static char const* const kinds[] = {"load", "store", "atomic"};
  char const* next_kernel = "[\n";
  for (kernel const& k : kernels) {
    std::fprintf(to, "%s{\"kernel\": \"%s\", \"items\": %lld, \"sites\": [", next_kernel,
                 escaped(k.name).c_str(), static_cast<long long>(k.items));
    next_kernel = ",\n";
    char const* next = "\n";
    for (auto const& [where, found] : k.sites) {
      std::fprintf(to, "%s  {\"space\": \"%s\", \"kind\": \"%s\", \"stack\": [", next,
                   spaces[int(where.where)], kinds[int(where.what)]);
      for (std::size_t f = 0; f < where.frames.size(); ++f)
        std::fprintf(to, "%s\"%#zx\"", f == 0 ? "" : ", ", std::size_t(where.frames[f]));
      std::fprintf(to, "], ");
      print_counts(to, found);
      next = ",\n";
    }
    for (auto const& [at, found] : k.copies) {
      std::fprintf(to, "%s  {\"space\": \"copied\", \"kind\": \"load\", \"file\": \"%s\", ", next,
                   escaped(at.first).c_str());
      std::fprintf(to, "\"line\": %u, ", at.second);
      print_counts(to, found);
      next = ",\n";
    }
    std::fprintf(to, "]}");
  }
  std::fprintf(to, "\n]\n");
}

}  // namespace memory_trace

/// Counts the sectors of a copy between global and shared memory.
void simt::observe_copy(void const* to, void const* from, int bytes, location const& at) {
  using namespace memory_trace;
  std::size_t const shared_bytes = malloc_usable_size(here.shared);
  bool const is_load = number(to) - number(here.shared) < shared_bytes;
  memory_model::lane_access const all{0, number(is_load ? from : to), bytes};
  std::scoped_lock const lock(mutex);
  if (current != nullptr)
    current->copies[{at.file_name(), at.line()}] +=
        {1, 1, memory_model::sectors({&all, 1}), memory_model::fewest_sectors({&all, 1})};
}

// --- Functions that compilers call with -fsanitize=thread ----------------------------------------

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
void __tsan_func_entry(void* call) {
  if (auto* const block = memory_trace::this_block(); block != nullptr && !block->is_busy) {
    block->is_busy = true;
    block->accesses.enter(reinterpret_cast<std::uintptr_t>(call));
    block->is_busy = false;
  }
}
void __tsan_func_exit() {
  if (auto* const block = memory_trace::this_block(); block != nullptr && !block->is_busy)
    block->accesses.leave();
}

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
