// The files that a profiled run leaves, read by code that shares nothing with hardclock: the JSON
// by nlohmann, mon.out by its definition in System V's <mon.h>, symbols by GNU nm.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/command_test.h"

namespace hardclock::cli_test {

using Counts = std::map<std::uint32_t, std::uint64_t>;  // by address

// struct hdr of System V's <mon.h>: lpc, hpc, nfns (0 here), then one 16-bit counter for each
// (hpc - lpc) / count bytes of text.
struct MonOut {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  std::vector<std::uint16_t> counters;

  // The nonzero counters by the first address of each.
  Counts by_address() const;
};
MonOut parse_mon_out(const std::string& bytes, bool little_endian);

// "samples" or "cycles" of a process of a hardclock JSON profile.
Counts counts_of(const nlohmann::json& process, const char* kind);
std::uint64_t sum(const Counts& counts);
// Of the addresses in [low, high).
std::uint64_t sum(const Counts& counts, std::uint32_t low, std::uint32_t high);

// The addresses of a program's functions and objects, from `mips-linux-gnu-nm`'s output.
std::map<std::string, std::uint32_t> parse_nm(const std::string& output);

}  // namespace hardclock::cli_test
