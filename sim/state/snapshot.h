// The state of a simulation, saved in memory, to go back to in the same run of hardclock. It is no
// format for files: it has objects of the host's, and addresses of functions.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/state/archive.h"

namespace hardclock {

struct Snapshot {
  std::vector<std::byte> bytes;
  std::vector<std::shared_ptr<const void>> kept;  // in the order in which a saver was told
};

class Saver final : public Archive {
 public:
  Saver() : Archive(Kind::saver) {}

  void bytes(std::span<std::byte> bytes) override;
  void refuse(std::string_view what) override;

  // What cannot be loaded; empty: nothing.
  const std::string& refused() const { return refused_; }
  Snapshot take() { return std::move(snapshot_); }

 private:
  void keep(std::shared_ptr<const void>& object) override;

  Snapshot snapshot_;
  std::string refused_;
};

// Sets the state of an object like the one that was saved.
class Loader final : public Archive {
 public:
  explicit Loader(const Snapshot& snapshot) : Archive(Kind::loader), snapshot_(snapshot) {}

  void bytes(std::span<std::byte> bytes) override;

  // Whether all has been loaded that was saved.
  bool is_at_end() const;

 private:
  void keep(std::shared_ptr<const void>& object) override;

  const Snapshot& snapshot_;
  std::size_t bytes_ = 0;  // that have been loaded
  std::size_t kept_ = 0;
};

}  // namespace hardclock
