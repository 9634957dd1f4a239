#pragma once

// Two studies at once on one device: each is told of the other.

#include <set>
#include <string>

namespace ladder::bench {

/// That this process measures on a device, for all of this machine to see: a socket of a name that
/// only one can have, and that is free again when its process ends, however it ends. No file, and
/// no right is needed.
class Claim {
 public:
  /// `id`: the device's own; where it is empty, nothing can be known.
  explicit Claim(const std::string& id);
  ~Claim();
  Claim(Claim&& other) noexcept;
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  Claim& operator=(Claim&&) = delete;

  /// Whether another process has, or has had since, the same device. One that came later has
  /// knocked.
  bool shared();

 private:
  int socket_ = -1;
  bool shared_ = false;
};

/// The ids of the devices that an id stands for: several devices as one have all of theirs, joined
/// by '+'. Each once.
std::set<std::string> each_of(const std::string& id);

}  // namespace ladder::bench
