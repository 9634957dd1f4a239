// Properties that every rung of every backend has for any type, operation, size, alignment, tuning
// and data: RapidCheck draws the cases and makes a counterexample as small as it can.
//   LADDER_PROPERTY_CASES=N   cases of all backends together; 400 without a word
//   LADDER_PROPERTY_SEED=N    from which they are drawn; 1 without a word
// In a build with faulty rungs (tests/faults.hpp) the same properties are seen to fail on each.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/wait.h>

#include "tests/faults.hpp"
#include "tests/guarded_input.hpp"
#include "tests/properties/case.hpp"
#include "tests/properties/with_faults.hpp"

namespace ladder::tests {
namespace {

namespace gen = rc::gen;

constexpr std::size_t most_elements = 65536, very_many = std::size_t{1} << 22;
/// One case of so many is of very many elements: it takes a hundred times as long as another.
constexpr std::size_t seldom = 256;

/// Of any size of the generator: RapidCheck's own numbers grow from case to case.
template <class T>
rc::Gen<T> up_to(T last) {
  return gen::resize(rc::kNominalSize, gen::inRange(T{0}, static_cast<T>(last + 1)));
}

/// One of these, and the first of them that fails as well where a counterexample is made smaller.
template <class T>
T one_of(const std::vector<T>& choices) {
  return choices[*up_to(choices.size() - 1)];
}

/// One of these, which stays.
template <class T>
T any_of(const std::vector<T>& choices) {
  return choices[*gen::noShrink(up_to(choices.size() - 1))];
}

/// About the powers of two, or about multiples of blocks, up to very many.
std::size_t draw_large_size() {
  const std::size_t about = *gen::noShrink(up_to<std::size_t>(2));
  const std::size_t n = *gen::noShrink(up_to<std::size_t>(1)) == 0
                            ? std::size_t{1} << (17 + *gen::noShrink(up_to<std::size_t>(5)))
                            : *gen::noShrink(up_to(very_many / 1024)) * 1024;
  return std::min(std::max<std::size_t>(n, 1) + about - 1, very_many);
}

/// 0 and 1; about the powers of two; about the multiples of blocks; anything.
std::size_t draw_size() {
  const auto drawn =
      gen::map(gen::tuple(up_to<std::size_t>(3), up_to<std::size_t>(16), up_to<std::size_t>(2),
                          up_to(most_elements)),
               [](const std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>& draws) {
                 const auto [kind, power, about, any] = draws;
                 std::size_t n = any;
                 if (kind == 0) n = any % 2;
                 if (kind == 1) n = (std::size_t{1} << power) + about - 1;
                 if (kind == 2) n = (any / 4 / 96 + 1) * 96 + about - 1;
                 return std::min(n, most_elements);
               });
  return *gen::shrink(gen::noShrink(drawn),
                      [](std::size_t n) { return rc::shrink::towards(n, std::size_t{0}); });
}

/// The largest grid that can be asked for, which covers any size once at most; 1 where the device
/// has none.
unsigned largest_grid(const Backend& backend) {
  const auto most = std::max<std::size_t>(1, backend.device().facts().max_grid);
  return static_cast<unsigned>(std::min<std::size_t>(most, std::numeric_limits<int>::max()));
}

Tuning draw_tuning(const Backend& backend, const Rung& rung) {
  Tuning tuning;
  if ((rung.axes & block_axis) != 0)
    tuning.block = one_of<unsigned>({0, 32, 64, 128, 256, 512, 1024});
  if ((rung.axes & grid_axis) != 0)
    tuning.grid = one_of<unsigned>({0, 1, 2, 3, 7, 33, 1024, largest_grid(backend)});
  if ((rung.axes & items_axis) != 0) tuning.items = one_of<unsigned>({0, 1, 2, 3, 8, 33, 512});
  if ((rung.axes & workers_axis) != 0)
    tuning.workers = *up_to(backend.device().facts().max_workers);
  return tuning;
}

using Pair = std::pair<Type, Operation>;

std::vector<Pair> carried(const Backend& backend, std::size_t rung) {
  std::vector<Pair> pairs;
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      if (makes_sense(type.type, operation.operation) &&
          backend.carries(rung, type.type, operation.operation))
        pairs.emplace_back(type.type, operation.operation);
    }
  }
  return pairs;
}

std::vector<std::size_t> present(const Backend& backend) {
  std::vector<std::size_t> rungs;
  for (std::size_t rung = 0; rung < backend.rungs().size(); ++rung) {
    if (backend.rungs()[rung].why_absent.empty() && !carried(backend, rung).empty())
      rungs.push_back(rung);
  }
  return rungs;
}

/// What is drawn from: a backend, some of its rungs, and the backends that they are held against.
struct Space {
  Backend* backend = nullptr;
  std::vector<std::size_t> rungs{};
  std::vector<Backend*> others{};
  bool integers_that_overflow = false;
};

Case draw(const Space& space) {
  Case one;
  one.backend = space.backend;
  one.rung = any_of(space.rungs);
  auto pairs = carried(*one.backend, one.rung);
  if (space.integers_that_overflow) {
    std::erase_if(pairs, [](const Pair& pair) {
      return !facts(pair.first).integer ||
             (pair.second != Operation::sum && pair.second != Operation::product);
    });
  }
  std::tie(one.type, one.operation) = any_of(pairs);
  one.n = *gen::noShrink(up_to(seldom - 1)) == 0 ? draw_large_size() : draw_size();
  const std::size_t bytes = facts(one.type).bytes;
  one.offset = *up_to(32 / bytes) * bytes;
  one.tuning = draw_tuning(*one.backend, one.backend->rungs()[one.rung].rung);
  one.seed = *gen::noShrink(up_to<std::uint64_t>(1000));
  // A floating product of other data leaves the type's range.
  const bool product = one.operation == Operation::product && !facts(one.type).integer;
  one.data = product ? Data::exact
             : space.integers_that_overflow
                 ? one_of<Data>({Data::uniform, Data::file})
                 : one_of<Data>({Data::exact, Data::uniform, Data::normal, Data::file});
  if (one.data == Data::exact && plants(one.operation))
    one.place = static_cast<Place>(*up_to(place_names.size() - 1));
  if (one.data == Data::file) {
    one.special = *gen::resize(8, gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(
                                      gen::pair(up_to(most_elements), up_to<std::size_t>(7))));
  }
  const std::size_t other = *up_to(space.others.size());
  if (other > 0) {
    one.other = space.others[other - 1];
    one.other_rung = any_of(present(*one.other));
  }
  return one;
}

std::uint64_t from_environment(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

/// What came of a property.
struct Found {
  std::optional<Case> counterexample{};  ///< the smallest that was found
  std::string says{};                    ///< what RapidCheck says
  std::size_t ran = 0, impossible = 0;
};

Found look_for_counterexample(const Space& space, std::uint64_t cases) {
  Found found;
  std::string wrong;
  rc::detail::TestParams params;
  params.seed = from_environment("LADDER_PROPERTY_SEED", 1);
  setenv("RC_PARAMS", ("seed=" + std::to_string(params.seed)).c_str(), 1);  // which it prints
  params.maxSuccess = static_cast<int>(cases);
  const auto property = [&] {
    const Case one = draw(space);
    const Outcome outcome = run(one);
    ++(outcome.ran ? found.ran : found.impossible);
    if (outcome.wrong.empty()) return;
    found.counterexample = one;  // each that fails is smaller than those before
    RC_FAIL(outcome.wrong);
  };
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  std::ostringstream says;
  rc::detail::printResultMessage(result, says);
  found.says = says.str();
  return found;
}

std::filesystem::path folder_of_this() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

/// The command that repeats a case; the array that it needs is written.
std::string repeated_by(const Case& one, const std::string& program) {
  const std::string file = "counterexample-" + std::string(facts(one.type).name) + "-" +
                           std::to_string(one.n) + "-" + std::to_string(one.seed) + ".raw";
  if (one.data == Data::file) {
    const auto bytes = array_of(one);
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  return command_of(one, program, file);
}

void holds(const Space& space, std::uint64_t cases) {
  const Found found = look_for_counterexample(space, cases);
  if (found.counterexample) {
    ADD_FAILURE() << found.says << "\nThis repeats it:\n  "
                  << repeated_by(*found.counterexample, "ladder");
    return;
  }
  EXPECT_GE(found.ran, cases / 2) << found.impossible << " cases could not be had: " << found.says;
  testing::Test::RecordProperty("ran", std::to_string(found.ran));
  std::cout << found.ran << " cases, " << found.impossible << " that cannot be had\n";
}

/// Exit status of the program beside this one, without its output.
int status_of(const std::string& command) {
  const int status = std::system((command + " > /dev/null 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void is_found(const Space& space, std::uint64_t cases) {
  const Found found = look_for_counterexample(space, cases);
  ASSERT_TRUE(found.counterexample) << found.says;
  const Case& one = *found.counterexample;
  const std::string program = (folder_of_this() / "ladder_with_faults").string();
  const std::string command = repeated_by(one, program);
  EXPECT_EQ(status_of(command), 1) << command;
  std::cout << "found after " << found.ran << " runs: n " << one.n << "\n  "
            << command_of(one, "ladder_with_faults", "FILE") << "\n";
}

class Properties : public testing::Test {
 public:
  Properties(Backend& backend, std::function<void(Backend&)> body)
      : backend_(backend), body_(std::move(body)) {}
  void SetUp() override {
    if (const auto why = backend_.open(0)) GTEST_SKIP() << *why;
  }
  void TestBody() override { body_(backend_); }

 private:
  Backend& backend_;
  std::function<void(Backend&)> body_;
};

void add(Backend& backend, const std::string& name, std::function<void(Backend&)> body) {
  const std::string suite = "Properties/" + std::string(backend.name());
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [&backend, body = std::move(body)]() -> Properties* {
                          return new Properties(backend, body);
                        });
}

using Backends = std::vector<std::unique_ptr<Backend>>;

void add_properties(const Backends& backends) {
  const auto all = from_environment("LADDER_PROPERTY_CASES", 400);
  const auto cases = std::max<std::uint64_t>(1, all / backends.size() / 4);
  for (const auto& backend : backends) {
    const auto space_of = [&backends](Backend& opened) {
      Space space{&opened, present(opened), {}, false};
      for (const auto& other : backends) {
        if (!other->open(0)) space.others.push_back(other.get());
      }
      return space;
    };
    add(*backend, "any_reduction_by_any_rung_gives_the_reference",
        [=](Backend& opened) { holds(space_of(opened), 3 * cases); });
    add(*backend, "integers_overflow_alike", [=](Backend& opened) {
      Space integers = space_of(opened);
      integers.integers_that_overflow = true;
      std::erase_if(integers.rungs, [&](std::size_t rung) {
        return !opened.carries(rung, Type::i32, Operation::sum);
      });
      holds(integers, cases);
    });
  }
}

void add_faults(const Backends& backends, const std::vector<faults::FaultsOf>& known) {
  for (const auto& backend : backends) {
    const auto model = backend->name().substr(0, backend->name().find('/'));
    for (const auto& of : known) {
      if (of.backend != model) continue;
      for (const faults::Fault& fault : of.faults) {
        if (fault.acts == nullptr) continue;  // what it does is undefined, and may be right
        add(*backend, std::string(fault.id) + "_is_found", [&fault](Backend& opened) {
          is_found({&opened, {rung_of(opened, fault.id)}, {}, false}, 400);
        });
      }
    }
  }
}

}  // namespace
}  // namespace ladder::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const auto backends = ladder::all_backends();
  if (const auto known = ladder::tests::known_faults(); known.empty()) {
    ladder::tests::add_properties(backends);
  } else {
    ladder::tests::add_faults(backends, known);
  }
  return RUN_ALL_TESTS();
}
