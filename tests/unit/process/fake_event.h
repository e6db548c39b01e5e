// An event of a test's own for threads to wait for.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "sim/process/wait.h"

namespace hardclock::fake {

class Event final : public OsEvent {
 public:
  explicit Event(std::function<bool()> condition, bool is_outside = false)
      : condition_(std::move(condition)), is_outside_(is_outside) {}
  bool has_happened() const override { return condition_(); }
  bool comes_from_outside() const override { return is_outside_; }
  std::string description() const override { return "a test's condition"; }
  bool equals(const OsEvent& other) const override { return this == &other; }

 private:
  std::function<bool()> condition_;
  bool is_outside_;
};

inline WaitEvent when(std::function<bool()> condition, bool is_outside = false) {
  return OsEventRef{std::make_shared<Event>(std::move(condition), is_outside)};
}

}  // namespace hardclock::fake
