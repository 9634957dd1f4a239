#pragma once

// The HIP backend. Nothing of HIP is needed to include this.

#include <memory>
#include <span>
#include <vector>

#include "common/backend.hpp"
#include "common/roster.hpp"

namespace ladder::hip {

class Queue;

/// The backend; made without a look at the machine.
std::vector<std::unique_ptr<Backend>> backends();

/// The backend with `more` entries past its own: for tests.
std::unique_ptr<Backend> make_backend(std::span<const ladder::Extra<Queue>> more);

}  // namespace ladder::hip
