#include "sim/translator/code_memory.h"

#include <asmjit/core.h>

namespace hardclock {
namespace {

constexpr std::size_t alignment = 16;

}  // namespace

CodeMemory* CodeMemory::of_process() {
  static const std::unique_ptr<CodeMemory> memory = map();
  return memory.get();
}

std::unique_ptr<CodeMemory> CodeMemory::map() {
  asmjit::VirtMem::DualMapping mapping{};
  const auto flags = asmjit::VirtMem::MemoryFlags::kAccessRWX;
  if (asmjit::VirtMem::allocDualMapping(&mapping, size, flags) != asmjit::kErrorOk) return nullptr;
  return std::unique_ptr<CodeMemory>(new CodeMemory(static_cast<std::uint8_t*>(mapping.rw),
                                                    static_cast<std::uint8_t*>(mapping.rx)));
}

CodeMemory::~CodeMemory() {
  asmjit::VirtMem::DualMapping mapping{const_cast<std::uint8_t*>(executable_), writable_};
  asmjit::VirtMem::releaseDualMapping(&mapping, size);
}

std::span<std::uint8_t> CodeMemory::allocate(std::size_t bytes) {
  const std::size_t start = (used_ + alignment - 1) & ~(alignment - 1);
  if (start > end_ || bytes > end_ - start) return {};
  used_ = start + bytes;
  return place(start, bytes);
}

std::span<std::uint8_t> CodeMemory::allocate_rare(std::size_t bytes) {
  if (bytes > end_) return {};
  const std::size_t start = (end_ - bytes) & ~(alignment - 1);
  if (start < used_) return {};
  end_ = start;
  return place(start, bytes);
}

std::span<std::uint8_t> CodeMemory::place(std::size_t start, std::size_t bytes) {
  static_assert(size % host_chunk == 0);
  present_.visit_new(start, bytes, [this](std::uint64_t number) {
    populate(writable_ + number * host_chunk, host_chunk);
    populate_for_reading(executable_ + number * host_chunk, host_chunk);
  });
  return {writable_ + start, bytes};
}

void CodeMemory::clear() {
  used_ = 0;
  end_ = size;
  ++epoch_;
}

}  // namespace hardclock
