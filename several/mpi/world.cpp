#include "several/mpi/world.hpp"

#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "common/build_info.hpp"
#include "several/spanning.hpp"

namespace ladder::several {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Seconds beyond what work may take before a rank that waits gives up; a slow network may need
/// more.
double patience() {
  const char* const given = std::getenv("LADDER_MPI_PATIENCE");
  const double seconds = given == nullptr ? 0 : std::atof(given);
  return seconds > 0 ? seconds : 8;
}

int initialize() {
  int is = 0, provided = 0, rank = 0;
  MPI_Initialized(&is);
  if (is == 0) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// What tells this executable from another one: a rebuilt one has the same commit.
std::uint64_t hash_of_executable() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::vector<std::uint64_t> words(1U << 17);
  std::uint64_t hash = 0;
  while (file) {
    std::ranges::fill(words, 0);
    file.read(reinterpret_cast<char*>(words.data()),
              static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    words.front() ^= hash;
    hash = hash_of(words);
  }
  return hash;
}

/// That runs may take, with no more than 1 GB/s of all ranks together.
double seconds_for(unsigned runs, const Part& part) {
  return runs * static_cast<double>(part.bytes) / 1e9;
}

/// That a command may take, with no more than 50 MB/s.
double seconds_for(const Command& command) {
  constexpr double slow = 50e6;
  if (command.verb == Verb::open) return 60;
  if (command.verb == Verb::evict) return 30;
  const std::uint64_t bytes = std::max(command.bytes, command.payload);
  return static_cast<double>(bytes) / slow;
}

/// What `combine` combines by: of the runs under way, which are of one job.
struct {
  Type type{};
  Operation operation{};
} current;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): MPI passes nothing on

}  // namespace

bool World::started() {
  return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr ||
         std::getenv("PMIX_RANK") != nullptr;
}

std::shared_ptr<World> World::join(Make make) {
  static std::weak_ptr<World> known;
  auto world = known.lock();
  if (world != nullptr) return world;
  if (!started()) throw NotPossible("runs on the ranks of an MPI: mpirun -n 4 ladder ...");
  if (std::getenv("LADDER_PROCESS") != nullptr)
    throw NotPossible("--processes: not of ranks; start mpirun once for each process");
  int over = 0;
  MPI_Finalized(&over);
  if (over != 0) throw NotPossible("the ranks of this process were let go already");
  known = world = std::make_shared<World>(make, initialize());
  return world;
}

World::World(Make make, int of_this_process)
    : rank_(static_cast<unsigned>(of_this_process)),
      member_(rank_, make()),
      watch_("rank " + std::to_string(rank_), patience()) {
  int size = 1, place = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  size_ = static_cast<unsigned>(size);
  watch_.begin("all ranks to begin", 60);
  check_builds();
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &place);
  MPI_Comm_free(&host);
  place_ = static_cast<unsigned>(place);
  MPI_Type_contiguous(sizeof(Partial), MPI_BYTE, &partial_);
  MPI_Type_commit(&partial_);
  MPI_Op_create(combine, 1, &combine_);
  watch_.end();
}

World::~World() {
  if (rank_ == 0) send({.verb = Verb::end}, {});
  watch_.begin("all ranks to end", 0);
  for (auto& [shares, some] : shares_) {
    if (some != MPI_COMM_NULL) MPI_Comm_free(&some);
  }
  MPI_Op_free(&combine_);
  MPI_Type_free(&partial_);
  MPI_Finalize();
  watch_.end();
}

/// Ranks of several builds cannot understand each other: that ends them all, with status 2.
void World::check_builds() const {
  struct Build {
    std::uint64_t executable;
    std::array<char, 56> commit;
  } mine{hash_of_executable(), {}};
  const std::string commit(build_info().commit);
  std::memcpy(mine.commit.data(), commit.data(), std::min(commit.size(), mine.commit.size() - 1));
  std::vector<Build> all(size_);
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
  const auto other = std::ranges::find_if(
      all, [&](const Build& one) { return one.executable != all.front().executable; });
  if (other == all.end()) return;
  if (rank_ == 0 || mine.executable != all.front().executable) {
    std::fprintf(stderr,
                 "ladder: rank %u: the ranks run different builds: rank 0 that of commit %s, rank "
                 "%td another, of commit %s. Start all from one executable.\n",
                 rank_, all.front().commit.data(), other - all.begin(), other->commit.data());
  }
  MPI_Finalize();
  std::exit(2);
}

// NOLINTNEXTLINE(readability-non-const-parameter): MPI's own kind of function
void World::combine(void* in, void* to, int* length, MPI_Datatype* /*of partials*/) {
  const auto* const a = static_cast<const Partial*>(in);
  auto* const b = static_cast<Partial*>(to);
  for (int i = 0; i < *length; ++i) {
    b[i].bits =
        combined({current.type, a[i].bits}, {current.type, b[i].bits}, current.operation).bits;
    b[i].failed += a[i].failed;
  }
}

/// One device is that of the first rank of each host, and the others' follow; several are those of
/// its ranks.
Answer World::carry_out(const Command& command, std::span<const std::byte> payload) {
  if (command.verb != Verb::open) return member_.carry_out(command, payload);
  std::vector<int> devices(payload.size() / sizeof(int));
  std::memcpy(devices.data(), payload.data(), payload.size());
  Command open = command;
  open.index = static_cast<std::uint64_t>(devices.front()) + place_;
  if (devices.size() > 1) {
    if (place_ >= devices.size()) {
      Answer answer{.outcome = Outcome::not_possible};
      answer.say("--devices names " + std::to_string(devices.size()) +
                 " devices, and this is rank " + std::to_string(place_ + 1) + " of its host");
      return answer;
    }
    open.index = static_cast<std::uint64_t>(devices[place_]);
  }
  return member_.carry_out(open, payload);
}

void World::send(const Command& command, std::span<const std::byte> payload) {
  Command sent = command;
  sent.payload = payload.size();
  watch_.begin("all ranks to take a command", 0);
  // The others wait in MPI_Ibcast, and the kinds do not match each other.
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&sent, sizeof sent, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (!payload.empty()) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the root's is read alone
    MPI_Bcast(const_cast<std::byte*>(payload.data()), static_cast<int>(payload.size()), MPI_BYTE, 0,
              MPI_COMM_WORLD);
  }
  watch_.end();
}

std::vector<Answer> World::gather(const Answer& own) const {
  std::vector<Answer> answers(rank_ == 0 ? size_ : 0);
  MPI_Gather(&own, sizeof own, MPI_BYTE, answers.data(), sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
  return answers;
}

std::vector<Answer> World::ask(Command command, std::span<const std::byte> payload) {
  send(command, payload);
  const Answer own = carry_out(command, payload);
  watch_.begin("the answers of all ranks", seconds_for(command));
  auto answers = gather(own);
  watch_.end();
  return answers;
}

void World::make_ready(unsigned shares) {
  if (shares_.contains(shares)) return;
  send({.verb = Verb::divide, .tuning = {.shares = shares}}, {});
  divide(shares);
}

void World::divide(unsigned shares) {
  watch_.begin("all ranks to be divided", 0);
  MPI_Comm_split(MPI_COMM_WORLD, rank_ < shares ? 0 : MPI_UNDEFINED, static_cast<int>(rank_),
                 &shares_[shares]);
  watch_.end();
}

int World::serve() {
  std::vector<std::byte> payload;
  for (;;) {
    Command command;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(&command, sizeof command, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    // Rank 0 may be at work of its own for long: nothing is to disturb it. But the next command of
    // a sample comes soon.
    const auto start = Clock::now();
    for (int here = 0; here == 0;) {
      MPI_Test(&request, &here, MPI_STATUS_IGNORE);
      const double waited = since(start);
      if (here == 0 && waited > 50e-6)
        std::this_thread::sleep_for(std::chrono::microseconds(waited > 1 ? 1000 : 50));
    }
    payload.resize(command.payload);
    if (!payload.empty()) {
      watch_.begin("what a command brings", seconds_for(command));
      MPI_Bcast(payload.data(), static_cast<int>(payload.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    if (command.verb == Verb::end) return static_cast<int>(command.handle);
    if (command.verb == Verb::divide) {
      divide(command.tuning.shares);
    } else if (command.verb == Verb::line_up) {
      run_all(command);
    } else {
      const Answer own = carry_out(command, payload);
      watch_.begin("the answers of the other ranks", seconds_for(command));
      gather(own);
    }
    watch_.end();
  }
}

void World::meet(const Part& part, std::uint64_t index) {
  // The largest of a number and of its complement: both are the own ones where all are the same.
  const std::array<std::uint64_t, 4> mine{part.id, ~part.id, index, ~index};
  std::array<std::uint64_t, 4> largest{};
  watch_.begin("all ranks to come to a sample", 0);
  MPI_Allreduce(mine.data(), largest.data(), 4, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  watch_.end();
  if (largest == mine) return;
  std::fprintf(stderr,
               "ladder: rank %u is before sample %llu of measurement %016llx, and not all ranks "
               "are: they have lost step. The records so far are kept.\n",
               rank_, static_cast<unsigned long long>(index),
               static_cast<unsigned long long>(part.id));
  std::fflush(nullptr);
  // So that each rank says it.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  std::_Exit(1);
}

void World::line_up(const Command& command, Part& part) {
  send(command, {});
  part.error.clear();
  current = {part.accumulator, part.operation};
  meet(part, ++part.samples);
  watch_.begin("all ranks to reduce their shares", seconds_for(command.runs, part));
}

bool World::run(Part& part, Value& result) {
  Partial mine{identity_of(part.accumulator, part.operation).bits, 0}, all{};
  try {
    part.job->run();
    part.job->fetch();
    mine.bits = part.job->result().bits;
  } catch (const std::exception& error) {
    part.error = error.what();
    mine.failed = 1;
  }
  MPI_Allreduce(&mine, &all, 1, partial_, combine_, shares_.at(part.shares));
  result = {part.accumulator, all.bits};
  return all.failed == 0;
}

void World::run_all(const Command& command) {
  Part& part = member_.part(command.handle);
  part.error.clear();
  part.seconds = 0;
  current = {part.accumulator, part.operation};
  meet(part, ++part.samples);
  if (part.job == nullptr) return;
  watch_.begin("all ranks to reduce their shares", seconds_for(command.runs, part));
  const auto start = Clock::now();
  Value result;
  for (unsigned i = 0; i < command.runs && run(part, result); ++i) continue;
  part.seconds = since(start);
}

}  // namespace ladder::several
