#pragma once

// The results of several devices, combined by a vendor's library of collectives: NVIDIA's NCCL, or
// AMD's RCCL, whose words are the same.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#if defined(__HIP__)  // by clang, and so for AMD
#include <rccl/rccl.h>
#else
#include <nccl.h>
#endif

#include "common/model/gpu/gpu_queue.hpp"
#include "common/model/reduction.hpp"
#include "several/gpu/links.hpp"
#include "several/local/devices.hpp"

namespace ladder::several::gpu {

inline void check_collective(ncclResult_t code) {
  if (code != ncclSuccess)
    throw std::runtime_error(std::string("the collective: ") + ncclGetErrorString(code));
}

/// What it calls an accumulator; nothing where it has no such type.
inline std::optional<ncclDataType_t> type_of(Type accumulator) {
  switch (accumulator) {
    case Type::i8:
      return ncclInt8;
    case Type::i32:
      return ncclInt32;
    case Type::i64:
      return ncclInt64;
    case Type::f16:
      return ncclFloat16;
    case Type::bf16:
      return ncclBfloat16;
    case Type::f32:
      return ncclFloat32;
    case Type::f64:
      return ncclFloat64;
  }
  return std::nullopt;
}

inline std::optional<ncclRedOp_t> operation_of(Operation operation) {
  switch (operation) {
    case Operation::sum:
      return ncclSum;
    case Operation::product:
      return ncclProd;
    case Operation::min:
      return ncclMin;
    case Operation::max:
      return ncclMax;
    default:
      return std::nullopt;  // no operations on bits
  }
}

/// NVLink's multicast stays off unless the user's environment says otherwise: where the fabric does
/// not have it the library fails, and a fabric can be put out of order by it.
inline constexpr const char* multicast = "NCCL_NVLS_ENABLE";

/// The communicators of these GPUs. They are made once: that takes a second, and memory.
inline const std::vector<ncclComm_t>& communicators(const std::vector<int>& gpus) {
  static std::map<std::vector<int>, std::vector<ncclComm_t>> known;
  auto& comms = known[gpus];
  if (comms.empty()) {
    constexpr int keep = 0;
    ::setenv(multicast, "0", keep);
    std::vector<ncclComm_t> made(gpus.size());
    check_collective(ncclCommInitAll(made.data(), static_cast<int>(gpus.size()), gpus.data()));
    comms = std::move(made);
  }
  return comms;
}

template <class Runtime>
class Collective final : public Job {
 public:
  using Queue = ladder::gpu::Queue<Runtime>;

  /// `rung` reduces a share.
  Collective(std::span<const Side> sides, const Problem& problem, Run<Queue> rung)
      : rung_(rung),
        type_(accumulator_of(problem.type, problem.operation)),
        operation_(problem.operation),
        bytes_(facts(type_).bytes) {
    std::vector<int> gpus;
    for (const Side& side : sides) {
      side.device->select();
      Runtime::check(Runtime::current_device(&gpus.emplace_back()));
    }
    std::vector<int> sorted = gpus;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      throw NotPossible("m01 takes a GPU for each share: the library refuses one that comes twice");
    try {
      links_.emplace(sides);
    } catch (const NotPossible&) {
      // They do not reach each other: the library goes another way.
    }
    for (const Side& side : sides) add(side, problem);
    footprint_.launches.front().pass.depth += sides.size();
    comms_ = communicators(gpus);
    parts_.front().device->select();
  }

  void run() override {
    for (Part& part : parts_) {
      part.device->select();
      if (part.problem.n == 0) {
        // The host's place is one for all jobs on the device.
        const Value identity = identity_of(type_, operation_);
        std::memcpy(part.queue->host_identity(), &identity.bits, bytes_);
        part.device->enqueue_upload(part.queue->result(), part.queue->host_identity(), bytes_);
        continue;
      }
      part.queue->begin(part.scratch);
      rung_(*part.queue, part.problem, {});
    }
    check_collective(ncclGroupStart());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::byte* const result = parts_[i].queue->result();
      check_collective(ncclAllReduce(result, result, 1, *type_of(type_), *operation_of(operation_),
                                     comms_[i], parts_[i].queue->stream()));
    }
    check_collective(ncclGroupEnd());
    parts_.front().device->select();
  }
  void fetch() override { parts_.front().queue->fetch(bytes_); }
  Value result() const override {
    Value value{type_, 0};
    std::memcpy(&value.bits, parts_.front().queue->template host_result<void>(), bytes_);
    return value;
  }
  void spoil() override {
    for (const Part& part : parts_) {
      part.device->select();
      part.device->enqueue_set(part.queue->result(), spoiled_byte, sizeof(Value::bits));
    }
    std::memset(parts_.front().queue->template host_result<void>(), spoiled_byte,
                sizeof(Value::bits));
    for (std::size_t i = 0; links_ && i < links_->sides(); ++i) links_->wake(i);
    parts_.front().device->select();
  }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return {.shares = static_cast<unsigned>(parts_.size())}; }

 private:
  struct Part {
    Device* device;
    std::unique_ptr<Queue> queue;  ///< on the memory that all models on the device share
    Problem problem;
    std::size_t scratch;
  };

  void add(const Side& side, const Problem& problem) {
    side.device->select();
    // The device outlives the job: its backend has it.
    auto queue =
        std::make_unique<Queue>(std::shared_ptr<Device>(std::shared_ptr<Device>(), side.device));
    const Problem mine{side.input, side.n, problem.type, problem.operation, queue->result()};
    Footprint own;
    if (side.n > 0) own = queue->trace([&] { rung_(*queue, mine, {}); });
    queue->reserve(own.scratch_bytes);
    if (footprint_.launches.empty()) {
      footprint_.launches = own.launches;
      if (own.launches.empty()) footprint_.launches.emplace_back();
    } else if (!own.launches.empty()) {
      Pass& all = footprint_.launches.front().pass;
      for (const Launch& launch : own.launches) {
        all.read_bytes += launch.pass.read_bytes;
        all.written_bytes += launch.pass.written_bytes;
      }
    }
    parts_.push_back({side.device, std::move(queue), mine, own.scratch_bytes});
  }

  Run<Queue> rung_;
  Type type_;
  Operation operation_;
  std::size_t bytes_;
  std::vector<Part> parts_;
  std::vector<ncclComm_t> comms_;
  std::optional<Links<Runtime>> links_;
  Footprint footprint_;
};

/// Whether the library has the accumulator's type and the operation.
inline bool has(Type type, Operation operation) {
  return type_of(accumulator_of(type, operation)) && operation_of(operation);
}

}  // namespace ladder::several::gpu
