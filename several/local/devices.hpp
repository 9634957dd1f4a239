#pragma once

// Several devices of this process, and the rungs on them.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/model/backend.hpp"
#include "several/local/each_device.hpp"

namespace ladder::several {

/// A device of a rung, with its share.
struct Side {
  Device* device = nullptr;
  const void* input = nullptr;
  std::size_t n = 0;
};

/// Destination of a run's result.
enum class Result : std::uint8_t {
  on_device,  ///< the first side's memory, from which `fetch` copies it
  told,       ///< the host's memory: the kernel writes it, and the host polls it
};

/// A rung that needs a model's own API: m01, m02. It has `prepare` or `combine`.
struct Own {
  std::string_view id;  ///< in `several_ladder`
  bool (*carries)(Type, Operation);
  /// Binds the rung's own kernels to the shares. Throws `NotPossible`.
  std::unique_ptr<Job> (*prepare)(std::span<const Side> sides, const Problem& problem,
                                  Result where) = nullptr;
  /// Combines the results of the tuned rung's jobs on the shares, which are on the devices. Throws
  /// `NotPossible`.
  std::unique_ptr<Job> (*combine)(std::vector<Part> parts, const Problem& problem) = nullptr;
};

/// A model's facts about peer access between its devices; null: none.
using Topology = std::vector<Fact> (*)(std::span<Device* const> devices);

/// "several/<each>" in one process: the one backend that `make` returns, created for each device.
std::unique_ptr<Backend> in_one_process(std::vector<std::unique_ptr<Backend>> (*make)(),
                                        std::vector<Own> own = {}, Topology topology = nullptr);

}  // namespace ladder::several
