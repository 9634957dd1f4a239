// The fixed tree over shares: each device reduces what of the tree lies in its share, as few whole
// subtrees, by c11, and the subtrees' results meet as the tree says. The bits do not depend on the
// number of devices.

#include "common/fixed_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cpu/backend.hpp"

namespace ladder::several {
namespace {

/// Chunks of the tree, from `first` on.
struct Subtree {
  std::size_t first, chunks;
  auto operator<=>(const Subtree&) const = default;
};

/// The fewest subtrees that chunks [first, last) are made of.
std::vector<Subtree> subtrees_of(std::size_t first, std::size_t last) {
  std::vector<Subtree> found;
  while (first < last) {
    const std::size_t aligned = first == 0 ? last : first & (~first + 1);
    const std::size_t chunks = std::min(aligned, std::bit_floor(last - first));
    found.push_back({first, std::bit_floor(chunks)});
    first += found.back().chunks;
  }
  return found;
}

template <class A>
A joined(const std::map<Subtree, A>& known, std::size_t first, std::size_t chunks) {
  if (const auto found = known.find({first, chunks}); found != known.end()) return found->second;
  const std::size_t left = std::bit_floor(chunks - 1);
  return Function<Operation::sum, A>{}(joined(known, first, left),
                                       joined(known, first + left, chunks - left));
}

template <class A>
void has_the_bits_of_one_device(Type type) {
  const auto backend = cpu::make_backend({});
  ASSERT_EQ(backend->open(0), std::nullopt);
  const auto rungs = backend->rungs();
  const auto fixed = static_cast<std::size_t>(
      std::ranges::find_if(rungs, [](const RungInfo& info) { return info.rung.id == "c11"; }) -
      rungs.begin());
  constexpr FixedTree tree = fixed_tree<A>;
  for (const std::size_t n : {1UL, 100UL, tree.chunk(), 37 * tree.chunk() + 5, 100003UL}) {
    std::vector<A> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = element<A>({Data::normal, Operation::sum, 7}, i);
    const A whole = reduce_by<Function<Operation::sum, A>>(tree, x.data(), n);
    const std::size_t chunks = ceil_div(n, tree.chunk());
    for (std::size_t devices = 1; devices <= 7; ++devices) {
      std::map<Subtree, A> results;
      for (std::size_t device = 0; device < devices; ++device) {
        const std::size_t first = chunks * device / devices;
        const std::size_t last = chunks * (device + 1) / devices;
        for (const Subtree& part : subtrees_of(first, last)) {
          const std::size_t begin = part.first * tree.chunk();
          const std::size_t count = std::min(n - begin, part.chunks * tree.chunk());
          const auto job =
              backend->prepare(fixed, {&x[begin], count, type, Operation::sum, nullptr}, {});
          job->arm();
          job->run();
          job->disarm();
          results[part] = job->result().template as<A>();
        }
      }
      const A value = joined(results, 0, chunks);
      EXPECT_EQ(std::memcmp(&value, &whole, sizeof value), 0)
          << n << " elements on " << devices << " devices: " << value << ", not " << whole;
    }
  }
}

TEST(FixedTree, HasTheSameBitsOnAnyNumberOfDevices) {
  has_the_bits_of_one_device<float>(Type::f32);
  has_the_bits_of_one_device<double>(Type::f64);
}

}  // namespace
}  // namespace ladder::several
