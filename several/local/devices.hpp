#pragma once

// Several devices of this process, and the rungs on them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/model/backend.hpp"
#include "several/local/each_device.hpp"

namespace ladder::several {

/// One of the devices of a rung, with its share.
struct Side {
  Device* device = nullptr;
  const void* input = nullptr;
  std::size_t n = 0;
};

/// Where the result is when a run has been fetched.
enum class Result : std::uint8_t {
  on_device,  ///< in the first side's memory, from where it is copied
  told,       ///< in the host's memory: the kernel writes it there, and the host looks for it
};

/// A rung that a model's own words take to write: m01, m02. It has `prepare` or `combine`.
struct Own {
  std::string_view id;  ///< of `several_ladder`
  bool (*carries)(Type, Operation);
  /// With kernels of its own, bound to the shares. Throws `NotPossible`.
  std::unique_ptr<Job> (*prepare)(std::span<const Side> sides, const Problem& problem,
                                  Result where) = nullptr;
  /// Over the tuned rung's jobs on the shares, whose results are on the devices. Throws
  /// `NotPossible`.
  std::unique_ptr<Job> (*combine)(std::vector<Part> parts, const Problem& problem) = nullptr;
};

/// What a model tells of how its devices reach each other; null: nothing.
using Topology = std::vector<Fact> (*)(std::span<Device* const> devices);

/// "several/<each>": the one backend that `make` gives, made once for each device, in one process.
std::unique_ptr<Backend> in_one_process(std::vector<std::unique_ptr<Backend>> (*make)(),
                                        std::vector<Own> own = {}, Topology topology = nullptr);

}  // namespace ladder::several
