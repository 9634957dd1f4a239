// The sweep's readings with the widest vectors, which are selected at run time.

#include <array>
#include <cstring>

#include <hwy/cache_control.h>

#include "common/device/host/sweep.hpp"
#include "common/device/host/vectors.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/device/host/sweep_vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ladder::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Eight chains of sums, divided evenly among the streams. Each is a separate variable: ARM's SVE
/// vectors are sizeless and do not fit into an array.
template <unsigned streams, unsigned ahead>
std::uint64_t read(const std::byte* data, std::size_t bytes) {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t width = 8 * hn::Lanes(d), step = 8 / streams * width;
  const std::size_t part = bytes / streams / step * step;  // per stream
  const auto place = [=](std::size_t k) {
    return k % (8 / streams) * width + k / (8 / streams) * part;
  };
  const std::size_t at_b = place(1), at_c = place(2), at_d = place(3), at_e = place(4),
                    at_f = place(5), at_g = place(6), at_h = place(7);
  auto a = hn::Zero(d), b = a, c = a, e = a, f = a, g = a, h = a, i = a;
  const auto load = [&](std::size_t at) HWY_ATTR {
    if constexpr (ahead != 0) hwy::Prefetch(data + at + ahead);
    return hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(data + at));
  };
  for (std::size_t at = 0; at < part; at += step) {
    a = hn::Add(a, load(at));
    b = hn::Add(b, load(at + at_b));
    c = hn::Add(c, load(at + at_c));
    e = hn::Add(e, load(at + at_d));
    f = hn::Add(f, load(at + at_e));
    g = hn::Add(g, load(at + at_f));
    h = hn::Add(h, load(at + at_g));
    i = hn::Add(i, load(at + at_h));
  }
  a = hn::Add(hn::Add(hn::Add(a, b), hn::Add(c, e)), hn::Add(hn::Add(f, g), hn::Add(h, i)));
  std::size_t at = streams * part;
  for (; at + width <= bytes; at += width) a = hn::Add(a, load(at));
  HWY_ALIGN std::uint64_t words[hn::MaxLanes(d)];  // GCC sums 64-byte vectors as signed
  hn::Store(a, d, words);
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) all += words[k];
  for (; at < bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, 8);
    all += word;
  }
  return all;
}

template <unsigned streams, unsigned ahead>
constexpr Reading way{0, streams, 8 / streams, ahead, read<streams, ahead>};

std::array<Reading, 11> all_readings() {
  std::array all{way<1, 0>,   way<4, 0>,    way<1, 512>,  way<1, 2048>, way<1, 8192>, way<2, 1024>,
                 way<4, 512>, way<4, 1024>, way<4, 2048>, way<8, 1024>, way<8, 4096>};
  for (Reading& one : all) {
    one.width = static_cast<unsigned>(8 * hn::Lanes(hn::ScalableTag<std::uint64_t>()));
  }
  return all;
}

}  // namespace ladder::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::host {
namespace {
HWY_EXPORT(all_readings);
}  // namespace

std::vector<Reading> readings_in_vectors() {
  const auto all = HWY_DYNAMIC_DISPATCH(all_readings)();
  return {all.begin(), all.end()};
}

}  // namespace ladder::host
#endif
