// A thread that makes calls, for tests of CallTree.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "sim/engine/call_tree.h"

namespace hardclock::call_trees {

using Way = CallTree::Way;

// A function every 0x100 bytes from 0x1000 to 0x2000, which calls may enter 0xc bytes further, too;
// nothing is known of what lies around them.
class RegularFunctions final : public FunctionFinder {
 public:
  FunctionRange find(const AddressSpace&, GuestAddr pc) override {
    if (pc.value() < 0x1000) return {.low = 0, .high = 0x1000};
    if (pc.value() >= 0x2000) return {.low = 0x2000, .high = ~std::uint64_t{0}};
    const std::uint64_t low = pc.value() / 0x100 * 0x100;
    return {.low = low, .high = low + 0x100, .function = low, .inner_entry = low + 0xc};
  }
};

// A path of calls: "1000 1100".
inline std::string path_of(const CallRecord& record, CallRecord::Number number) {
  const CallRecord::Node& node = record.nodes()[number];
  char text[20];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(node.function.value()));
  if (node.parent == CallRecord::none) return text;
  return path_of(record, node.parent) + " " + text;
}

// The cycles of each path.
inline std::map<std::string, std::uint64_t> cycles_of(const CallRecord& record) {
  std::map<std::string, std::uint64_t> cycles;
  for (CallRecord::Number i = 0; i < record.nodes().size(); ++i) {
    cycles[path_of(record, i)] += record.nodes()[i].cycles;
  }
  return cycles;
}

inline std::map<std::string, std::uint64_t> calls_of(const CallRecord& record) {
  std::map<std::string, std::uint64_t> calls;
  for (CallRecord::Number i = 0; i < record.nodes().size(); ++i) {
    calls[path_of(record, i)] += record.nodes()[i].calls;
  }
  return calls;
}

inline CallRecord::Arc arc_of(const CallRecord& record, std::uint64_t site,
                              std::uint64_t function) {
  for (const auto& [key, arc] : record.arcs()) {
    if (key == CallRecord::ArcKey{GuestAddr(site), GuestAddr(function)}) return arc;
  }
  return {};
}

// A thread, whose stack has `depth` bytes and whose calls come back two instructions later.
class Thread {
 public:
  explicit Thread(std::uint64_t pc) { arrive(Way::straight, 0, pc); }

  void call(std::uint64_t site, std::uint64_t to) { arrive(Way::call, site, to); }
  void jump(std::uint64_t site, std::uint64_t to) { arrive(Way::straight, site, to); }
  void always(std::uint64_t site, std::uint64_t to) { arrive(Way::jump, site, to); }
  void go(std::uint64_t site, std::uint64_t to) { arrive(Way::indirect, site, to); }
  void interrupt(std::uint64_t at, std::uint64_t to, std::uint64_t depth_there) {
    const std::uint64_t before = depth;
    depth = depth_there;
    tree.arrive({.way = Way::kernel,
                 .site = at,
                 .pc = to,
                 .depth = depth,
                 .depth_before = before,
                 .cycles = now});
  }
  void pass(std::uint64_t cycles) { now += cycles; }
  CallRecord record() const { return tree.record(now); }

  AddressSpace memory{std::make_shared<MemoryBudget>(std::uint64_t{1} << 20), Endian::big,
                      GuestAddr(0x80000000)};
  CallTree tree{std::make_shared<RegularFunctions>(), memory};
  std::uint64_t depth = 0x100;
  std::uint64_t now = 0;

 private:
  void arrive(Way way, std::uint64_t site, std::uint64_t pc) {
    tree.arrive({.way = way,
                 .site = site,
                 .pc = pc,
                 .comes_back_to = site + 8,
                 .depth = depth,
                 .cycles = now});
  }
};

}  // namespace hardclock::call_trees
