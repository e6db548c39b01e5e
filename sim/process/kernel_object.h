// What a wait refers to without knowing what it is.
#pragma once

#include <memory>

#include "sim/state/archive.h"

namespace hardclock {

// An object of the personality's: an open file, somebody who sleeps.
class KernelObject {
 public:
  using StateRoot = KernelObject;

  virtual ~KernelObject() = default;
  virtual void archive(Archive& to) = 0;
  virtual Blank<KernelObject> blank() const = 0;

 protected:
  KernelObject() = default;
  KernelObject(const KernelObject&) = default;
  KernelObject& operator=(const KernelObject&) = default;
};

// Keeps the object alive. Equal: the same object.
using ObjectRef = std::shared_ptr<KernelObject>;

// Does not keep it alive.
struct WeakObjectRef {
  std::weak_ptr<KernelObject> object;
  static constexpr std::size_t state_members = 1;
  friend bool operator==(const WeakObjectRef& a, const WeakObjectRef& b) {
    return !a.object.owner_before(b.object) && !b.object.owner_before(a.object);
  }
};

}  // namespace hardclock
