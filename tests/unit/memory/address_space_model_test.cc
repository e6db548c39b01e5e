// Random operations on a tree of forked address spaces, against a model that keeps every byte in a
// std::map: mapping, protection, stores, fork, shared mappings, the memory limit.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/memory/address_space.h"

namespace hardclock {
namespace {

constexpr std::uint64_t first_page = 0x400;
constexpr std::uint64_t page_span = 6;
constexpr std::size_t most_spaces = 4;

struct Operation {
  enum class Kind : std::uint8_t {
    map,
    map_shared,
    unmap,
    protect,
    fork,
    end,
    read,
    write,
    read_bytes,
    write_bytes,
    check_all,
  };
  Kind kind;
  std::uint8_t space;
  std::uint64_t start;  // bytes from the first page
  std::uint64_t size;
  std::uint8_t permissions;
  std::uint32_t value;
};

std::ostream& operator<<(std::ostream& out, const Operation& op) {
  return out << "{kind " << static_cast<int>(op.kind) << " space " << int{op.space} << " start 0x"
             << std::hex << op.start << " size 0x" << op.size << std::dec << " permissions "
             << int{op.permissions} << " value " << op.value << "}";
}

rc::Gen<Operation> any_operation() {
  using Kind = Operation::Kind;
  // Accesses are most of the work, as in a program.
  const auto kind = rc::gen::weightedElement<Kind>({{4, Kind::map},
                                                    {2, Kind::map_shared},
                                                    {2, Kind::unmap},
                                                    {2, Kind::protect},
                                                    {2, Kind::fork},
                                                    {1, Kind::end},
                                                    {8, Kind::read},
                                                    {10, Kind::write},
                                                    {3, Kind::read_bytes},
                                                    {4, Kind::write_bytes},
                                                    {1, Kind::check_all}});
  // Few distinct places: near page ends, so that operations meet.
  const auto start =
      rc::gen::map(rc::gen::pair(rc::gen::inRange<std::uint64_t>(0, page_span),
                                 rc::gen::element<std::uint64_t>(0, 1, 4, 0x7fc, 0xffc, 0xfff)),
                   [](const auto& place) { return place.first * page_size + place.second; });
  return rc::gen::build<Operation>(
      rc::gen::set(&Operation::kind, kind),
      rc::gen::set(&Operation::space, rc::gen::inRange<std::uint8_t>(0, most_spaces)),
      rc::gen::set(&Operation::start, start),
      rc::gen::set(&Operation::size,
                   rc::gen::element<std::uint64_t>(1, 5, page_size, 0x1004, 2 * page_size)),
      rc::gen::set(&Operation::permissions, rc::gen::element<std::uint8_t>(0, 1, 2, 3, 3, 3)),
      rc::gen::set(&Operation::value));
}

Permissions permissions_of(std::uint8_t bits) {
  return Permissions{.read = (bits & 1) != 0, .write = (bits & 2) != 0};
}

using Bytes = std::map<std::uint64_t, std::uint8_t>;  // absent: 0

struct ModelPage {
  Permissions permissions;
  std::shared_ptr<Bytes> bytes;  // by offset in the page
  bool shared = false;
  bool touched = false;  // what may only be written can be read from then on
};

// One process: the real memory and what it should be.
struct Space {
  std::unique_ptr<AddressSpace> memory;
  std::map<std::uint64_t, ModelPage> pages;  // by page number

  std::unique_ptr<Space> fork() {
    auto child = std::make_unique<Space>();
    child->memory = memory->fork();
    child->pages = pages;
    for (auto& [number, page] : child->pages) {
      if (!page.shared) page.bytes = std::make_shared<Bytes>(*page.bytes);
    }
    return child;
  }

  const ModelPage* page_of(std::uint64_t address) const {
    const auto page = pages.find(address >> page_shift);
    return page == pages.end() ? nullptr : &page->second;
  }
  std::uint8_t byte(std::uint64_t address) const {
    const Bytes& bytes = *page_of(address)->bytes;
    const auto found = bytes.find(address & page_mask);
    return found == bytes.end() ? 0 : found->second;
  }
  void touch(std::uint64_t address) { pages.at(address >> page_shift).touched = true; }
  void set_byte(std::uint64_t address, std::uint8_t value) {
    touch(address);
    (*pages.at(address >> page_shift).bytes)[address & page_mask] = value;
  }
};

class Machine {
 public:
  Machine(std::uint64_t budget_pages, Endian endian)
      : budget_(std::make_shared<MemoryBudget>(budget_pages * page_size)), endian_(endian) {
    spaces_.push_back(std::make_unique<Space>());
    spaces_[0]->memory = std::make_unique<AddressSpace>(budget_, endian, GuestAddr(0x8000'0000));
  }

  // Ends every process; their pages must come back.
  void finish() {
    for (const auto& space : spaces_) check_all(*space);
    spaces_.clear();
    RC_ASSERT(budget_->free_bytes() == budget_->limit_bytes());
  }

  void apply(const Operation& op) {
    operate(op);
    for (const auto& space : spaces_) check_translations(*space);
  }

 private:
  void operate(const Operation& op) {
    Space& space = *spaces_[op.space % spaces_.size()];
    const std::uint64_t address = first_page * page_size + op.start;
    switch (op.kind) {
      case Operation::Kind::map:
        return map(space, op, false);
      case Operation::Kind::map_shared:
        return map(space, op, true);
      case Operation::Kind::unmap:
        return unmap(space, address & ~page_mask, op.size);
      case Operation::Kind::protect:
        return protect(space, address & ~page_mask, op);
      case Operation::Kind::fork:
        if (spaces_.size() < most_spaces) spaces_.push_back(space.fork());
        return;
      case Operation::Kind::end:
        if (spaces_.size() > 1) spaces_.erase(spaces_.begin() + op.space % spaces_.size());
        return;
      case Operation::Kind::read:
        return read_word(space, address & ~std::uint64_t{3});
      case Operation::Kind::write:
        return write_word(space, address & ~std::uint64_t{3}, op.value);
      case Operation::Kind::read_bytes:
        return read_bytes(space, address, op.size);
      case Operation::Kind::write_bytes:
        return write_bytes(space, address, op);
      case Operation::Kind::check_all:
        return check_all(space);
    }
  }

  // What translated code may access without asking is what the model allows, with its contents.
  void check_translations(Space& space) {
    const FlatTable* const table = space.memory->flat_translations();
    RC_ASSERT(table != nullptr);
    for (std::uint64_t number = first_page - 1; number <= first_page + page_span + 2; ++number) {
      check_translation(space, number, Access::read, table->words()[number]);
      check_translation(space, number, Access::write, table->words()[FlatTable::pages + number]);
    }
  }
  void check_translation(const Space& space, std::uint64_t number, Access access,
                         std::uint64_t word) {
    if (word == 0) return;
    const std::uint64_t start = number << page_shift;
    RC_ASSERT(allows(space, start, access));
    const auto* const host = reinterpret_cast<const std::uint8_t*>(start - word);
    for (const std::uint64_t offset : {0x0, 0x4, 0x7fc, 0x800, 0xffc, 0xfff}) {
      RC_ASSERT(host[offset] == space.byte(start + offset));
    }
  }

  // The pages [start, start + size) touches; both page-aligned or rounded.
  static std::vector<std::uint64_t> page_numbers(std::uint64_t start, std::uint64_t size) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t at = start; at < start + size; at += page_size) {
      numbers.push_back(at >> page_shift);
    }
    return numbers;
  }

  void map(Space& space, const Operation& op, bool shared) {
    const std::uint64_t start = first_page * page_size + (op.start & ~page_mask);
    const auto numbers = page_numbers(start, op.size);
    const bool overlap = std::any_of(numbers.begin(), numbers.end(), [&](std::uint64_t number) {
      return space.pages.contains(number);
    });
    const Permissions permissions = permissions_of(op.permissions);
    const auto mapped = space.memory->map(GuestAddr(start), op.size, permissions, "x", shared);
    if (overlap) {
      RC_ASSERT(!mapped.ok());
      RC_ASSERT(mapped.error() == MapError::overlap);
      return;
    }
    if (numbers.size() * page_size > budget_->free_bytes()) {
      RC_ASSERT(!mapped.ok());
      RC_ASSERT(mapped.error() == MapError::memory);
      return;
    }
    RC_ASSERT(mapped.ok());
    for (const std::uint64_t number : numbers) {
      space.pages[number] = ModelPage{permissions, std::make_shared<Bytes>(), shared};
    }
  }

  void unmap(Space& space, std::uint64_t start, std::uint64_t size) {
    RC_ASSERT(space.memory->unmap(GuestAddr(start), size).ok());
    for (const std::uint64_t number : page_numbers(start, size)) space.pages.erase(number);
  }

  void protect(Space& space, std::uint64_t start, const Operation& op) {
    const auto numbers = page_numbers(start, op.size);
    const bool mapped = std::all_of(numbers.begin(), numbers.end(), [&](std::uint64_t number) {
      return space.pages.contains(number);
    });
    const Permissions permissions = permissions_of(op.permissions);
    RC_ASSERT(space.memory->protect(GuestAddr(start), op.size, permissions).ok() == mapped);
    if (!mapped) return;
    for (const std::uint64_t number : numbers) space.pages[number].permissions = permissions;
  }

  // Checks a fault against the model; a full memory excuses any access that is otherwise fine.
  void check_fault(const Space& space, const Fault& fault, Access access) {
    RC_ASSERT(fault.access == access);
    const ModelPage* const page = space.page_of(fault.address.value());
    if (page == nullptr) {
      RC_ASSERT(fault.kind == Fault::Kind::unmapped);
    } else if (!allows(*page, access)) {
      RC_ASSERT(fault.kind == Fault::Kind::protection);
    } else {
      RC_ASSERT(fault.kind == Fault::Kind::out_of_memory);
      RC_ASSERT(budget_->free_bytes() == 0u);
    }
  }

  static bool allows(const ModelPage& page, Access access) {
    if (access == Access::write) return page.permissions.write;
    return page.permissions.read || (page.permissions.write && page.touched);
  }
  static bool allows(const Space& space, std::uint64_t address, Access access) {
    const ModelPage* const page = space.page_of(address);
    return page != nullptr && allows(*page, access);
  }

  void read_word(Space& space, std::uint64_t address) {
    const auto word = space.memory->read<std::uint32_t>(GuestAddr(address));
    if (!word) return check_fault(space, word.error(), Access::read);
    RC_ASSERT(allows(space, address, Access::read));
    space.touch(address);
    std::uint32_t expected = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned shift = 8 * (endian_ == Endian::big ? 3 - i : i);
      expected |= std::uint32_t{space.byte(address + i)} << shift;
    }
    RC_ASSERT(*word == expected);
  }

  void write_word(Space& space, std::uint64_t address, std::uint32_t value) {
    const auto written = space.memory->write<std::uint32_t>(GuestAddr(address), value);
    if (!written) return check_fault(space, written.error(), Access::write);
    RC_ASSERT(allows(space, address, Access::write));
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned shift = 8 * (endian_ == Endian::big ? 3 - i : i);
      space.set_byte(address + i, static_cast<std::uint8_t>(value >> shift));
    }
  }

  void read_bytes(Space& space, std::uint64_t address, std::uint64_t size) {
    std::vector<std::uint8_t> bytes(size);
    const auto read = space.memory->read_bytes(GuestAddr(address), bytes);
    std::uint64_t done = size;
    if (!read) {
      check_fault(space, read.error(), Access::read);
      done = read.error().address.value() - address;
    }
    for (std::uint64_t i = 0; i < done; ++i) {
      RC_ASSERT(allows(space, address + i, Access::read));
      space.touch(address + i);
      RC_ASSERT(bytes[i] == space.byte(address + i));
    }
  }

  void write_bytes(Space& space, std::uint64_t address, const Operation& op) {
    std::vector<std::uint8_t> bytes(op.size);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::uint8_t>(op.value + i);
    }
    const auto written = space.memory->write_bytes(GuestAddr(address), bytes);
    std::uint64_t done = op.size;
    if (!written) {
      check_fault(space, written.error(), Access::write);
      done = written.error().address.value() - address;
    }
    for (std::uint64_t i = 0; i < done; ++i) {
      RC_ASSERT(allows(space, address + i, Access::write));
      space.set_byte(address + i, bytes[i]);
    }
  }

  void check_all(Space& space) {
    for (const auto& [number, page] : space.pages) {
      if (!page.permissions.read) continue;
      for (const std::uint64_t offset : {0x0, 0x4, 0x7fc, 0x800, 0xffc}) {
        read_word(space, (number << page_shift) + offset);
      }
    }
  }

  std::shared_ptr<MemoryBudget> budget_;
  Endian endian_;
  std::vector<std::unique_ptr<Space>> spaces_;
};

void agree(std::uint64_t budget_pages) {
  const Endian endian = *rc::gen::element(Endian::big, Endian::little);
  const auto operations =
      *rc::gen::scale(4.0, rc::gen::container<std::vector<Operation>>(any_operation()));
  Machine machine(budget_pages, endian);
  for (const Operation& operation : operations) machine.apply(operation);
  machine.finish();
}

RC_GTEST_PROP(AddressSpaceModel, AgreesWithAMapOfBytes, ()) {
  agree(1000);
}

RC_GTEST_PROP(AddressSpaceModel, AgreesWhenMemoryRunsOut, ()) {
  agree(5);
}

}  // namespace
}  // namespace hardclock
