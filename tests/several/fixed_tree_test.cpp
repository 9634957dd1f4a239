// The fixed tree over shares: each device reduces what of the tree lies in its share, as few whole
// subtrees, by c11 or r28, and the subtrees' results meet as the tree says. The bits do not depend
// on the number of devices.

#include "common/fixed_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "tests/several/fixed_tree.hpp"

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

/// A device with the whole input on it.
struct Place {
  Backend& backend;
  std::size_t rung;
  std::unique_ptr<Buffer> x;

  template <class A>
  A sum(std::size_t begin, std::size_t count, Type type) {
    backend.device().select();
    const Problem problem{x->data() + begin * sizeof(A), count, type, Operation::sum, nullptr};
    const auto job = backend.prepare(rung, problem, backend.resolve(rung, problem, {}));
    job->arm();
    job->spoil();
    job->run();
    job->fetch();
    job->disarm();
    return job->result().template as<A>();
  }
};

std::size_t fixed_tree_of(const Backend& backend) {
  const auto rungs = backend.rungs();
  const auto found =
      std::ranges::find(rungs, "fixed_tree", [](const auto& info) { return info.rung.slug; });
  return static_cast<std::size_t>(found - rungs.begin());
}

/// Where the build has the type.
template <class A>
void has_the_bits_of_one_device(std::span<const std::unique_ptr<Backend>> backends, Type type) {
  const auto& one = *backends.front();
  if (!one.carries(fixed_tree_of(one), type, Operation::sum)) return;
  constexpr FixedTree tree = fixed_tree<A>;
  for (const std::size_t n : {1UL, 100UL, tree.chunk(), 37 * tree.chunk() + 5, 100003UL}) {
    std::vector<A> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = element<A>({Data::normal, Operation::sum, 7}, i);
    const A whole = reduce_by<Function<Operation::sum, A>>(tree, x.data(), n);
    std::vector<Place> places;
    for (const auto& backend : backends) {
      backend->device().select();
      auto& place = places.emplace_back(*backend, fixed_tree_of(*backend),
                                        backend->device().allocate(n * sizeof(A)));
      backend->device().upload(place.x->data(), x.data(), n * sizeof(A));
    }
    const std::size_t chunks = ceil_div(n, tree.chunk());
    for (std::size_t devices = 1; devices <= 7; ++devices) {
      std::map<Subtree, A> results;
      for (std::size_t device = 0; device < devices; ++device) {
        const std::size_t first = chunks * device / devices;
        const std::size_t last = chunks * (device + 1) / devices;
        for (const Subtree& part : subtrees_of(first, last)) {
          const std::size_t begin = part.first * tree.chunk();
          const std::size_t count = std::min(n - begin, part.chunks * tree.chunk());
          results[part] = places[device % places.size()].sum<A>(begin, count, type);
        }
      }
      const A value = joined(results, 0, chunks);
      EXPECT_EQ(std::memcmp(&value, &whole, sizeof value), 0)
          << n << " elements in " << devices << " shares on " << places.size()
          << " devices: " << value << ", not " << whole;
    }
  }
}

TEST(FixedTree, HasTheSameBitsOnAnyNumberOfDevices) {
  auto [backends, why] = tests::on_each_device();
  if (backends.empty()) GTEST_SKIP() << why;
  RecordProperty("devices", static_cast<int>(backends.size()));
  const auto& one = *backends.front();
  ASSERT_TRUE(one.carries(fixed_tree_of(one), Type::f32, Operation::sum)) << "or this says nothing";
  has_the_bits_of_one_device<float>(backends, Type::f32);
  has_the_bits_of_one_device<double>(backends, Type::f64);
}

}  // namespace
}  // namespace ladder::several
