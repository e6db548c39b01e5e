// What a transfer of control means to those who follow calls. A part of engine.h.
#pragma once

#include "sim/engine/call_tree.h"
#include "sim/timing/out_of_order.h"

namespace hardclock {

// Facts as engine.h has them, of an instruction with is_branch.
template <class Facts>
CallTree::Way way_of(const Facts& branch) {
  using Transfer = OutOfOrderCore::Transfer;
  if (branch.links) return CallTree::Way::call;
  const bool is_indirect =
      branch.transfer == Transfer::indirect || branch.transfer == Transfer::returns;
  if (is_indirect) return CallTree::Way::indirect;
  // What reads nothing has no condition.
  return branch.timing->reads.empty() ? CallTree::Way::jump : CallTree::Way::straight;
}

// A transfer of control that was taken, and the pc that its instruction is charged to.
struct MadeTransfer {
  CallTree::Way way = CallTree::Way::straight;
  std::uint64_t site = 0;
};

}  // namespace hardclock
