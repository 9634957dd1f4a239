#include "tests/guarded_input.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace ladder::tests {
namespace {

constexpr std::size_t front_bytes = 256;   // guards before the data; keeps its alignment
constexpr std::size_t guards_behind = 64;  // more than a vector, or a warp, could read past the end

// Start of each part of the staging buffer, in elements.
constexpr std::size_t guards_at = 0;  // written once
constexpr std::size_t planted_at = front_bytes, behind_at = planted_at + 1,
                      unplanted_at = behind_at + guards_behind, staged = unplanted_at + 1;
static_assert(guards_behind <= front_bytes);

}  // namespace

GuardedInput::GuardedInput(Backend& backend, Type type, const Recipe& recipe, std::size_t most,
                           std::size_t offset, const void* array)
    : backend_(backend),
      type_(type),
      bytes_(facts(type).bytes),
      recipe_(recipe),
      array_(static_cast<const std::byte*>(array)),
      most_(most),
      offset_(offset),
      buffer_(backend.device().allocate(front_bytes + offset + (most + guards_behind) * bytes_)),
      staging_(backend.device().allocate_pinned(staged * bytes_)) {
  with_type(type, [&]<Type t>() {
    using T = native<t>;
    std::fill_n(reinterpret_cast<T*>(staging_->data()), front_bytes,
                guard_element<T>(recipe.operation));
  });
  Device& device = backend.device();
  device.upload(buffer_->data() + offset, staging_->data(), front_bytes);
  if (most == 0) return;
  if (array_ != nullptr) {
    device.upload(at(0), array_, most * bytes_);
  } else {
    device.fill(at(0), type, recipe, 0, most);
  }
}

std::byte* GuardedInput::at(std::size_t index) const {
  return buffer_->data() + front_bytes + offset_ + index * bytes_;
}

void GuardedInput::enqueue(std::size_t first, std::size_t staged_at, std::size_t count) {
  backend_.device().enqueue_upload(at(first), staging_->data() + staged_at * bytes_,
                                   count * bytes_);
}

void GuardedInput::write(std::size_t first, std::size_t staged_at, std::size_t count) {
  if (count == 0) return;
  with_type(type_, [&]<Type t>() {
    auto* const elements = reinterpret_cast<native<t>*>(staging_->data()) + staged_at;
    if (array_ != nullptr) {
      std::memcpy(elements, array_ + first * bytes_, count * bytes_);
    } else {
      for (std::size_t i = 0; i < count; ++i) elements[i] = element<native<t>>(recipe_, first + i);
    }
  });
  enqueue(first, staged_at, count);
}

Problem GuardedInput::problem(std::size_t n) const {
  return {at(0), n, type_, recipe_.operation, nullptr};
}

void GuardedInput::guard_and_plant(std::size_t n, std::optional<std::size_t> planted) {
  enqueue(n, guards_at, guards_behind);
  if (!planted) return;
  with_type(type_, [&]<Type t>() {
    const auto extreme = planted_element<native<t>>(recipe_.operation, recipe_, *planted);
    std::memcpy(staging_->data() + planted_at * bytes_, &extreme, sizeof extreme);
  });
  enqueue(*planted, planted_at, 1);
}

void GuardedInput::restore(std::size_t n, std::optional<std::size_t> planted) {
  write(n, behind_at, std::min(guards_behind, most_ - n));
  if (planted) write(*planted, unplanted_at, 1);
}

Ran GuardedInput::run(std::size_t rung, std::size_t n, const Tuning& tuning,
                      std::optional<std::size_t> planted) {
  guard_and_plant(n, planted);
  const auto job = backend_.prepare(rung, problem(n), tuning);
  const Value value = result_of(backend_, *job);
  restore(n, planted);
  return {value, job->tuning(), job->footprint().depth()};
}

Verdict GuardedInput::judge(std::size_t rung, const Reference& reference, const Tuning& tuning,
                            std::optional<std::size_t> planted) {
  const auto [value, resolved, depth] = run(rung, reference.n, tuning, planted);
  const Reference expected =
      planted ? with_planted(reference, type_, recipe_, *planted) : reference;
  Verdict verdict = check(value, expected, false, depth);
  if (!verdict.ok) {
    verdict.message =
        in_words(type_, recipe_.operation, reference.n, resolved, planted) + ": " + verdict.message;
  }
  return verdict;
}

std::size_t rung_of(const Backend& backend, std::string_view id) {
  const auto rungs = backend.rungs();
  const auto found =
      std::ranges::find(rungs, id, [](const RungInfo& info) { return info.rung.id; });
  if (found == rungs.end()) throw std::logic_error("there is no rung " + std::string(id));
  return static_cast<std::size_t>(found - rungs.begin());
}

Value result_of(Backend& backend, Job& job) {
  job.spoil();
  job.arm();
  job.run();
  job.fetch();
  job.disarm();
  backend.device().synchronize();
  return job.result();
}

std::vector<std::size_t> places_in(std::size_t n, unsigned block) {
  const std::size_t width = block == 0 ? 256 : block;
  std::vector<std::size_t> places{0, n / 2, n - 1, width - 1, width};
  std::erase_if(places, [n](std::size_t place) { return place >= n; });
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Known exact_data(Type type, Operation operation, const std::vector<std::size_t>& sizes) {
  const auto is_zero = [](const Reference& reference) {
    return reference.n > 0 && reference.value.number() == 0;
  };
  Known known{{Data::exact, operation, 0}, {}};
  do {
    ++known.recipe.seed;
    known.references = references({type, known.recipe, nullptr}, operation, sizes, 2);
  } while (std::ranges::any_of(known.references, is_zero));
  return known;
}

bool flushes_subnormals(const Backend& backend, std::size_t rung, Type type, Operation operation) {
  const bool on_nvidia = backend.device().name().starts_with("cuda:");
  return on_nvidia && (type == Type::f32 || type == Type::bf16) && operation == Operation::sum &&
         (backend.rungs()[rung].rung.traits & atomic_updates) != 0;
}

std::string in_words(Type type, Operation operation, std::size_t n, const Tuning& tuning,
                     std::optional<std::size_t> planted) {
  std::string text(facts(type).name);
  const auto add = [&text](std::string_view name, std::size_t value) {
    text.append(" ").append(name).append(":").append(std::to_string(value));
  };
  text.append(" ").append(facts(operation).name);
  add("n", n);
  for (const auto& axis : tuning_axes) {
    if (tuning.*axis.member != 0) add(axis.name, tuning.*axis.member);
  }
  if (planted) add("place", *planted);
  return text;
}

}  // namespace ladder::tests
