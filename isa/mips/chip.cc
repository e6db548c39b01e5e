#include "isa/mips/chip.h"

#include <limits>

#include "isa/mips/mips_decode.h"

namespace hardclock::mips {
namespace {

void read_revision(RowReader& row, Chip& chip) {
  row.require("value");
  const auto value = static_cast<std::uint32_t>(
      row.number("value", 0, 0, std::numeric_limits<std::uint32_t>::max()));
  if (row.name() == "processor") {
    chip.processor_revision = value;
  } else if (row.name() == "fpu") {
    chip.fpu_revision = value;
  } else {
    row.fail("revision needs processor or fpu, not '" + row.name() + "'");
  }
}

void read_multiply_add(RowReader& row, Chip& chip) {
  chip.fuses_multiply_add = row.name() == "fused";
  if (!chip.fuses_multiply_add && row.name() != "rounded") {
    row.fail("multiply_add needs fused or rounded, not '" + row.name() + "'");
  }
}

void read_interlock(RowReader& row, Chip& chip) {
  constexpr std::uint64_t longest = 100;
  if (row.name() != "sign_extension") {
    row.fail("there is no interlock '" + row.name() + "'; name sign_extension");
    return;
  }
  row.require("cycles");
  chip.sign_extension_cycles = static_cast<std::uint32_t>(row.number("cycles", 0, 1, longest));
}

bool is_instruction(std::string_view name) {
  for (std::size_t i = 0; i < opcode_count; ++i) {
    if (name == info(static_cast<Opcode>(i)).name) return true;
  }
  return false;
}

void read_added(RowReader& row, Chip& chip) {
  for (const std::string& name : words_of_list(row.name())) {
    if (!is_instruction(name)) {
      row.fail("mips.decode has no instruction '" + name + "'; name one of its patterns");
    }
    chip.added.push_back(name);
  }
}

}  // namespace

Result<Chip, std::string> read_chip(const CpuDescription& description) {
  Chip chip;
  for (const TimingRow& each : description.rows) {
    RowReader row(each);
    if (each.keyword == "revision") {
      read_revision(row, chip);
    } else if (each.keyword == "has") {
      read_added(row, chip);
    } else if (each.keyword == "multiply_add") {
      read_multiply_add(row, chip);
    } else if (each.keyword == "interlock") {
      read_interlock(row, chip);
    } else if (each.keyword == "undecoded") {
      chip.undecoded.push_back(read_undecoded(row));
    } else {
      continue;
    }
    if (std::string error = row.error(); !error.empty()) return Failure{std::move(error)};
  }
  return chip;
}

}  // namespace hardclock::mips
