#pragma once

// All who take part in one reduction, as whoever measures sees them.

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "several/member.hpp"

namespace ladder::several {

class Crew {
 public:
  Crew() = default;
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  virtual ~Crew() = default;

  virtual unsigned size() const = 0;
  /// What a member is called: "device", "rank".
  virtual std::string_view kind() const = 0;
  /// The member of whoever measures, who is number 0.
  virtual Member& own() = 0;
  /// Has each member carry the command out, all at once where they are processes, and waits for
  /// their answers, in the members' order.
  virtual std::vector<Answer> ask(Command command, std::span<const std::byte> payload = {}) = 0;
  /// Before the first problem in so many shares is prepared.
  virtual void make_ready([[maybe_unused]] unsigned shares) {}

  /// As `ask`. Throws the first failure, which names its member: `NotPossible` where it was one.
  std::vector<Answer> all(const Command& command, std::span<const std::byte> payload = {}) {
    auto answers = ask(command, payload);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].outcome == Outcome::done) continue;
      const std::string sentence =
          std::string(kind()) + " " + std::to_string(i) + ": " + answers[i].text();
      if (answers[i].outcome == Outcome::not_possible) throw NotPossible(sentence);
      throw std::runtime_error(sentence);
    }
    return answers;
  }
  std::uint64_t next_handle() { return ++handles_; }

 private:
  std::uint64_t handles_ = 0;
};

}  // namespace ladder::several
