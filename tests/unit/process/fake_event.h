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
  explicit Event(std::function<bool()> condition) : condition_(std::move(condition)) {}
  bool has_happened() const override { return condition_(); }
  std::string description() const override { return "a test's condition"; }
  bool equals(const OsEvent& other) const override { return this == &other; }

 private:
  std::function<bool()> condition_;
};

inline WaitEvent when(std::function<bool()> condition) {
  return OsEventRef{std::make_shared<Event>(std::move(condition))};
}

}  // namespace hardclock::fake
