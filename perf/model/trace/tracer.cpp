// SPDX-License-Identifier: MIT
// Sorts the accesses of the traced kernels by kind of memory, and prints what has been recorded.
#include "hooks.hpp"
#include "recorder.hpp"
#include "trace.hpp"
#include <malloc.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <list>
#include <memory>
#include <mutex>
#include <new>

extern "C" char __executable_start, _end;  // begin and end of the program's static data

namespace memory_trace {

namespace {

struct kernel {
  std::string name;
  std::int64_t items;
  std::string tile;
  site_counts sites{};
  copy_counts copies{};
};

std::string selected;
std::list<kernel> kernels;
kernel* current = nullptr;
std::mutex mutex;

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
/// The shared memory of each block that runs; end is 0 if none does.
struct shared_memory {
  std::atomic<std::uintptr_t> begin{0}, end{0};
};
std::array<shared_memory, 64> shared_memories;
address_range const static_data{number(&__executable_start), number(&_end)};

/// Collects the accesses of a block, whose thread ends with it.
struct block_record {
  recorder accesses{};
  address_range shared{};
  bool is_busy = false;
  ~block_record() {
    is_busy = true;
    site_counts const all = accesses.finish();
    shared_memories.at(std::size_t(simt::here.block)).end = 0;
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
  auto& known = shared_memories.at(std::size_t(simt::here.block));
  known.begin = record.shared.begin;
  known.end = record.shared.end;
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
  return std::ranges::any_of(shared_memories, [&](auto const& memory) {
    return address < memory.end && address >= memory.begin;
  });
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

void note(void const* p, std::size_t bytes, kind what, void* at, bool is_polled) {
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

void enter(void* call) {
  if (block_record* const block = this_block(); block != nullptr && !block->is_busy) {
    block->is_busy = true;
    block->accesses.enter(number(call));
    block->is_busy = false;
  }
}
void leave() {
  if (block_record* const block = this_block(); block != nullptr && !block->is_busy)
    block->accesses.leave();
}

void select(std::string const& part_of_name) { selected = part_of_name; }

void record(std::string const& name, std::int64_t items, std::function<void()> const& work,
            std::string const& tile) {
  if (name.find(selected) == std::string::npos)
    return;
  kernels.push_back({name, items, tile});
  current = &kernels.back();
  work();
  current = nullptr;
}

void print(std::FILE* to) {
  static char const* const spaces[] = {"shared", "global", "copied"};
  static char const* const kinds[] = {"load", "store", "atomic"};
  char const* next_kernel = "[\n";
  for (kernel const& k : kernels) {
    std::fprintf(to, "%s{\"kernel\": \"%s\", \"items\": %lld, \"tile\": \"%s\", \"sites\": [",
                 next_kernel, escaped(k.name).c_str(), static_cast<long long>(k.items),
                 k.tile.c_str());
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

// All memory is aligned as memory from cudaMalloc, so that the number of sectors does not depend on
// what has been allocated before.
void* operator new(std::size_t bytes) {
  constexpr std::size_t alignment = 256;
  if (void* const p = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment))
    return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

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
