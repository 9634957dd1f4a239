#include "several/spanning.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>

#include "common/model/reduction.hpp"
#include "several/choices.hpp"

namespace ladder::several {
namespace {

/// What a member's answer to `Verb::facts` says.
struct Told {
  std::string name, id, peak_source;
  std::optional<double> peak;
  std::uint64_t cache, memory, units;
  unsigned workers;

  explicit Told(const Answer& answer)
      : cache(answer.whole[0]),
        memory(answer.whole[1]),
        units(answer.whole[2]),
        workers(static_cast<unsigned>(answer.whole[3])) {
    std::istringstream lines(answer.text());
    std::getline(lines, name);
    std::getline(lines, id);
    std::getline(lines, peak_source);
    if (!std::isnan(answer.number)) peak = answer.number;
  }
};

/// Of one that is there twice (ranks on one host, shares on one GPU) memory, caches and peak count
/// once.
DeviceFacts facts_of_all(const DeviceFacts& own, const std::vector<Answer>& answers,
                         std::string_view kind) {
  DeviceFacts facts = own;
  const std::string source = "asked of each " + std::string(kind);
  std::set<std::string> names, ids;
  facts.peak_gbs = 0;
  facts.last_level_cache = facts.memory_bytes = 0;
  facts.units = 0;
  facts.id.clear();
  unsigned number = 0;
  for (const Answer& answer : answers) {
    const Told told(answer);
    names.insert(told.name);
    facts.units += static_cast<unsigned>(told.units);
    facts.max_workers = std::min(facts.max_workers, told.workers);  // that each can have
    facts.more.push_back({std::string(kind) + " " + std::to_string(number++),
                          told.name + (told.id.empty() ? "" : ", " + told.id), source});
    if (!told.id.empty() && !ids.insert(told.id).second) continue;
    facts.id += (facts.id.empty() || told.id.empty() ? "" : "+") + told.id;
    facts.last_level_cache += told.cache;
    facts.memory_bytes += told.memory;
    if (facts.peak_gbs && told.peak) {
      *facts.peak_gbs += *told.peak;
      facts.peak_source = told.peak_source;
    } else if (facts.peak_gbs) {
      facts.peak_gbs.reset();
      facts.peak_source = told.peak_source;
    }
  }
  facts.name.clear();
  for (const std::string& name : names) facts.name += (facts.name.empty() ? "" : ", ") + name;
  facts.each = names.size() == 1 ? *names.begin() : "";
  facts.name = std::to_string(answers.size()) + " x " + facts.name;
  facts.more.push_back({"members", std::to_string(answers.size()), source});
  return facts;
}

/// Parts of one pass: all bytes, the longest chain, and one operation more for each result.
Footprint footprint_of(const std::vector<Answer>& answers, const Part& own, unsigned shares) {
  Pass pass;
  for (const Answer& answer : answers) {
    pass.read_bytes += answer.whole[0];
    pass.written_bytes += answer.whole[1];
    pass.depth = std::max<std::size_t>(pass.depth, answer.whole[2]);
  }
  if (pass.read_bytes == 0) return {};
  pass.depth += shares;
  Launch launch{pass, 1, 1, {}};
  if (const Launch* const main = own.job->footprint().main()) {
    launch.grid = main->grid;
    launch.block = main->block;
    launch.kernel = main->kernel;
  }
  return {{std::move(launch)}, 0};
}

}  // namespace

/// The own member's piece of a buffer that every member has.
class Spanning::Spread final : public Buffer {
 public:
  Spread(Spanning& device, std::size_t bytes)
      : device_(device), handle_(device.crew_->next_handle()) {
    Command command{.verb = Verb::allocate, .backend = device.backend_, .handle = handle_};
    command.bytes = bytes;
    try {
      device_.crew_->all(command);
    } catch (...) {
      give_back();  // those that have it
      throw;
    }
    device_.buffers_[data()] = this;
  }
  Spread(const Spread&) = delete;
  Spread& operator=(const Spread&) = delete;
  ~Spread() override {
    device_.buffers_.erase(data());
    give_back();
  }
  std::byte* data() override { return piece().data(); }
  std::size_t bytes() const override { return piece().bytes(); }
  std::uint64_t handle() const { return handle_; }

 private:
  Buffer& piece() const { return device_.crew_->own().buffer(handle_); }
  void give_back() const {
    device_.crew_->ask({.verb = Verb::release, .backend = device_.backend_, .handle = handle_});
  }

  Spanning& device_;
  std::uint64_t handle_;
};

Spanning::Spanning(std::shared_ptr<Crew> crew, std::uint32_t backend)
    : crew_(std::move(crew)), backend_(backend) {
  const auto answers = crew_->all({.verb = Verb::facts, .backend = backend_});
  facts_ = facts_of_all(own().facts(), answers, crew_->kind());
  name_ = std::to_string(crew_->size()) + " " + std::string(crew_->kind()) + "s, " +
          std::string(own().name());
}

void Spanning::use(Tuned tuned) {
  crew_->all({.verb = Verb::tune, .backend = backend_}, bytes_of(tuned));
  Device::use(std::move(tuned));
}

void Spanning::all(Verb verb) const { crew_->all({.verb = verb, .backend = backend_}); }

std::size_t Spanning::free_bytes() {
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& answer : crew_->all({.verb = Verb::free_bytes, .backend = backend_}))
    least = std::min(least, answer.whole[0]);
  // Where several share a memory, each may take its part of it.
  const auto distinct = static_cast<std::uint64_t>(
      std::max<std::ptrdiff_t>(1, std::ranges::count(facts_.id, '+') + 1));
  return least / ((crew_->size() + distinct - 1) / distinct);
}

std::unique_ptr<Buffer> Spanning::allocate(std::size_t bytes) {
  return std::make_unique<Spread>(*this, bytes);
}

Command Spanning::about(Verb verb, const void* address) const {
  Command command{.verb = verb, .backend = backend_};
  const auto* const at = static_cast<const std::byte*>(address);
  auto found = buffers_.upper_bound(at);
  if (found == buffers_.begin()) throw std::logic_error("an address of none of the buffers");
  --found;
  command.buffer = found->second->handle();
  command.at = static_cast<std::uint64_t>(at - found->first);
  if (command.at > found->second->bytes())
    throw std::logic_error("an address behind the buffer that begins before it");
  return command;
}

unsigned Spanning::shares(const Tuning& tuning) const {
  const unsigned most = crew_->size();
  if (tuning.shares > most) {
    throw NotPossible(std::to_string(tuning.shares) + " shares: there " +
                      (most == 1 ? "is 1 " : "are " + std::to_string(most) + " ") +
                      std::string(crew_->kind()) + (most == 1 ? "" : "s"));
  }
  return tuning.shares == 0 ? most : tuning.shares;
}

void Spanning::fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
                    std::size_t count) {
  if (recipe.data == Data::file) throw NotPossible("data from a file cannot be generated");
  Command command = about(Verb::fill, destination);
  command.type = type;
  command.data = recipe.data;
  command.planted = recipe.operation;
  command.seed = recipe.seed;
  command.first = first;
  command.count = count;
  command.bytes = effective_bytes(count, type);
  crew_->all(command);
}

void Spanning::upload(void* destination, const void* source, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{256} << 20;
  auto* to = static_cast<std::byte*>(destination);
  const auto* from = static_cast<const std::byte*>(source);
  for (std::size_t done = 0; done < bytes; done += piece) {
    const std::size_t now = std::min(piece, bytes - done);
    crew_->all(about(Verb::upload, to + done), {from + done, now});
  }
}

void Spanning::enqueue_set(void* destination, int byte, std::size_t bytes) {
  Command command = about(Verb::set, destination);
  command.byte = static_cast<std::uint32_t>(byte);
  command.bytes = bytes;
  crew_->all(command);
}

std::optional<std::string> Spanning::recover() {
  std::string lost;
  for (const auto& answer : crew_->ask({.verb = Verb::recover, .backend = backend_})) {
    if (const auto text = answer.text(); !text.empty()) lost += (lost.empty() ? "" : "; ") + text;
  }
  if (lost.empty()) return std::nullopt;
  return lost;
}

std::unique_ptr<Job> Spanning::ceiling(std::size_t configuration, const void* input,
                                       std::size_t bytes) {
  Command command = about(Verb::ceiling, input);
  command.rung = configuration;
  command.type = Type::i8;
  command.count = bytes;
  command.tuning.shares = crew_->size();
  return prepare(command);
}

std::unique_ptr<Job> Spanning::floor(Floor which) {
  Command command{.verb = Verb::floor, .backend = backend_};
  command.rung = static_cast<std::uint64_t>(which);
  command.type = Type::i64;
  command.tuning.shares = crew_->size();
  return prepare(command);
}

std::unique_ptr<Job> Spanning::prepare(Command command) {
  command.handle = crew_->next_handle();
  crew_->make_ready(command.tuning.shares);
  std::vector<Answer> answers;
  try {
    answers = crew_->all(command);
  } catch (...) {
    command.verb = Verb::forget;
    crew_->ask(command);
    throw;
  }
  return bound(command,
               footprint_of(answers, crew_->own().part(command.handle), command.tuning.shares));
}

Bound::Bound(Spanning& device, const Command& prepared, Footprint footprint)
    : device_(device),
      prepared_(prepared),
      footprint_(std::move(footprint)),
      result_{accumulator_of(prepared.type, prepared.operation), 0} {}

Bound::~Bound() { device_.crew().ask(command(Verb::forget)); }

void Bound::disarm() { device_.crew().ask(command(Verb::disarm)); }

void Bound::spoil() {
  std::memset(&result_.bits, spoiled_byte, facts(result_.type).bytes);
  ask(Verb::spoil);
}

Command Bound::command(Verb verb) const {
  Command command = prepared_;
  command.verb = verb;
  return command;
}

Value combined(const Value& a, const Value& b, Operation operation) {
  return with_type(a.type, [&]<Type t>() {
    return with_operation(operation, [&]<Operation o>() {
      using T = native<t>;
      constexpr bool bits =
          o == Operation::bit_and || o == Operation::bit_or || o == Operation::bit_xor;
      if constexpr (accumulator_of(t, o) == t && (std::is_integral_v<T> || !bits)) {
        return Value::of(t, Function<o, T>{}(a.as<T>(), b.as<T>()));
      } else {
        return a;  // nobody carries it
      }
    });
  });
}

}  // namespace ladder::several
