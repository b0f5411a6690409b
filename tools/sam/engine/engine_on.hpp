// SPDX-License-Identifier: MIT
// The engine of one back end, which calls the kernels that are compiled for it.
#pragma once

#include <sam/context.hpp>
#include <sam/host/memory/load_tuning.hpp>
#include <sam/host/simd/simd.hpp>

#include "engine/keep_items.hpp"
#include "engine/kernels.hpp"
#include "engine/memory.hpp"
#include "engine/number_items.hpp"
#include "engine/scan_items.hpp"
#include "engine/segment_items.hpp"
#include "engine/sort_items.hpp"
#include "engine/tuned.hpp"
#include "engine/words_on.hpp"
#include "timing.hpp"

#include <algorithm>

namespace sam::tool {

/// The state that lasts as long as the tool runs: first the back end's runtime, then its context.
template <class Runtime, sam::context Context>
struct session {
  int argument_count = 1;
  char name[4] = "sam";
  char* arguments[2] = {name, nullptr};
  Runtime runtime{argument_count, arguments};
  Context context;
};

/// Returns the table of algorithms of scans or sorts; empty if the context has none.
template <sam::context Context>
std::string plan_of(plan_kind kind) {
  if constexpr (requires { Context::sort_plan() + Context::scan_plan(); })
    return kind == plan_kind::sorts ? Context::sort_plan() : Context::scan_plan();
  else
    return "";
}

template <sam::context Context, class Runtime>
class engine_on final : public engine {
  using memory = memory_of<Context>;

 public:
  void scan(buffer const& items, scan_request const& request) override {
    scan_items(session_.context, items, request);
  }
  void scan_mapped(buffer const& in, buffer const& out, scan_request const& request) override {
    scan_mapped_items(session_.context, in, out, request);
  }

  void segmented_scan(buffer const& items, segmentation const& segments,
                      segmented_request const& request) override {
    scan_segments(session_.context, items, segments, request);
  }

  void reduce(buffer const& items, buffer const& out, reduce_request const& request) override {
    reduce_items(session_.context, items, out, request);
  }
  index_t reduce_segments(buffer const& items, segmentation const& segments, buffer const& out,
                          reduce_request const& request) override {
    return reduce_items_in_segments(session_.context, items, segments, out, request);
  }
  index_t reduce_by_key(buffer const& keys, buffer const& items, buffer const& unique_keys,
                        buffer const& out, reduce_request const& request) override {
    return reduce_items_by_key(session_.context, keys, items, unique_keys, out, request);
  }

  void encode(buffer const& in, buffer const& out, delta_request const& request) override {
    with_staged(in, out, [&](auto const& staged) {
      auto from = staged.in();
      for (int round = 0; round < request.order; ++round, from = staged.out())
        difference(session_.context, from, staged.out(), request.tuple_size);
      staged.bring_back();
    });
  }

  void decode(buffer const& in, buffer const& out, delta_request const& request) override {
    with_staged(in, out, [&](auto const& staged) {
      sum_up(staged, request);
      staged.bring_back();
    });
  }

  void sort(buffer const& items, segmentation const* segments,
            sort_request const& request) override {
    sort_items(session_.context, items, segments, request);
  }
  void sort(buffer const& items, buffer const& values, segmentation const* segments,
            sort_request const& request) override {
    sort_items_and_values(session_.context, items, values, segments, request);
  }
  void argsort(buffer const& items, segmentation const* segments, buffer const& order,
               sort_request const& request) override {
    argsort_items(session_.context, items, segments, order, request);
  }

  decode_speed measure_decode(buffer const& in, buffer const& out,
                              delta_request const& request) override {
    decode_speed seconds{};
    with_staged(in, out, [&](auto const& staged) {
      // The copy is measured before decoding, so that the output that is brought back is the
      // decoded one.
      seconds.copy = median_seconds([&] {
        memory::copy(session_.context, std::as_bytes(staged.in()),
                     std::as_writable_bytes(staged.out()));
      });
      seconds.decode = median_seconds([&] {
        sum_up(staged, request);
        session_.context.wait();
      });
      staged.bring_back();
    });
    return seconds;
  }

  index_t compact(buffer const& in, buffer const& out, keep_request const& request,
                  bool partition) override {
    return keep_items(session_.context, in, out, request, partition);
  }
  index_t compact(buffer const& in, buffer const& out, buffer const& flags,
                  bool partition) override {
    return keep_items(session_.context, in, out, flags, partition);
  }
  index_t compact_indices(buffer const& in, buffer const& out,
                          keep_request const& request) override {
    return keep_indices(session_.context, in, out, request);
  }
  index_t compact_indices(buffer const& flags, buffer const& out) override {
    return keep_indices(session_.context, flags, out);
  }
  std::array<index_t, 2> partition(buffer const& in, buffer const& out, keep_request const& first,
                                   keep_request const& second) override {
    return part_items(session_.context, in, out, first, second);
  }

  index_t unique(buffer const& keys, buffer const& values, buffer const& keys_out,
                 buffer const& values_out) override {
    index_t kept = 0;
    with_words(values, values_out, [&]<class Word>(std::span<Word> words, std::span<Word> to) {
      with_number_bits(keys.type(), [&]<class U>(number_bits<U>) {
        array_of<U> const from(session_.context, keys.as<U>());
        array_of<U> const kept_keys(session_.context, keys_out.as<U>());
        array_of<Word> const beside(session_.context, words), kept_words(session_.context, to);
        kept = unique_keys(session_.context, from.in(), beside.in(), kept_keys.out(),
                           kept_words.out());
        kept_keys.bring_back();
        kept_words.bring_back();
      });
    });
    return kept;
  }
  index_t encode_runs(buffer const& in, buffer const& values, buffer const& lengths) override {
    return with_type(in.type(), [&]<class T>(std::type_identity<T>) {
      using U = bits_of_number<T>;
      array_of<U> const from(session_.context, in.as<U>()), to(session_.context, values.as<U>());
      array_of<std::int64_t> const by(session_.context, lengths.as<std::int64_t>());
      index_t const runs = tool::encode_runs(session_.context, from.in(), to.out(), by.out());
      to.bring_back();
      by.bring_back();
      return runs;
    });
  }
  index_t decode_runs(buffer const& values, buffer const& lengths, buffer const& out) override {
    return with_type(values.type(), [&]<class T>(std::type_identity<T>) {
      using U = bits_of_number<T>;
      array_of<U> const from(session_.context, values.as<U>()), to(session_.context, out.as<U>());
      array_of<std::int64_t> const by(session_.context, lengths.as<std::int64_t>());
      index_t const items = tool::decode_runs(session_.context, from.in(), by.in(), to.out());
      to.bring_back();
      return items;
    });
  }

  void histogram(buffer const& in, buffer const& counts,
                 histogram_request const& request) override {
    count_items(session_.context, in, nullptr, counts, request);
  }
  void histogram(buffer const& in, buffer const& boundaries, buffer const& counts,
                 histogram_request const& request) override {
    count_items(session_.context, in, &boundaries, counts, request);
  }

  void summed_area_table(buffer const& items, index_t width, bool exclusive) override {
    sum_areas_of(session_.context, items, width, exclusive);
  }
  void linear_recurrence(buffer const& a, buffer const& b,
                         std::optional<std::string> const& init) override {
    recur_items(session_.context, a, b, init);
  }
  void linear_filter(buffer const& items, filter_request const& request) override {
    filter_items(session_.context, items, request);
  }

  std::unique_ptr<set_calls> sets() override { return make_sets(session_.context); }
  std::unique_ptr<move_calls> moves() override { return make_moves(session_.context); }
  std::unique_ptr<rank_calls> ranks() override { return make_ranks(session_.context); }
  std::unique_ptr<number_calls> numbers() override { return make_numbers(session_.context); }

  description describe() const override {
    Context const& context = session_.context;
    if constexpr (has_own_memory<Context>) {
      return {std::string(context.name()) + ", in its memory", "cudaMemcpy within it",
              index_t{512} << 20, about(context)};
    } else {
      std::string const threads = std::to_string(threads_of(context));
      return {std::string(context.name()) + ", " + threads + " thread" +
                  (threads == "1" ? "" : "s"),
              "memcpy by as many threads",
              index_t{64} << 20,
              {{"device", context.name()},
               {"threads", threads},
               {"vectors", std::to_string(8 * host::vector_bytes) + " bits"},
               {"CPU", host::device_name()},
               {"tuning", sam::engine::text_of(host::load_tuning())}}};
    }
  }

  std::unique_ptr<tune::machine> tuned() override { return make_tuned(session_.context); }

 private:
  template <class T>
  using array_of = typename memory::template arrays<T>;

  /// Calls use(arrays) with `in` and `out` in memory that the context can access.
  template <class Use>
  void with_staged(buffer const& in, buffer const& out, Use use) {
    with_modular_type(in.type(), [&]<class T>(std::type_identity<T>) {
      typename memory::template arrays<T> const staged(session_.context, in.as<T const>(),
                                                       out.as<T>());
      use(staged);
    });
  }

  template <class Arrays>
  void sum_up(Arrays const& staged, delta_request const& request) {
    auto from = staged.in();
    for (int left = request.order; left > 0; from = staged.out())
      left -= sum(session_.context, from, staged.out(), left, request.tuple_size,
                  typename decltype(from)::value_type(0));
  }

  session<Runtime, Context> session_;
};

}  // namespace sam::tool
