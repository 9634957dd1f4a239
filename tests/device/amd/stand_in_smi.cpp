// A stand-in for rocm_smi with the functions that the program calls. It has two GPUs. The second,
// at 0001:c1:00.0, reports its energy: STAND_IN_ENERGY counts of 15.25 µJ each.

#include <cstdint>
#include <cstdlib>

extern "C" {
int rsmi_init(std::uint64_t) { return 0; }
int rsmi_shut_down() { return 0; }
int rsmi_num_monitor_devices(std::uint32_t* count) {
  *count = 2;
  return 0;
}
int rsmi_dev_pci_id_get(std::uint32_t device, std::uint64_t* place) {
  // Includes a partition number, as in newer releases.
  *place = device == 0 ? 0xC100 : 0x1'3000'C100;
  return 0;
}
int rsmi_dev_energy_count_get(std::uint32_t device, std::uint64_t* counted, float* microjoules,
                              std::uint64_t* nanoseconds) {
  constexpr int not_supported = 2;
  const char* const told = std::getenv("STAND_IN_ENERGY");
  if (told == nullptr || device == 0) return not_supported;
  *counted = std::strtoull(told, nullptr, 10);
  *microjoules = 15.25F;
  *nanoseconds = 1;
  return 0;
}
}
