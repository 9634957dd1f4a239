// A stand-in for NVML with the functions that the program calls, and one device, at 0000:1b:00.0.
// STAND_IN_ENERGY: its millijoules; without it, energy is not supported. STAND_IN_LINKS: its
// NVLinks, one letter each: u is up, - is down. STAND_IN_MIG: the device is a part of a board.
// STAND_IN_PROCESSES: number of processes on it. STAND_IN_REASONS: mask of the reasons that limit
// its clocks, under the function name of drivers before 535.

#include <cstdlib>
#include <cstring>

namespace {

constexpr int not_supported = 3, invalid = 2;

/// Returns the letter of a link; 0 if there is no such link.
char link_of(unsigned link) {
  const char* const told = std::getenv("STAND_IN_LINKS");
  return told != nullptr && link < std::strlen(told) ? told[link] : '\0';
}

}  // namespace

extern "C" {
int nvmlDeviceGetNvLinkState(void*, unsigned link, unsigned* state) {
  if (link_of(link) == '\0') return invalid;
  *state = link_of(link) == '-' ? 0 : 1;
  return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned* now, unsigned* later) {
  *now = *later = std::getenv("STAND_IN_MIG") != nullptr ? 1 : 0;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, void*) {
  constexpr int insufficient_size = 7;
  const char* const told = std::getenv("STAND_IN_PROCESSES");
  *count = told == nullptr ? 0 : static_cast<unsigned>(std::strtoul(told, nullptr, 10));
  return *count == 0 ? 0 : insufficient_size;
}
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
int nvmlDeviceGetVbiosVersion(void*, char* text, unsigned length) {
  constexpr const char version[] = "96.00.DA.00.0C";
  if (length < sizeof version) return invalid;
  std::memcpy(text, version, sizeof version);
  return 0;
}
int nvmlDeviceGetClockInfo(void*, int kind, unsigned* clock) {
  constexpr int of_sms = 1;
  *clock = kind == of_sms ? 1980 : 2619;
  return 0;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* mask) {
  const char* const told = std::getenv("STAND_IN_REASONS");
  if (told == nullptr) return not_supported;
  *mask = std::strtoull(told, nullptr, 16);
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  const char* const told = std::getenv("STAND_IN_ENERGY");
  if (told == nullptr) return not_supported;
  *millijoules = std::strtoull(told, nullptr, 10);
  return 0;
}
}
