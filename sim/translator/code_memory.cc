#include "sim/translator/code_memory.h"

#include <asmjit/core.h>
#include <sys/mman.h>

#include <cstdlib>

#include "sim/base/check.h"

namespace hardclock {
namespace {

constexpr std::size_t alignment = 16;
constexpr std::size_t counters_bytes = CodeMemory::counters * sizeof(std::uint64_t);

void* map_data(std::uint8_t* wanted) {
  return mmap(wanted, counters_bytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

// Whether a displacement of 32 bits leads from any of the code to any of the counters.
bool is_near(const void* code, const void* counters) {
  constexpr std::ptrdiff_t most = (std::ptrdiff_t{1} << 31) - 1;
  const auto apart =
      reinterpret_cast<std::intptr_t>(counters) - reinterpret_cast<std::intptr_t>(code);
  return std::abs(apart) <= most - static_cast<std::ptrdiff_t>(CodeMemory::size + counters_bytes);
}

// Null: the host has no room near the code.
std::uint64_t* map_counters(const asmjit::VirtMem::DualMapping& code) {
  auto* const executable = static_cast<std::uint8_t*>(code.rx);
  for (std::uint8_t* const wanted :
       {executable + CodeMemory::size, executable - counters_bytes,
        executable + 8 * CodeMemory::size, executable - 8 * CodeMemory::size}) {
    void* const at = map_data(wanted);
    if (at == MAP_FAILED) continue;
    if (is_near(executable, at)) return static_cast<std::uint64_t*>(at);
    munmap(at, counters_bytes);
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<CodeMemory> CodeMemory::of(CacheBudget& caches) {
  return caches.common<CodeMemory>([](const CodeMemory&) { return true; }, map);
}

std::unique_ptr<CodeMemory> CodeMemory::map() {
  asmjit::VirtMem::DualMapping mapping{};
  const auto flags = asmjit::VirtMem::MemoryFlags::kAccessRWX;
  if (asmjit::VirtMem::allocDualMapping(&mapping, size, flags) != asmjit::kErrorOk) return nullptr;
  std::uint64_t* const counters = map_counters(mapping);
  if (counters == nullptr) {
    asmjit::VirtMem::releaseDualMapping(&mapping, size);
    return nullptr;
  }
  return std::unique_ptr<CodeMemory>(new CodeMemory(
      static_cast<std::uint8_t*>(mapping.rw), static_cast<std::uint8_t*>(mapping.rx), counters));
}

CodeMemory::~CodeMemory() {
  asmjit::VirtMem::DualMapping mapping{const_cast<std::uint8_t*>(executable_), writable_};
  asmjit::VirtMem::releaseDualMapping(&mapping, size);
  munmap(counters_, counters_bytes);
}

std::uint64_t& CodeMemory::add_counter() {
  CHECK(counters_left() != 0);
  return counters_[counters_used_++] = 0;
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
  counters_used_ = 0;
  ++epoch_;
}

}  // namespace hardclock
