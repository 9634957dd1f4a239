// m01 collective: every device reduces its share by r30, as in m00. Then NCCL, or RCCL on AMD with
// the same API, combines the results in place by ncclAllReduce on the same streams. The host waits
// once, and every device has the result.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#if defined(__HIP__)  // clang, hence AMD
#include <rccl/rccl.h>
#else
#include <nccl.h>
#endif

#include "common/gpu/model.hpp"
#include "several/gpu/links.hpp"
#include "several/gpu/several_gpu.hpp"

namespace ladder::several::LADDER_MODEL::m01 {
namespace {

void check(ncclResult_t code) {
  if (code != ncclSuccess)
    throw std::runtime_error(std::string("the collective: ") + ncclGetErrorString(code));
}

/// NCCL's type of an accumulator; empty if it has none.
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
      return std::nullopt;  // no bitwise operations
  }
}

/// NVLink multicast is off unless the user's environment sets it: without support in the fabric the
/// library fails, and multicast can disrupt a fabric.
constexpr const char* multicast = "NCCL_NVLS_ENABLE";

/// Communicators of these GPUs. Created once, since that takes a second, and memory.
const std::vector<ncclComm_t>& communicators(const std::vector<int>& gpus) {
  static std::map<std::vector<int>, std::vector<ncclComm_t>> known;
  auto& comms = known[gpus];
  if (comms.empty()) {
    constexpr int keep = 0;
    ::setenv(multicast, "0", keep);
    std::vector<ncclComm_t> made(gpus.size());
    check(ncclCommInitAll(made.data(), static_cast<int>(gpus.size()), gpus.data()));
    comms = std::move(made);
  }
  return comms;
}

class Collective final : public EachDevice {
 public:
  Collective(std::vector<Part> all, const Problem& problem)
      : EachDevice(std::move(all)),
        type_(*type_of(accumulator_of(problem.type, problem.operation))),
        operation_(*operation_of(problem.operation)) {
    std::vector<int> gpus;
    std::vector<Device*> devices;
    for (const Part& part : parts()) {
      gpus.push_back(number_of(*part.device));
      devices.push_back(part.device);
      results_.push_back(work_memory_on(borrowed(*part.device))->result->data());
    }
    std::vector<int> sorted = gpus;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      throw NotPossible("m01 takes a GPU for each share: the library refuses one that comes twice");
    try {
      links_.emplace(devices);
    } catch (const NotPossible&) {
      // No peer access: the library uses another path.
    }
    comms_ = communicators(gpus);
  }

  void run() override {
    EachDevice::run();
    check(ncclGroupStart());
    for (std::size_t i = 0; i < comms_.size(); ++i) {
      const auto stream = static_cast<Runtime::Stream>(parts()[i].device->stream());
      check(ncclAllReduce(results_[i], results_[i], 1, type_, operation_, comms_[i], stream));
    }
    check(ncclGroupEnd());
    select_first();
  }
  void fetch() override { first().fetch(); }
  void spoil() override {
    EachDevice::spoil();
    for (std::size_t i = 0; links_ && i < comms_.size(); ++i) links_->wake(i);
    select_first();
  }
  Tuning tuning() const override { return {.shares = shares()}; }

 private:
  ncclDataType_t type_;
  ncclRedOp_t operation_;
  std::vector<std::byte*> results_;  ///< written by the devices' own jobs
  std::vector<ncclComm_t> comms_;
  std::optional<Links> links_;
};

}  // namespace

bool carries(Type type, Operation operation) {
  return type_of(accumulator_of(type, operation)) && operation_of(operation);
}

std::unique_ptr<Job> combine(std::vector<Part> parts, const Problem& problem) {
  return std::make_unique<Collective>(std::move(parts), problem);
}

}  // namespace ladder::several::LADDER_MODEL::m01
