#include "several/member.hpp"

#include <exception>
#include <limits>

#include "common/accounting.hpp"
#include "several/choices.hpp"
#include "several/shares.hpp"

namespace ladder::several {
namespace {

void tell_facts(const DeviceFacts& facts, Answer& answer) {
  answer.number = facts.peak_gbs.value_or(std::numeric_limits<double>::quiet_NaN());
  answer.whole = {facts.last_level_cache, facts.memory_bytes, facts.units, facts.max_workers};
  answer.say(facts.name + "\n" + facts.id + "\n" + facts.peak_source);
}

void tell_footprint(const Footprint& footprint, Answer& answer) {
  std::uint64_t read = 0, written = 0;
  for (const auto& launch : footprint.launches) {
    read += launch.pass.read_bytes;
    written += launch.pass.written_bytes;
  }
  answer.whole = {read, written, footprint.depth()};
}

}  // namespace

Answer Member::carry_out(const Command& command, std::span<const std::byte> payload) {
  Answer answer;
  try {
    act(command, payload, answer);
  } catch (const NotPossible& reason) {
    answer.outcome = Outcome::not_possible;
    answer.say(reason.what());
  } catch (const std::exception& error) {
    answer.outcome = Outcome::failed;
    answer.say(error.what());
  }
  return answer;
}

void Member::act(const Command& command, std::span<const std::byte> payload, Answer& answer) {
  Backend& backend = *backends_.at(command.backend);
  if (command.verb == Verb::open) {
    if (const auto why = backend.open(static_cast<int>(command.index))) throw NotPossible(*why);
    return;
  }
  Device& device = backend.device();
  device.select();
  switch (command.verb) {
    case Verb::facts:
      return tell_facts(device.facts(), answer);
    case Verb::tune:
      return device.use(choices_of(payload));
    case Verb::free_bytes:
      answer.whole[0] = device.free_bytes();
      return;
    case Verb::allocate:
      buffers_[command.handle] = device.allocate(command.bytes);
      return;
    case Verb::release:
      buffers_.erase(command.handle);
      return;
    case Verb::fill:
      return device.fill(address(command), command.type,
                         {command.data, command.planted, command.seed}, command.first,
                         command.count);
    case Verb::upload:
      return device.upload(address(command), payload.data(), payload.size());
    case Verb::set:
      return device.enqueue_set(address(command), static_cast<int>(command.byte), command.bytes);
    case Verb::evict:
      return device.evict();
    case Verb::synchronize:
      return device.synchronize();
    case Verb::recover:
      if (const auto lost = device.recover()) answer.say(*lost);
      return;
    case Verb::prepare:
    case Verb::ceiling:
    case Verb::floor:
      return prepare(command, answer);
    case Verb::forget:
      parts_.erase(command.handle);
      return;
    case Verb::arm:
      if (const auto& job = part(command.handle).job) job->arm();
      return;
    case Verb::disarm:
      if (const auto& job = part(command.handle).job) job->disarm();
      return;
    case Verb::spoil:
      if (const auto& job = part(command.handle).job) job->spoil();
      return;
    case Verb::seconds:
      answer.number = part(command.handle).seconds;
      if (const auto& error = part(command.handle).error; !error.empty())
        throw std::runtime_error(error);
      return;
    case Verb::end:
    case Verb::divide:
    case Verb::open:
    case Verb::line_up:
      return;  // of whoever brings the commands
  }
}

void Member::prepare(const Command& command, Answer& answer) {
  Backend& backend = *backends_.at(command.backend);
  Part part;
  part.id = id_of(command);
  part.accumulator = accumulator_of(command.type, command.operation);
  part.operation = command.operation;
  part.shares = command.tuning.shares;
  part.bytes = effective_bytes(command.count, command.type);
  if (index_ < part.shares) {
    const Share mine = share_of(command.count, index_, part.shares);
    const std::size_t bytes = facts(command.type).bytes;
    const std::byte* const input =
        command.count == 0 ? nullptr : address(command) + mine.first * bytes;
    if (command.verb == Verb::ceiling) {
      const std::size_t whole = mine.count * bytes / 16 * 16;
      part.job = backend.device().ceiling(command.rung, input, whole);
    } else if (command.verb == Verb::floor) {
      part.job = backend.device().floor(static_cast<Floor>(command.rung));
    } else {
      const Problem problem{input, mine.count, command.type, command.operation, nullptr};
      const Tuning asked{.workers = command.tuning.workers};
      part.job =
          backend.prepare(command.rung, problem, backend.resolve(command.rung, problem, asked));
      tell_footprint(part.job->footprint(), answer);
    }
  }
  parts_[command.handle] = std::move(part);
}

}  // namespace ladder::several
