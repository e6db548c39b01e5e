#include "sim/memory/write_log.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/memory/address_space.h"

namespace hardclock {
namespace {

GuestAddr start_of(std::uint64_t page_number) {
  return GuestAddr(page_number << page_shift);
}

PageContent content_of(AddressSpace& memory, std::uint64_t page_number) {
  PageContent content;
  CHECK(memory.examine(start_of(page_number), content).ok());
  return content;
}

}  // namespace

// To unmap something, be it nothing, makes everybody forget translations, by which pages could be
// written unseen.
WriteLog::WriteLog(AddressSpace& memory) : memory_(memory) {
  const auto nothing = memory.find_free(GuestAddr(0), memory.user_end(), page_size);
  CHECK(nothing && memory.unmap(*nothing, page_size).ok());
  memory.set_write_log(this);
}

WriteLog::~WriteLog() {
  memory_.set_write_log(nullptr);
}

std::shared_ptr<WriteLog> WriteLog::of(AddressSpace& memory) {
  if (memory.write_log() != nullptr) return memory.write_log()->self_.lock();
  const std::shared_ptr<WriteLog> log(new WriteLog(memory));
  log->self_ = log;
  return log;
}

// Nobody remembers a translation for writing of a page that is watched.
void WriteLog::begin() {
  for (const std::uint64_t number : numbers_) memory_.watch_code(number);
  before_.clear();
  numbers_.clear();
  keeps_contents_ = true;
}

void WriteLog::end() {
  for (auto& [number, content] : before_) content.reset();
  keeps_contents_ = false;
}

PageContents WriteLog::written() const {
  PageContents written;
  for (const std::uint64_t number : numbers_) written[number] = content_of(memory_, number);
  return written;
}

// Two pages may have one frame: the one that was written first comes last.
void WriteLog::undo() {
  for (auto number = numbers_.rbegin(); number != numbers_.rend(); ++number) {
    CHECK(memory_.initialize(start_of(*number), *before_.at(*number)).ok());
  }
  begin();
}

std::optional<WriteLog::Difference> WriteLog::difference_from(const PageContents& there) const {
  PageContents expected = there;
  // What only one of the two has written is in the other as it was before.
  for (const std::uint64_t number : numbers_) expected.try_emplace(number, *before_.at(number));
  for (const auto& [number, content] : expected) {
    const PageContent found = content_of(memory_, number);
    const auto [one, other] = std::ranges::mismatch(content, found);
    if (one == content.end()) continue;
    const auto offset = static_cast<std::uint64_t>(one - content.begin());
    return Difference{start_of(number) + offset, *one, *other};
  }
  return std::nullopt;
}

}  // namespace hardclock
