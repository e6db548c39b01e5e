// What the second out-of-order processor (naive_out_of_order.h) is told of one.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/timing/out_of_order.h"

namespace hardclock {

struct NaiveUnit {
  std::string name;
  int queue;
  int port;  // its own index, or that of the unit through which it issues
};

struct NaiveClass {
  std::string name;
  int latency = 1;
  int repeat = 1;
  int every = 1;  // of how many one takes `repeat`
  std::vector<int> units{};
  bool all = false;  // of the units, not one
  int second_queue = -1;
  int tie = 0;
  int second = -1;
  int second_after = 0;
  int each = 1;
  std::vector<int> decode_in{}, graduate_in{};  // groups
  bool stacked = false, nop = false, alone = false, waits = true;
};

struct NaiveQueue {
  std::string name;
  int entries;
  bool until_graduation;
};

struct NaiveFile {
  int first, last, free, most;
};

struct NaiveMachine {
  int fetch_width = 4, line = 64, buffer = 4, target = 1;
  int decode_width = 4, graduate_width = 4, graduate_after = 1;
  int active = 32, branches = 4, outstanding = 4, forward = 1;
  int addresses = -1;  // -1: nothing waits for addresses
  int bht = 16, bht_shift = 3, history = 0, returns = 1, targets = 0;
  bool associative = false;
  int wrong_taken = 0, wrong_not_taken = 1, wrong_indirect = 1;
  std::vector<int> decode_groups, graduate_groups;  // widths
  std::vector<NaiveQueue> queues;
  std::vector<NaiveUnit> units;
  std::vector<NaiveClass> classes;
  std::vector<NaiveFile> files;
  std::map<std::pair<int, int>, int> bypass;  // (producer, consumer) -> latency
  std::map<Resource, int> results;            // latency, whatever the class
  int late_queue = -1;                        // of those that have `late` late; -1: of none
  Resource late = 0;

  std::string text() const;
};

}  // namespace hardclock
