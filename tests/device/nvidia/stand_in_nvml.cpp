// A library with NVML's functions, as far as the program calls them. It knows one device, at
// 0000:1b:00.0, whose millijoules the environment tells: STAND_IN_ENERGY; without, none are told.

#include <cstdlib>
#include <cstring>

extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
  constexpr int not_found = 6;
  static int board = 0;
  *device = &board;
  return std::strcmp(address, "0000:1b:00.0") == 0 ? 0 : not_found;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 123'400;
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  constexpr int not_supported = 3;
  const char* const told = std::getenv("STAND_IN_ENERGY");
  if (told == nullptr) return not_supported;
  *millijoules = std::strtoull(told, nullptr, 10);
  return 0;
}
}
