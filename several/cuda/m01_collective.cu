// m01 collective: as in m00 every device reduces its share by r30; then NCCL combines the results
// where they are, by ncclAllReduce on the same streams, so that the host waits once and every
// device has the result.

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <nccl.h>

#include "common/model/reduction.hpp"
#include "cuda/queue.hpp"
#include "several/cuda/rungs.hpp"

namespace ladder::cuda::r30 {
Run<Queue> find(Type, Operation);
}

namespace ladder::several::cuda::m01 {
namespace {

using ladder::cuda::Queue;
using ladder::cuda::Runtime;

void check(ncclResult_t code) {
  if (code != ncclSuccess)
    throw std::runtime_error(std::string("NCCL: ") + ncclGetErrorString(code));
}

/// What NCCL calls an accumulator; nothing where it has no such type.
std::optional<ncclDataType_t> type_of(Type accumulator) {
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

std::optional<ncclRedOp_t> operation_of(Operation operation) {
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

/// NCCL's communicators of these GPUs. They are made once: that takes a second, and memory.
const std::vector<ncclComm_t>& communicators(const std::vector<int>& gpus) {
  static std::map<std::vector<int>, std::vector<ncclComm_t>> known;
  auto& comms = known[gpus];
  if (comms.empty()) {
    std::vector<ncclComm_t> made(gpus.size());
    check(ncclCommInitAll(made.data(), static_cast<int>(gpus.size()), gpus.data()));
    comms = std::move(made);
  }
  return comms;
}

class Collective final : public Job {
 public:
  Collective(std::span<const Side> sides, const Problem& problem)
      : rung_(ladder::cuda::r30::find(problem.type, problem.operation)),
        type_(accumulator_of(problem.type, problem.operation)),
        operation_(problem.operation),
        bytes_(facts(type_).bytes) {
    std::vector<int> gpus;
    for (const Side& side : sides) {
      side.device->select();
      Runtime::check(cudaGetDevice(&gpus.emplace_back()));
    }
    std::vector<int> sorted = gpus;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      throw NotPossible("m01 takes a GPU for each share: NCCL refuses one that comes twice");
    for (const Side& side : sides) add(side, problem);
    footprint_.launches.front().pass.depth += sides.size();
    comms_ = communicators(gpus);
    parts_.front().device->select();
  }

  void run() override {
    for (Part& part : parts_) {
      part.device->select();
      if (part.problem.n == 0) {
        part.device->enqueue_upload(part.queue->result(), part.queue->host_identity(), bytes_);
        continue;
      }
      part.queue->begin(part.scratch);
      rung_(*part.queue, part.problem, {});
    }
    check(ncclGroupStart());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      std::byte* const result = parts_[i].queue->result();
      check(ncclAllReduce(result, result, 1, *type_of(type_), *operation_of(operation_), comms_[i],
                          parts_[i].queue->stream()));
    }
    check(ncclGroupEnd());
    parts_.front().device->select();
  }
  void fetch() override { parts_.front().queue->fetch(bytes_); }
  Value result() const override {
    Value value{type_, 0};
    std::memcpy(&value.bits, parts_.front().queue->host_result<void>(), bytes_);
    return value;
  }
  void spoil() override {
    for (const Part& part : parts_) {
      part.device->select();
      part.device->enqueue_set(part.queue->result(), spoiled_byte, sizeof(Value::bits));
    }
    std::memset(parts_.front().queue->host_result<void>(), spoiled_byte, sizeof(Value::bits));
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
    const Value identity = identity_of(type_, operation_);
    std::memcpy(queue->host_identity(), &identity.bits, bytes_);
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
  Footprint footprint_;
};

}  // namespace

bool carries(Type type, Operation operation) {
  return type_of(accumulator_of(type, operation)) && operation_of(operation) &&
         ladder::cuda::r30::find(type, operation) != nullptr;
}

std::unique_ptr<Job> prepare(std::span<const Side> sides, const Problem& problem) {
  return std::make_unique<Collective>(sides, problem);
}

}  // namespace ladder::several::cuda::m01
