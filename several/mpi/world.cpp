#include "several/mpi/world.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "common/build_info.hpp"

namespace ladder::several {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// True if the request completes within `seconds`. Sleeps between polls, after 50 us.
bool done_within(double seconds, MPI_Request& request) {
  const auto start = Clock::now();
  for (int done = 0; done == 0;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    const double waited = since(start);
    if (done == 0 && waited > seconds) return false;
    // The next step of a sample comes soon, but rank 0 may be busy for long.
    if (done == 0 && waited > 50e-6)
      std::this_thread::sleep_for(std::chrono::microseconds(waited > 1 ? 1000 : 50));
  }
  return true;
}

/// Extra seconds until a waiting rank gives up; a slow network may need more. Ends all ranks with
/// status 2 if the setting is no such number.
double patience(int rank) {
  constexpr const char* variable = "LADDER_MPI_PATIENCE";
  const char* const given = std::getenv(variable);
  if (given == nullptr) return 8;
  char* end = nullptr;
  const double seconds = std::strtod(given, &end);
  if (end != given && *end == '\0' && seconds > 0 && seconds <= 86400) return seconds;
  std::fprintf(stderr, "ladder: rank %d: %s: '%s': expected seconds, up to 86400\n", rank, variable,
               given);
  MPI_Abort(MPI_COMM_WORLD, 2);
  std::_Exit(2);
}

int initialize() {
  int is = 0, provided = 0, rank = 0;
  MPI_Initialized(&is);
  if (is == 0) MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Distinguishes executables: a rebuilt one has the same commit.
std::uint64_t hash_of_executable() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string piece(std::size_t{1} << 20, '\0');
  std::uint64_t hash = 0;
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    const std::string_view read(piece.data(), static_cast<std::size_t>(file.gcount()));
    hash = hash * 31 + std::hash<std::string_view>{}(read);
  }
  return hash;
}

/// Type and operation for `combine`, of the current runs, which belong to one job.
struct {
  Type type{};
  Operation operation{};
} current;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): MPI passes nothing on

}  // namespace

bool World::started() {
  return std::getenv("OMPI_COMM_WORLD_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr ||
         std::getenv("PMIX_RANK") != nullptr;
}

std::shared_ptr<World> World::join() {
  static std::weak_ptr<World> known;
  auto world = known.lock();
  if (world == nullptr) known = world = std::make_shared<World>(initialize());
  return world;
}

World::World(int rank)
    : rank_(static_cast<unsigned>(rank)), watch_("rank " + std::to_string(rank), patience(rank)) {
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
  MPI_Comm_dup(MPI_COMM_WORLD, &ends_);
  MPI_Op_create(combine, 1, &combine_);
  watch_.end();
}

World::~World() {
  watch_.begin("all ranks to end", 0);
  if (!failed_) MPI_Barrier(ends_);
  for (auto& [shares, some] : shares_) {
    if (some != MPI_COMM_NULL) MPI_Comm_free(&some);
  }
  MPI_Comm_free(&ends_);
  MPI_Op_free(&combine_);
  MPI_Finalize();
  watch_.end();
}

/// Ends all ranks with status 2 if their builds differ: these may disagree on anything.
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
  if (rank_ == 0) {
    std::fprintf(stderr,
                 "ladder: the ranks run different builds: rank 0 that of commit %s, rank %td "
                 "another, of commit %s. Start all from one executable.\n",
                 all.front().commit.data(), other - all.begin(), other->commit.data());
  }
  MPI_Finalize();
  std::exit(2);
}

std::uint64_t World::from_first(std::uint64_t number) {
  if (rank_ == 0) watch_.begin("all ranks to take a step", 0);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
  if (rank_ == 0) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    watch_.end();
  } else {
    done_within(std::numeric_limits<double>::infinity(), request);
  }
  return number;
}

bool World::all_fail(int status, const std::string& sentence) {
  watch_.end();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(ends_, &request);
  if (!done_within(2, request)) abort(status, sentence);
  failed_ = true;
  return rank_ == 0;
}

void World::abort(int status, const std::string& sentence) {
  std::fprintf(stderr, "ladder: rank %u: %s\n", rank_, sentence.c_str());
  std::fflush(nullptr);
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

void World::together(const std::function<void()>& act) {
  struct Failure {
    unsigned rank;
    bool not_possible = false;
    std::array<char, 480> text{};
  } mine{size_};
  const auto fail = [&](const std::exception& error, bool not_possible) {
    mine.rank = rank_;
    mine.not_possible = not_possible;
    std::snprintf(mine.text.data(), mine.text.size(), "rank %u: %s", rank_, error.what());
  };
  try {
    act();
  } catch (const NotPossible& reason) {
    fail(reason, true);
  } catch (const std::exception& error) {
    fail(error, false);
  }
  watch_.begin("all ranks to prepare", 60);
  unsigned first = size_;
  MPI_Allreduce(&mine.rank, &first, 1, MPI_UNSIGNED, MPI_MIN, MPI_COMM_WORLD);
  if (first < size_)
    MPI_Bcast(&mine, sizeof mine, MPI_BYTE, static_cast<int>(first), MPI_COMM_WORLD);
  watch_.end();
  if (first == size_) return;
  if (mine.not_possible) throw NotPossible(mine.text.data());
  throw std::runtime_error(mine.text.data());
}

std::uint64_t World::least(std::uint64_t own) const {
  std::uint64_t all = own;
  MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
  return all;
}

double World::largest(double own) {
  double all = own;
  watch_.begin("the times of all ranks", allowed_);
  MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  watch_.end();
  return all;
}

Pass World::sum(const Pass& own) const {
  const std::array<std::uint64_t, 2> mine{own.read_bytes, own.written_bytes};
  std::array<std::uint64_t, 2> bytes{};
  const std::uint64_t depth = own.depth;
  std::uint64_t deepest = 0;
  MPI_Allreduce(mine.data(), bytes.data(), 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&depth, &deepest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return {bytes[0], bytes[1], deepest};
}

void World::meet(std::uint64_t number, double bytes) {
  // Maxima of the number and its complement: both are this rank's own only if all ranks agree.
  const std::array<std::uint64_t, 2> mine{number, ~number};
  std::array<std::uint64_t, 2> largest{};
  watch_.begin("all ranks to come to a sample", 0);
  MPI_Allreduce(mine.data(), largest.data(), 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  if (largest != mine)
    abort(1, "is before sample " + std::to_string(number & 0xFFFFFFFF) +
                 ", and another rank is not. The records so far are kept.");
  allowed_ = bytes / 1e9;  // at least 1 GB/s for all ranks together
  watch_.begin("all ranks to reduce their shares", allowed_);
}

void World::make_ready(unsigned shares) {
  if (shares_.contains(shares)) return;
  MPI_Comm_split(MPI_COMM_WORLD, rank_ < shares ? 0 : MPI_UNDEFINED, static_cast<int>(rank_),
                 &shares_[shares]);
}

// NOLINTNEXTLINE(readability-non-const-parameter): MPI's own kind of function
void World::combine(void* in, void* to, int* length, MPI_Datatype* /*of the bits*/) {
  const auto* const a = static_cast<const std::uint64_t*>(in);
  auto* const b = static_cast<std::uint64_t*>(to);
  for (int i = 0; i < *length; ++i)
    b[i] = combined({current.type, a[i]}, {current.type, b[i]}, current.operation).bits;
}

Value World::reduce(const Value& own, Operation operation, unsigned shares) const {
  current = {own.type, operation};
  Value all{own.type, 0};
  MPI_Allreduce(&own.bits, &all.bits, 1, MPI_UINT64_T, combine_, shares_.at(shares));
  return all;
}

}  // namespace ladder::several
