#include "syscalls/irix/data_areas.h"

#include <utility>

#include "sim/state/archive.h"
#include "syscalls/posix/thread_numbers.h"

namespace hardclock::irix {
namespace {

bool has_data_area(const AddressSpace& memory) {
  const Region* const region = memory.region_at(prda);
  return region != nullptr && region->name == "prda";
}

}  // namespace

void name_data_area(AddressSpace& memory, int number) {
  if (!has_data_area(memory)) return;
  const auto id = static_cast<std::uint32_t>(number);
  // Without room for the page the program's own access to it fails too.
  static_cast<void>(memory.write(prda + prda_pid, id));
  static_cast<void>(memory.write(prda + prda_rpid, id));
}

void DataAreas::remove(int number) {
  others_.erase(number);
  if (mapped_ == number) mapped_ = 0;
}

void DataAreas::remove_process(int pid) {
  const auto is_its = [pid](int number) { return number % posix::between_threads == pid; };
  std::erase_if(others_, [&](const auto& area) { return is_its(area.first); });
  if (is_its(mapped_)) mapped_ = 0;
}

void DataAreas::switch_to(AddressSpace& memory, int number) {
  const auto area = others_.find(number);
  if (area == others_.end() || !has_data_area(memory)) return;
  const bool is_new = area->second == nullptr;
  auto replaced = memory.exchange_frame(prda, std::move(area->second));
  others_.erase(area);
  const int before = std::exchange(mapped_, number);
  if (before != 0) others_[before] = std::move(replaced);
  if (is_new) name_data_area(memory, number);
}

void DataAreas::archive(Archive& to) {
  to.state(mapped_, others_);
}

}  // namespace hardclock::irix
