// SPDX-License-Identifier: MIT
// The engine of a back end, from the kernels that are compiled for it.
#pragma once

#include <sam/context.hpp>
#include <sam/host/simd.hpp>

#include "engine/kernels.hpp"
#include "engine/memory.hpp"
#include "engine/scan_items.hpp"
#include "timing.hpp"

namespace sam::tool {

/// What stays the same while a tool runs: the back end's runtime, then its context.
template <class Runtime, sam::context Context>
struct session {
  int argument_count = 1;
  char name[4] = "sam";
  char* arguments[2] = {name, nullptr};
  Runtime runtime{argument_count, arguments};
  Context context;
};

template <sam::context Context, class Runtime>
class engine_on final : public engine {
  using memory = memory_of<Context>;

 public:
  void scan(buffer const& items, scan_request const& request) override {
    scan_items(session_.context, items, request);
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

  decode_speed measure_decode(buffer const& in, buffer const& out,
                              delta_request const& request) override {
    decode_speed seconds{};
    with_staged(in, out, [&](auto const& staged) {
      // Before decoding: what is brought back shall be what was decoded.
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
               {"vectors", std::to_string(8 * host::vector_bytes) + " bits"}}};
    }
  }

 private:
  /// Calls use(arrays) with in and out where the context works on them.
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
