// SPDX-License-Identifier: MIT
// Declares the namespaces of the library. Names that callers use are in sam. Names that primitives
// and back ends share are in sam::engine, which the namespaces of their code see. A back end makes
// it visible in its own namespace.
#pragma once

#include <sam/base/requirements.hpp>

namespace sam::inline v0_1 {
namespace engine {}
namespace carry {
using namespace engine;
}
namespace detail {
using namespace engine;
}
namespace gpu {
using namespace engine;
}
namespace host {
using namespace engine;
}
namespace reference {
using namespace engine;
}
}  // namespace sam::inline v0_1
