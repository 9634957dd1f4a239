#include "bench/run/claim.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sstream>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace ladder::bench {

Claim::Claim(const std::string& id) {
  if (id.empty()) return;
  socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return;
  // A name that begins with a zero is in no folder (unix(7)).
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "ladder measures on " + id;
  const auto length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  auto* const where = reinterpret_cast<sockaddr*>(&address);
  if (bind(socket_, where, size) == 0 || errno != EADDRINUSE) return;
  shared_ = true;
  constexpr char knock = '!';
  (void)sendto(socket_, &knock, 1, 0, where, size);  // if that is lost, the other is told nothing
}

Claim::Claim(Claim&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), shared_(other.shared_) {}

Claim::~Claim() {
  if (socket_ >= 0) close(socket_);
}

bool Claim::shared() {
  char knock = 0;
  if (socket_ >= 0 && recv(socket_, &knock, 1, 0) == 1) shared_ = true;
  return shared_;
}

std::set<std::string> each_of(const std::string& id) {
  std::set<std::string> ids;
  std::istringstream joined(id);
  for (std::string one; std::getline(joined, one, '+');) ids.insert(one);
  return ids;
}

}  // namespace ladder::bench
