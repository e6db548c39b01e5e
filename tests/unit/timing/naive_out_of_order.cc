#include "tests/unit/timing/naive_out_of_order.h"

#include <algorithm>
#include <sstream>

namespace hardclock {
namespace {

constexpr const char* evidence = " unverified: the test\n";

void describe_classes(std::ostringstream& out, const NaiveMachine& machine) {
  for (const NaiveClass& c : machine.classes) {
    out << "class " << c.name << " latency " << c.latency << " repeat " << c.repeat;
    if (c.every != 1) out << " every " << c.every;
    out << " unit ";
    for (std::size_t i = 0; i < c.units.size(); ++i) {
      out << (i == 0 ? "" : ",") << machine.units[c.units[i]].name;
    }
    if (c.units.empty()) out << "none";
    if (c.all) out << " takes all";
    if (c.second_queue >= 0) out << " entry " << machine.queues[c.second_queue].name;
    if (c.second >= 0) {
      out << " also " << machine.units[c.second].name << " after " << c.second_after;
    }
    out << evidence;
    if (c.tie != 0) out << "tie " << c.name << " latency " << c.tie << evidence;
    if (c.stacked) out << "branches " << c.name << " entries " << machine.branches << evidence;
    if (c.nop) out << "decode " << c.name << " nop yes" << evidence;
    if (c.alone) out << "decode " << c.name << " alone yes" << evidence;
    if (!c.waits) out << "misses " << c.name << " wait no" << evidence;
    if (c.each != 1) out << "active " << c.name << " each " << c.each << evidence;
  }
}

void describe_groups(std::ostringstream& out, const NaiveMachine& machine, const char* keyword,
                     const std::vector<int>& widths, std::vector<int> NaiveClass::*in) {
  for (std::size_t g = 0; g < widths.size(); ++g) {
    std::string list;
    for (const NaiveClass& c : machine.classes) {
      const std::vector<int>& groups = c.*in;
      if (std::count(groups.begin(), groups.end(), static_cast<int>(g)) == 0) continue;
      list += (list.empty() ? "" : ",") + c.name;
    }
    out << keyword << " " << list << " width " << widths[g] << evidence;
  }
}

}  // namespace

std::string NaiveMachine::text() const {
  std::ostringstream out;
  out << "cpu naive\nisa mips4\npipeline out-of-order\nclock 100" << evidence;
  out << "fetch all width " << fetch_width << " line " << line << " buffer " << buffer << " target "
      << target << evidence;
  out << "decode all width " << decode_width << evidence;
  out << "graduate all width " << graduate_width << " after " << graduate_after << evidence;
  out << "active all entries " << active << evidence;
  for (const NaiveQueue& queue : queues) {
    out << "queue " << queue.name << " entries " << queue.entries << " until "
        << (queue.until_graduation ? "graduation" : "issue");
    if (queue.until_graduation) out << " forward " << forward;
    if (queue.name == "address" && addresses >= 0) out << " addresses " << addresses;
    out << evidence;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    out << "registers file" << i << " first " << files[i].first << " last " << files[i].last
        << " free " << files[i].free << " most " << files[i].most << evidence;
  }
  for (const NaiveUnit& unit : units) {
    out << "unit " << unit.name << " queue " << queues[unit.queue].name;
    if (&units[unit.port] != &unit) out << " port " << units[unit.port].name;
    out << evidence;
  }
  describe_classes(out, *this);
  describe_groups(out, *this, "decode", decode_groups, &NaiveClass::decode_in);
  describe_groups(out, *this, "graduate", graduate_groups, &NaiveClass::graduate_in);
  for (const auto& [pair, latency] : bypass) {
    out << "bypass " << classes[pair.first].name << " to " << classes[pair.second].name
        << " latency " << latency << evidence;
  }
  for (const auto& [result, latency] : results) {
    out << "result r" << result << " first " << result << " last " << result << " latency "
        << latency << evidence;
  }
  if (late_queue >= 0) {
    out << "late r first " << late << " last " << late << " queue " << queues[late_queue].name
        << evidence;
  }
  out << "misses all outstanding " << outstanding << evidence;
  out << "predictor bht entries " << bht << " shift " << bht_shift;
  if (history != 0) out << " history " << history;
  out << evidence;
  if (returns != 0) out << "predictor returns entries " << returns << evidence;
  if (targets != 0) {
    out << "predictor targets entries " << targets << (associative ? " associative yes" : "")
        << evidence;
  }
  out << "mispredict taken cycles " << wrong_taken << evidence;
  out << "mispredict not_taken cycles " << wrong_not_taken << evidence;
  out << "mispredict indirect cycles " << wrong_indirect << evidence;
  return out.str();
}

}  // namespace hardclock
