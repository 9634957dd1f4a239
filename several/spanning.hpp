#pragma once

// Several devices as one: what is asked of it is asked of each of them. Every device holds the
// whole input and reads its share of it, so that each size is a prefix, as on one device, and
// shares can be cut anywhere; the size is limited by the device with the least memory.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "several/crew.hpp"

namespace ladder::several {

class Spanning : public Device {
 public:
  /// Over the devices that the crew's members have opened by `backend`. Where an address is asked
  /// for or given, it is that of the own member.
  Spanning(std::shared_ptr<Crew> crew, std::uint32_t backend);

  std::string_view name() const override { return name_; }
  const DeviceFacts& facts() const override { return facts_; }
  void select() override { own().select(); }
  std::vector<Fact> conditions() override { return own().conditions(); }
  std::string disturbance() override { return own().disturbance(); }
  /// Gives all members these choices.
  void use(Tuned tuned) override;

  std::size_t free_bytes() override;
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override;
  std::unique_ptr<Buffer> allocate_pinned(std::size_t bytes) override {
    return own().allocate_pinned(bytes);
  }
  void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
            std::size_t count) override;
  void upload(void* destination, const void* source, std::size_t bytes) override;
  void download(void* destination, const void* source, std::size_t bytes) override {
    own().download(destination, source, bytes);
  }
  void enqueue_set(void* destination, int byte, std::size_t bytes) override;
  void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) override {
    upload(destination, pinned, bytes);
  }

  std::vector<std::string> ceiling_configurations() const override {
    return own().ceiling_configurations();
  }
  std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                               std::size_t bytes) override;
  std::unique_ptr<Job> floor(Floor which) override;

  void evict() override { all(Verb::evict); }
  /// Of each of the devices, as memory is.
  Eviction eviction() const override { return own().eviction(); }
  void synchronize() override { all(Verb::synchronize); }
  std::optional<std::string> recover() override;

  Crew& crew() const { return *crew_; }
  std::uint32_t backend() const { return backend_; }
  /// A command about the buffer that `address` lies in.
  Command about(Verb verb, const void* address) const;
  /// The number of those who take part in `tuning`: all where it says nothing. Throws
  /// `NotPossible` where there are fewer.
  unsigned shares(const Tuning& tuning) const;

 protected:
  /// A prepared job of the crew, run as this kind of crew does: see the backends.
  virtual std::unique_ptr<Job> bound(const Command& prepared, Footprint footprint) = 0;

 private:
  class Spread;
  friend class Bound;

  Device& own() const { return crew_->own().backend(backend_).device(); }
  void all(Verb verb) const;

  std::shared_ptr<Crew> crew_;
  std::uint32_t backend_;
  std::string name_;
  DeviceFacts facts_;
  std::map<const std::byte*, const Spread*> buffers_;  ///< by where the own member's begin

 public:
  /// Prepares `command` (a rung, a ceiling, a floor) everywhere and binds it.
  std::unique_ptr<Job> prepare(Command command);
};

/// A job that every member of a crew has prepared under one handle; they forget it with this.
class Bound : public Job {
 public:
  Bound(Spanning& device, const Command& prepared, Footprint footprint);
  ~Bound() override;

  void arm() override { ask(Verb::arm); }
  void disarm() override;
  Value result() const override { return result_; }
  void spoil() override;
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return prepared_.tuning; }

 protected:
  Command command(Verb verb) const;
  void ask(Verb verb) const { device_.crew().all(command(verb)); }
  Spanning& device() const { return device_; }
  Part& own() const { return device_.crew().own().part(prepared_.handle); }
  void leave(Value result) { result_ = result; }

 private:
  Spanning& device_;
  Command prepared_;
  Footprint footprint_;
  Value result_;
};

/// `a` and `b` by the operation; both are of its accumulator.
Value combined(const Value& a, const Value& b, Operation operation);

}  // namespace ladder::several
