// SPDX-License-Identifier: MIT
// The engine of a back end, from the kernels that are compiled for it.
#pragma once

#include <sam/context.hpp>
#include <sam/host/simd.hpp>

#include "engine/kernels.hpp"
#include "engine/scan_items.hpp"

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
 public:
  void scan(buffer const& items, scan_request const& request) override {
    scan_items(session_.context, items, request);
    session_.context.wait();
  }

  void encode(buffer const& in, buffer const& out, delta_request const& request) override {
    with_modular_type(in.type(), [&]<class T>(std::type_identity<T>) {
      std::span<T const> from = in.as<T const>();
      for (int round = 0; round < request.order; ++round, from = out.as<T const>())
        difference(session_.context, from, out.as<T>(), request.tuple_size);
    });
    session_.context.wait();
  }

  void decode(buffer const& in, buffer const& out, delta_request const& request) override {
    with_modular_type(in.type(), [&]<class T>(std::type_identity<T>) {
      std::span<T const> from = in.as<T const>();
      for (int left = request.order; left > 0; from = out.as<T const>())
        left -= sum(session_.context, from, out.as<T>(), left, request.tuple_size, T(0));
    });
    session_.context.wait();
  }

  std::string device() const override { return session_.context.name(); }
  int threads() const override {
    if constexpr (requires { session_.context.space().concurrency(); })
      return static_cast<int>(session_.context.space().concurrency());
    else
      return 1;
  }
  int vector_bytes() const override { return host::vector_bytes; }

 private:
  session<Runtime, Context> session_;
};

}  // namespace sam::tool
