#include "common/hip_runtime/conditions.hpp"

#if defined(__HIP_PLATFORM_NVIDIA__)
#include "common/nvidia/nvml.hpp"
#endif

namespace ladder::hip_runtime {

#if defined(__HIP_PLATFORM_NVIDIA__)

class Conditions::Reader : public nvidia::Nvml {
 public:
  using Nvml::Nvml;
};

#else

class Conditions::Reader {
 public:
  explicit Reader(const std::string&) {}
  std::vector<Fact> facts() const { return {}; }
  std::vector<Fact> conditions() const { return {}; }
};

#endif

Conditions::Conditions(const std::string& pci_bus_id)
    : reader_(std::make_unique<Reader>(pci_bus_id)) {}
Conditions::~Conditions() = default;

std::vector<Fact> Conditions::facts() const { return reader_->facts(); }
std::vector<Fact> Conditions::now() const { return reader_->conditions(); }

}  // namespace ladder::hip_runtime
