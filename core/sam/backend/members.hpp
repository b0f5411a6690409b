// SPDX-License-Identifier: MIT
// Lists all that the context of a back end may have, as concepts. Primitives ask by these concepts
// what a context offers, and take the general way where it lacks something. A back end asserts
// back_end for its contexts.
//
// The functions are members of the context, because a free function would also be looked up in the
// namespaces of callers' items and callables.
#pragma once

#include <sam/backend/job/cut_offsets.hpp>
#include <sam/backend/job/job.hpp>
#include <sam/backend/sort_job.hpp>

#include <concepts>
#include <cstddef>
#include <source_location>
#include <string_view>
#include <type_traits>

namespace sam::inline v0_1::engine {

// --- What every context has ----------------------------------------------------------------------

/// run(n, job, policy) runs a job (<sam/backend/job.hpp>) over n items under a resolved policy. It
/// may have overloads for kinds of jobs. On a device it queues the work.
template <class C, class Job, class Policy>
concept runs = requires(C& c, index_t n, Job const& job, Policy const& policy) {
  c.run(n, job, policy);
};

/// wait() returns when all work queued through the context is done, and throws if that work failed.
/// name() returns the name of what the context runs on, for messages.
template <class C>
concept back_end = requires(C& c, C const& constant) {
  c.wait();
  { constant.name() } -> std::convertible_to<char const*>;
};

// --- Calls and memory ----------------------------------------------------------------------------

/// begin_call(function, at) returns an object that lives as long as a call of that function from
/// that source location. It throws if the context is in use, see <sam/backend/context_use.hpp>.
/// Where the object has contiguous(a) and written_back(a), arrays that are not contiguous are
/// copied for the call: both return a pointer to a copy, which written_back writes to a at the end.
template <class C>
concept guards_calls = requires(C& c, std::string_view function, std::source_location at) {
  c.begin_call(function, at);
};

/// workspace(bytes) returns memory for queued work, valid until the next call of workspace. Without
/// it, functions that keep something between passes do not compile.
template <class C>
concept has_workspace = requires(C& c, std::size_t bytes) {
  { c.workspace(bytes) } -> std::same_as<void*>;
};

/// input_memory(bytes) returns memory for inputs that a call stores, apart from its workspace and
/// valid until the next call of input_memory. Without it, calls that need arrays do not take
/// computed inputs.
template <class C>
concept has_input_memory = requires(C& c, std::size_t bytes) {
  { c.input_memory(bytes) } -> std::same_as<void*>;
};

/// results() returns a pointer to most_result_bytes bytes that the context's work may write and the
/// host may read after wait(). A context with it works on a device: queued work may still run when
/// a call returns. The device may share the host's memory.
template <class C>
concept works_on_device = requires(C& c) {
  c.results();
};

/// `staging` is a type that copies items from the host's memory to the context's and back, see
/// <sam/launch/runtime/staging.hpp>. A context with it works in its own memory.
template <class C>
concept has_own_memory = requires {
  typename C::staging;
};

/// reaches_pointer(p) returns true if the context can access memory at p.
template <class C>
concept checks_pointers = requires(C const& c, void const* p) {
  { c.reaches_pointer(p) } -> std::same_as<bool>;
};

/// True if context C can access arrays of type A, as far as the type tells. A context whose arrays
/// name their memory space has `template <class Array> static constexpr bool reaches`.
template <class C, class A>
inline constexpr bool is_within_reach = [] {
  if constexpr (requires { C::template reaches<A>; })
    return C::template reaches<A>;
  else
    return true;
}();

/// True if context C loads each item of a scatter job once, so that the job may overwrite items.
/// One that does not has `template <class Item> static constexpr bool loads_items_once = false`.
template <class C, class Item>
inline constexpr bool loads_items_once = [] {
  if constexpr (requires { C::template loads_items_once<Item>; })
    return C::template loads_items_once<Item>;
  else
    return true;
}();

/// True if context C runs selecting_first jobs (<sam/backend/job/contiguous.hpp>) and
/// selecting_pairs jobs (<sam/backend/job/scattering.hpp>) that load as many bytes for each item as
/// Item has.
/// One that does has `template <class Item> static constexpr bool selects_first`.
template <class C, class Item>
inline constexpr bool selects_first = [] {
  if constexpr (requires { C::template selects_first<Item>; })
    return C::template selects_first<Item>;
  else
    return false;
}();

/// True if context C runs limiting_first jobs (<sam/backend/job/segmented.hpp>).
/// One that does has `static constexpr bool limits_items`.
template <class C>
inline constexpr bool limits_items = [] {
  if constexpr (requires { C::limits_items; })
    return C::limits_items;
  else
    return false;
}();

/// cached_bytes() returns how many bytes of items a cache that all threads share can hold while
/// they are read at random. Without it, or if it is 0, calls do not divide their work to stay
/// within it.
template <class C>
concept has_shared_cache = requires(C const& c) {
  { c.cached_bytes() } -> std::same_as<index_t>;
};

// --- Jobs with functions of their own ------------------------------------------------------------

/// run_two(n, first, second, policy) runs two independent jobs, perhaps at the same time. Without
/// it, one is run after the other.
template <class C, class First, class Second, class Policy>
concept runs_two = requires(C& c, index_t n, First const& first, Second const& second,
                            Policy const& policy) {
  c.run_two(n, first, second, policy);
};

/// run_teams(teams, threads, bytes, kernel) calls kernel(team) for so many teams of threads, in any
/// order or at the same time, after all work queued before. A team has `bytes` bytes of memory,
/// which are not initialised and aligned to 16, and about `threads` threads, all of which call
/// kernel. teams_at_once() returns 1 if teams run one after another, else about how many run at the
/// same time. Without these, scans of streams do not compile.
///
/// team.index()             returns the number of the team, from 0
/// team.memory()            points at its memory
/// team.for_each(count, f)  calls f(0) to f(count - 1), each in one of the threads
/// team.barrier()           waits for all threads of the team, and orders what they store
/// Team::is_one_thread      optional: true if a team is one thread, which has the vectors of a CPU
template <class C, class Kernel>
concept runs_teams = requires(C& c, index_t teams, int threads, std::size_t bytes,
                              Kernel const& kernel) {
  c.run_teams(teams, threads, bytes, kernel);
  { c.teams_at_once() } -> std::same_as<int>;
};

/// sort(job) runs a sort_job. Without it, sorts do not compile. sort_workspace(job) returns the
/// bytes of the context's memory that sort needs, for functions that only ask for them.
template <class C, class Job>
concept sorts = requires(C& c, Job const& job) {
  c.sort(job);
};

/// sort_counted(job, number) runs a sort_job of the first number.upto(job.n) keys, where `number`
/// is a number_in_memory of the device. Without it, sorts of counted inputs wait for the number.
template <class C, class Job>
concept sorts_counted = requires(C& c, Job const& job, number_in_memory const& number) {
  c.sort_counted(job, number);
};

/// segmented_sort(job, heads) and segmented_sort_workspace(job) sort the segments of a sort_job.
/// Without them, many segments are sorted by one sort of all items.
template <class C, class Job>
concept sorts_segments = requires(C const& c, Job const& job) {
  { c.segmented_sort_workspace(job) } -> std::same_as<index_t>;
};

/// count_bins(job) runs a histogram_job. Without it, histograms do not compile.
template <class C, class Job>
concept counts_bins = requires(C& c, Job const& job) {
  c.count_bins(job);
};

/// sum_bins(job) runs a weighted_histogram_job, or returns false if it queued nothing; it never
/// does so for items that are added by value. Without it, weights are sorted by bin and added up.
template <class C, class Job>
concept sums_bins = requires(C& c, Job const& job) {
  c.sum_bins(job);
};
/// True if sum_bins(job) runs every such job: it is void, or items are added by value.
template <class C, class Job>
concept sums_all_bins = sums_bins<C, Job> && requires(C& c, Job const& job) {
  requires Job::adds_values || std::is_void_v<decltype(c.sum_bins(job))>;
};

/// search_by_counts(job) runs a counting_search_job. Without it, each pass is a histogram and a
/// scan of its counts.
template <class C, class Job>
concept searches_by_counts = requires(C& c, Job const& job) {
  c.search_by_counts(job);
};

/// split(job) runs a split_job, or returns false if it queued nothing. The other ways are one
/// compaction for each kind, or a count of all kinds before all items are placed.
template <class C, class Job>
concept splits = requires(C& c, Job const& job) {
  { c.split(job) } -> std::same_as<bool>;
};

/// split_first(job) does so for a first_split_job.
template <class C, class Job>
concept splits_first = requires(C& c, Job const& job) {
  { c.split_first(job) } -> std::same_as<bool>;
};

/// counts_kinds_first(job) is true if the context runs a split_job of two kinds faster by a count
/// before all items are placed. Without it, each of the two kinds is compacted.
template <class C, class Job>
concept may_count_kinds_first = requires(C const& c, Job const& job) {
  { c.counts_kinds_first(job) } -> std::same_as<bool>;
};

/// reduce_segments(job) runs a reduce_segments_job, or returns false if it queued nothing. A
/// segmented scan is the other way.
template <class C, class Job>
concept reduces_segments = requires(C& c, Job const& job) {
  { c.reduce_segments(job) } -> std::same_as<bool>;
};

/// sort_segments(job, offsets, segments) sorts each segment of a sort_job, as segmented_sort does,
/// or returns false if it queued nothing.
template <class C, class Job, class Offset>
concept sorts_segments_by_offsets = requires(C& c, Job const& job, Offset const* offsets,
                                             index_t segments) {
  { c.sort_segments(job, offsets, segments) } -> std::same_as<bool>;
};

/// sort_segments(job, offsets, segments) does so by cut_offsets, and leaves items past their
/// number. segmented_sort(job, heads) then leaves those past heads.ends_at, if heads have this
/// number_in_memory.
template <class C, class Job, class Offset>
concept sorts_first_of_segments = requires(C& c, Job const& job, cut_offsets<Offset> const& offsets,
                                           index_t segments) {
  { c.sort_segments(job, offsets, segments) } -> std::same_as<bool>;
};

/// select_in_segments(job) runs a select_in_segments_job, or returns false if it queued nothing.
/// The other way sorts whole segments.
template <class C, class Job>
concept selects_in_segments = requires(C& c, Job const& job) {
  { c.select_in_segments(job) } -> std::same_as<bool>;
};

/// scan_segments(job) runs a scan_segments_job, or returns false if it queued nothing. The other
/// way marks where segments begin.
template <class C, class Job>
concept scans_segments = requires(C& c, Job const& job) {
  { c.scan_segments(job) } -> std::same_as<bool>;
};

/// decode_runs(job) runs a decode_runs_job, or returns false if it queued nothing. The other way
/// marks where runs begin, and counts the marks.
template <class C, class Job>
concept decodes_runs = requires(C& c, Job const& job) {
  { c.decode_runs(job) } -> std::same_as<bool>;
};

/// mark_bits(job) runs a mark_job. Without it, bits are set by a segmented reduction. A host back
/// end with it must also support put_totals of segmented reduction jobs.
template <class C, class Job>
concept marks_bits = requires(C& c, Job const& job) {
  c.mark_bits(job);
};

/// run_marked(marks, n, job, policy) runs a mark_job, and then a job that reads the bits. Without
/// it, primitives call mark_bits and run.
template <class C, class Marks, class Job, class Policy>
concept runs_marked = requires(C& c, Marks const& marks, index_t n, Job const& job,
                               Policy const& policy) {
  c.run_marked(marks, n, job, policy);
};

}  // namespace sam::inline v0_1::engine
