#include "common/device/host/host_device.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "common/device/host/host_memory.hpp"
#include "common/device/host/machine.hpp"
#include "common/device/host/process_limits.hpp"
#include "common/device/host/sweep.hpp"

namespace ladder::host {
namespace {

constexpr std::size_t eviction_cap = std::size_t{4} << 30;

/// One of the device's own measurements, on pinned workers; its result is a meaningless word.
/// `body` is called as directly as a rung: at 16 KiB every nanosecond counts.
template <class Body>
class Own final : public Job {
 public:
  Own(Host& host, unsigned workers, Body body)
      : host_(host), workers_(workers), body_(std::move(body)) {}
  void arm() override { host_.arm(workers_); }
  void disarm() override { host_.disarm(); }
  void run() override { word_ = body_(); }
  Value result() const override { return {Type::i64, word_}; }
  void spoil() override { word_ = 0xA5A5A5A5A5A5A5A5; }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return {.workers = workers_}; }

 private:
  Host& host_;
  unsigned workers_;
  Body body_;
  std::uint64_t word_ = 0;
  Footprint footprint_;
};

template <class Body>
std::unique_ptr<Job> own(Host& host, unsigned workers, Body body) {
  return std::make_unique<Own<Body>>(host, workers, std::move(body));
}

}  // namespace

Host::Host() : Host(find_machine()) {}

Host::Host(Machine machine)
    : facts_(std::move(machine.facts)),
      pages_(pages_asked_for()),
      pinning_(std::move(machine.places), machine.default_workers),
      team_(team_at(pinning_.places())),
      disturbances_(std::max(1U, std::thread::hardware_concurrency())) {}

std::vector<Fact> Host::conditions() { return conditions_of(pinning_.places()); }

void Host::arm(unsigned workers) {
  pinning_.arm(workers);
  team_.arm();
}
void Host::disarm() noexcept {
  team_.disarm();
  pinning_.disarm();
}

std::size_t Host::free_bytes() { return free_memory(); }
std::unique_ptr<Buffer> Host::allocate(std::size_t bytes) { return map_memory(bytes, pages_); }

template <class Work>
void Host::in_shares(std::size_t count, const Work& work) {
  if (constexpr std::size_t little = 1 << 16; count < little) {
    work(0, count);
    return;
  }
  const unsigned workers = pinning_.default_workers();
  const std::size_t share = count / workers, rest = count % workers;
  const Armed armed(pinning_, workers);
  const int team = static_cast<int>(workers);
#pragma omp parallel for num_threads(team) schedule(static)
  for (std::size_t worker = 0; worker < workers; ++worker) {
    const std::size_t begin = worker * share + std::min(worker, rest);
    work(begin, begin + share + (worker < rest ? 1 : 0));
  }
}

void Host::fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
                std::size_t count) {
  if (recipe.data == Data::file) throw NotPossible("data from a file cannot be generated");
  with_type(type, [&]<Type t>() {
    auto* to = static_cast<native<t>*>(destination);
    in_shares(count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] = element<native<t>>(recipe, first + i);
    });
  });
}

void Host::upload(void* destination, const void* source, std::size_t bytes) {
  auto* to = static_cast<std::byte*>(destination);
  const auto* from = static_cast<const std::byte*>(source);
  in_shares(bytes, [&](std::size_t begin, std::size_t end) {
    if (begin < end) std::memcpy(to + begin, from + begin, end - begin);
  });
}
void Host::download(void* destination, const void* source, std::size_t bytes) {
  std::memcpy(destination, source, bytes);
}
void Host::enqueue_set(void* destination, int byte, std::size_t bytes) {
  std::memset(destination, byte, bytes);
}
void Host::enqueue_upload(void* destination, const void* pinned, std::size_t bytes) {
  std::memcpy(destination, pinned, bytes);
}

std::vector<Host::Way> Host::ways() const {
  const unsigned cores = pinning_.default_workers(), all = pinning_.max_workers();
  std::vector<Way> ways;
  for (const unsigned workers : {cores, all}) {
    if (workers == all && all == cores && !ways.empty()) continue;
    for (const Reading& reading : readings()) {
      ways.push_back({reading, workers, false});
      if (workers != 1) ways.push_back({reading, workers, true});
    }
  }
  // Fewer workers: waking more costs more than small sizes take; the reading matters less.
  for (unsigned workers = 1; workers < all; workers *= 2) {
    if (workers == cores) continue;
    for (const Reading& reading : few_readings()) ways.push_back({reading, workers, false});
  }
  return ways;
}

std::vector<std::string> Host::ceiling_configurations() const {
  std::vector<std::string> texts;
  for (const auto& [reading, workers, turns] : ways()) {
    texts.push_back(reading.text() + ", " + std::to_string(workers) +
                    (workers == 1 ? " worker" : " workers") + (turns ? " in turns" : ""));
  }
  return texts;
}

std::unique_ptr<Job> Host::ceiling(std::size_t configuration, const void* input,
                                   std::size_t bytes) {
  const Way way = ways()[configuration];
  const auto* data = static_cast<const std::byte*>(input);
  return own(*this, way.workers, [this, way, data, bytes] {
    return way.workers == 1 ? way.reading.read(data, bytes)
           : way.turns      ? sweep_in_turns(team(), way.workers, way.reading, data, bytes)
                            : sweep(team(), way.workers, way.reading, data, bytes);
  });
}

std::unique_ptr<Job> Host::floor(Floor which) {
  if (which == Floor::clock) {
    return own(*this, 1, [] { return std::uint64_t{0}; });
  }
  const unsigned workers = pinning_.default_workers();
  return own(*this, workers, [team = static_cast<int>(workers)] {
#pragma omp parallel num_threads(team)
    { asm volatile(""); }  // keeps the compiler from removing an empty region
    return std::uint64_t{0};
  });
}

void Host::evict() {
  const std::size_t bytes = eviction().bytes;
  if (!evicted_) {
    evicted_ = map_memory(bytes, pages_);
    // Writes once: untouched pages all map to the one zero page, which stays in cache.
    in_shares(bytes, [&](std::size_t begin, std::size_t end) {
      std::memset(evicted_->data() + begin, 1, end - begin);
    });
  }
  const unsigned workers = pinning_.default_workers();
  const Armed armed(pinning_, workers);
  sweep(team_, workers, readings().front(), evicted_->data(), bytes);
}

Eviction Host::eviction() const {
  constexpr std::size_t supposed = std::size_t{64} << 20;  // if the cache size is unknown
  const std::size_t cache = facts_.last_level_cache == 0 ? supposed : facts_.last_level_cache;
  return {.bytes = std::min(4 * cache, eviction_cap),
          .workers = pinning_.default_workers(),
          .capped = 4 * cache > eviction_cap};
}

std::shared_ptr<Host> open() {
  static std::weak_ptr<Host> known;
  auto shared = known.lock();
  if (shared != nullptr) return shared;
  try {
    known = shared = std::make_shared<Host>();
  } catch (const std::runtime_error& error) {
    throw NotPossible(std::string("this machine's CPUs cannot be used: ") + error.what());
  }
  return shared;
}

}  // namespace ladder::host
