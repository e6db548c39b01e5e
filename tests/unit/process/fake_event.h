// An event of a test's own for threads to wait for.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <variant>

#include "sim/process/wait.h"

namespace hardclock::fake {

// What tests let threads wait for, as if it was an open file.
class Condition final : public KernelObject {
 public:
  Condition(std::function<bool()> holds, bool is_outside)
      : holds(std::move(holds)), is_outside(is_outside) {}
  void archive(Archive& /*to*/) override {}
  Blank<KernelObject> blank() const override { return nullptr; }

  const std::function<bool()> holds;
  const bool is_outside;
};

inline WaitEvent when(std::function<bool()> condition, bool is_outside = false) {
  return FileWait{{{.file = std::make_shared<Condition>(std::move(condition), is_outside),
                    .for_reading = true}}};
}

// Of when().
inline const Condition& condition_of(const ObjectEvent& event) {
  return static_cast<const Condition&>(*std::get<FileWait>(event).files.front().file);
}

}  // namespace hardclock::fake
