// SPDX-License-Identifier: MIT
// Lays out the workspace of a sort on CPUs and chooses the sizes of its buckets.
#pragma once

#include <sam/host/memory/tuning.hpp>
#include <sam/host/memory/workspace.hpp>
#include <sam/host/memory/write_combining.hpp>
#include <sam/host/sort/in_cache_lsd_sort.hpp>
#include <sam/host/sort/in_cache_vector_sort.hpp>

namespace sam::inline v0_1::host {

/// Holds the arrays that a sort needs besides those of the job, and their sizes.
template <class Key, class Value, class Digits>
struct sort_memory {
  /// Names the array that holds a range of items: the job's input, the spare array or the result. A
  /// range's keys agree in all bits from `high` on.
  enum class arrays { input, spare, sorted };
  struct range {
    index_t begin, end;
    int high;
    arrays at;
    index_t size() const { return end - begin; }
  };
  using job_type = sort_job<Key, Value, Digits>;
  using ordered_key = typename Digits::ordered_key;
  using vector_sort = in_cache_vector_sort<Key, Value, Digits>;
  using word = typename vector_sort::word;
  /// True if stores must be checked, because inconsistent digits of a user could lead outside a
  /// bucket.
  static constexpr bool checks_places = !sam::detail::is_consistent<Digits>;

  /// The parts of a split for each worker, if there are so many items that each part still puts
  /// this many bytes into an average bucket.
  static constexpr int several = 4;
  static constexpr index_t least_put_bytes = 1 << 10;

  /// The fewest items of a segment that all workers sort together.
  static constexpr index_t fewest_shared = 1 << 15;

  /// Lays out a sort of all items, or one of segments, of which all workers, if they are more
  /// than two, share long ones.
  sort_memory(int most_workers, job_type const& job, bool of_segments = false) {
    constexpr auto item_bytes = index_t{sizeof(Key) + (job_type::has_values ? sizeof(Value) : 0)};
    constexpr index_t largest = in_cache_lsd_sort<Key, Value, Digits>::most_items;
    // Most buckets of uniform keys have less than twice the average.
    index_t const fit = engine::max_of(tuned.sorted_bytes / item_bytes, 256);
    index_t const most = engine::max_of(tuned.most_sorted_bytes / item_bytes, 256);
    index_t const bucket = job.n >> tuned.usual_split_bits;
    cached = engine::min_of(engine::min_of(engine::max_of(fit, 2 * bucket), most), largest);
    split_bits =
        static_cast<int>(bucket > most / 2 ? tuned.most_split_bits : tuned.usual_split_bits);
    workers = job.n * item_bytes < tuned.parallel_bytes ? 1 : most_workers;
    // One worker sorts by vectors faster than two split the items first.
    if (workers == 2 && !of_segments && vector_sort::takes(job) && vector_sort::takes(job.n) &&
        job.n <= cached)
      workers = 1;
    if (of_segments && workers > 2)
      cached = engine::min_of(cached, engine::max_of(fewest_shared, job.n / workers));
    splits = job.n > cached || workers > 1;
    streams = has_streaming_stores && job.n * item_bytes >= tuned.sorted_streaming_bytes;
    fewest_streamed = tuned.fewest_streamed_bytes / item_bytes;
    buffers_of_worker = streams ? 3 : 2;
    buffer = padded(engine::min_of(cached, job.n));
    words_of_worker = vector_sort::takes(job) ? 2 * vector_sort::space_for(buffer) : 0;
    places = splits ? index_t{1} << split_bits : 0;
    bool const has_many_items =
        workers > 2 && job.n * item_bytes / (several * workers) >= places * least_put_bytes;
    parts = has_many_items ? several * workers : workers;
    buffer_for_starts = splits ? padded(places + 1) : 0;
    most_alone = workers == 1 ? job.n : engine::max_of(cached, job.n / (4 * workers));
    // Ranges on a stack are disjoint, and each is larger than a cache.
    stack_stride = splits ? padded(most_alone / cached + 1) : 0;
  }

  /// Takes all arrays from `take`, which has template <class T> T*
  /// operator()(std::type_identity<T>, index_t count).
  template <class Take>
  void lay_out(Take&& take, job_type const& job) {
    index_t const n = job.n;
    constexpr bool values = job_type::has_values;
    bool const spares = splits && job.spare_keys == nullptr;
    sorted = {job.sorted_keys, job.sorted_values};
    spare = {job.spare_keys, job.spare_values};
    if (sorted.keys == nullptr)
      sorted.keys = take(std::type_identity<Key>{}, n);
    if (spares) {
      spare.keys = take(std::type_identity<Key>{}, n);
      spare.values = take(std::type_identity<Value>{}, values ? n : 0);
    }
    buffers = {
        take(std::type_identity<Key>{}, workers * buffers_of_worker * buffer),
        take(std::type_identity<Value>{}, values ? workers * buffers_of_worker * buffer : 0)};
    words = take(std::type_identity<word>{}, workers * words_of_worker);
    lines = {
        take(std::type_identity<Key>{}, workers * write_combining_stores<Key>::capacity(places)),
        take(std::type_identity<Value>{},
             values ? workers * write_combining_stores<Value>::capacity(places) : 0)};
    begins = take(std::type_identity<index_t>{}, parts * places);
    ends = take(std::type_identity<index_t>{}, parts * places);
    limits = take(std::type_identity<index_t>{}, checks_places ? parts * places : 0);
    starts = take(std::type_identity<index_t>{}, (workers + 1) * buffer_for_starts);
    seen = take(std::type_identity<ordered_key>{}, parts * padded(1));
    pending = take(std::type_identity<range>{}, splits ? n / cached + 1 : 0);
    stacks = take(std::type_identity<range>{}, workers * stack_stride);
  }

  // Rounds up so that the parts of different workers begin on cache lines of their own.
  static index_t padded(index_t count) {
    constexpr index_t in_line{cache_line};
    return div_up(count, in_line) * in_line;
  }

  index_t cached;             // the most items that are sorted in cache
  int split_bits;             // the most bits of a split's digit
  index_t buffer;             // items in one buffer
  index_t words_of_worker;    // in two buffers, if vectors sort
  int buffers_of_worker;      // two to sort in, one for streamed results
  bool streams;               // true if stores bypass the caches
  index_t fewest_streamed;    // the fewest items of a streamed result
  index_t places;             // the most buckets of a split
  index_t buffer_for_starts;  // starts of the buckets of one split
  index_t most_alone;         // the most items that one worker splits alone
  index_t stack_stride;       // ranges that wait for a worker that splits alone
  int workers;
  int parts;  // of a range that all workers split
  bool splits;

  columns<Key, Value> sorted, spare;
  columns<Key, Value> buffers, lines;
  word* words;
  index_t *begins, *ends;  // of what each part puts into each bucket
  index_t* limits;         // ends of what each part puts into buckets; only if checks_places
  index_t* starts;         // of buckets: of all workers together, then of each alone
  ordered_key* seen;       // per part: bits in which keys differ from the first
  range* pending;          // ranges still to be sorted by all workers
  range* stacks;           // ranges still to be sorted by each worker
};

}  // namespace sam::inline v0_1::host
