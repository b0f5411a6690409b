// SPDX-License-Identifier: MIT
#include <sam/backend.hpp>
#include <sam/delta.hpp>

#include "engine/kernels.hpp"

namespace sam::tool {

template <class Context, class T>
void difference(Context& context, std::span<T const> in, std::span<T> out, index_t tuple_size) {
  delta_encode(context, in, out, tuple_size);
}

template void difference(default_context&, std::span<std::uint8_t const>, std::span<std::uint8_t>,
                         index_t);
template void difference(default_context&, std::span<std::uint16_t const>, std::span<std::uint16_t>,
                         index_t);
template void difference(default_context&, std::span<std::uint32_t const>, std::span<std::uint32_t>,
                         index_t);
template void difference(default_context&, std::span<std::uint64_t const>, std::span<std::uint64_t>,
                         index_t);

}  // namespace sam::tool
