#include "sim/timing/memory_description.h"

#include <array>
#include <bit>
#include <utility>

namespace hardclock {
namespace {

constexpr std::uint64_t largest_cache = std::uint64_t{1} << 26;
constexpr std::uint64_t largest_refill = std::uint64_t{1} << 20;
constexpr std::uint64_t most_ways = 256;
constexpr std::uint64_t smallest_line = 4, largest_line = 4096;
constexpr std::uint64_t most_cycles = 100'000;
constexpr std::uint64_t most_nanoseconds = 100'000;
constexpr std::uint64_t most_tlb_entries = 4096, most_pages = 64;
constexpr std::uint64_t smallest_page = 1024, largest_page = std::uint64_t{1} << 30;
constexpr std::uint64_t deepest_buffer = 1024;

std::uint32_t number32(RowReader& row, std::string_view key, std::uint64_t otherwise,
                       std::uint64_t least, std::uint64_t most) {
  return static_cast<std::uint32_t>(row.number(key, otherwise, least, most));
}

// Empty: none.
std::string geometry_mistake(const CacheDescription& cache) {
  if (!std::has_single_bit(cache.line)) return "line needs a power of two";
  if (cache.size % (std::uint64_t{cache.line} * cache.ways) != 0 ||
      !std::has_single_bit(cache.sets())) {
    return "size needs to be ways times line times a power of two";
  }
  if (!std::has_single_bit(cache.refill) || cache.refill < cache.line ||
      cache.refill > cache.way_size()) {
    return "refill needs a power of two from one line to the size of a way";
  }
  return "";
}

CacheDescription read_cache(RowReader& row, bool& inclusive) {
  CacheDescription cache;
  for (const char* key : {"size", "ways", "line", "miss"}) row.require(key);
  cache.size = row.number("size", 0, smallest_line, largest_cache);
  cache.ways = number32(row, "ways", 1, 1, most_ways);
  cache.line = number32(row, "line", smallest_line, smallest_line, largest_line);
  cache.refill = number32(row, "refill", cache.line, smallest_line, largest_refill);
  cache.policy = static_cast<WritePolicy>(row.choice("policy", {"write-back", "write-through"}));
  cache.write_miss = static_cast<WriteMiss>(row.choice("allocate", {"yes", "no", "validate"}));
  cache.replacement =
      static_cast<Replacement>(row.choice("replacement", {"lru", "fifo", "random"}));
  cache.miss_cycles = number32(row, "miss", 0, 0, most_cycles);
  cache.victim_cycles = number32(row, "victim", 0, 0, most_cycles);
  if (row.name() == "l2") {
    inclusive = row.choice("inclusive", {"yes", "no"}) == 0;
  } else if (row.name() == "l3") {
    const bool is_plain =
        cache.policy == WritePolicy::write_back && cache.write_miss == WriteMiss::fetch;
    if (!is_plain) row.fail("l3 writes back and allocates");
  } else {
    cache.physical_index = row.choice("index", {"virtual", "physical"}) == 1;
  }
  if (const std::string mistake = geometry_mistake(cache); !mistake.empty()) {
    if (row.error().empty()) row.fail(mistake);
  }
  return cache;
}

TlbDescription read_tlb(RowReader& row) {
  TlbDescription tlb;
  for (const char* key : {"entries", "refill"}) row.require(key);
  tlb.entries = number32(row, "entries", 1, 1, most_tlb_entries);
  tlb.pages = number32(row, "pages", 1, 1, most_pages);
  tlb.page = row.number("page", tlb.page, smallest_page, largest_page);
  const bool is_lru = row.choice("replacement", {"random", "lru"}) == 1;
  tlb.replacement = is_lru ? Replacement::lru : Replacement::random;
  tlb.wired = number32(row, "wired", 0, 0, tlb.entries - 1);
  tlb.refill_cycles = number32(row, "refill", 0, 0, most_cycles);
  if (!std::has_single_bit(tlb.pages)) row.fail("pages needs a power of two");
  if (!std::has_single_bit(tlb.page)) row.fail("page needs a power of two");
  return tlb;
}

LoadTlbDescription read_load_tlb(RowReader& row) {
  LoadTlbDescription tlb;
  for (const char* key : {"entries", "refill"}) row.require(key);
  tlb.entries = number32(row, "entries", 1, 1, most_tlb_entries);
  tlb.refill_cycles = number32(row, "refill", 0, 0, most_cycles);
  return tlb;
}

void read_one_tlb(RowReader& row, MemoryDescription& memory) {
  if (row.name() == "main") {
    memory.tlb = read_tlb(row);
  } else if (row.name() == "l1d") {
    memory.load_tlb = read_load_tlb(row);
  } else {
    row.fail("a TLB is called main or l1d, not '" + row.name() + "'");
  }
}

WriteBufferDescription read_write_buffer(RowReader& row) {
  WriteBufferDescription buffer;
  for (const char* key : {"depth", "drain"}) row.require(key);
  if (row.name() != "l1d" && row.name() != "l1") {
    row.fail("the write buffer is behind l1d or l1, not '" + row.name() + "'");
  }
  buffer.depth = number32(row, "depth", 1, 1, deepest_buffer);
  buffer.drain_cycles = number32(row, "drain", 1, 1, most_cycles);
  buffer.misses_wait = row.choice("misses", {"pass", "wait"}) == 1;
  return buffer;
}

std::uint32_t read_nanoseconds(RowReader& row, const std::string& key, Hertz clock) {
  constexpr std::uint64_t per_second = 1'000'000'000;
  const std::uint64_t ns = row.number(key, 0, 0, most_nanoseconds);
  const std::uint64_t cycles = (ns * clock.value() + per_second / 2) / per_second;
  if (cycles > most_cycles) {
    row.fail(key + ": more than " + std::to_string(most_cycles) + " cycles at this clock");
  }
  return static_cast<std::uint32_t>(cycles);
}

void read_main_memory(RowReader& row, Hertz clock, MemoryDescription& memory) {
  if (row.name() != "main") row.fail("the one memory is called main, not '" + row.name() + "'");
  if (row.has("latency") == row.has("ns")) row.fail("memory main needs either latency or ns");
  if (row.has("open") != row.has("page")) row.fail("memory main needs both open and page, or none");
  if (row.has("banks")) row.require("page");
  memory.banks = row.number("banks", 1, 1, MemoryDescription::most_banks);
  memory.open_page = row.has("page") ? row.number("page", 0, smallest_page, largest_page) : 0;
  if (!std::has_single_bit(memory.open_page) && memory.open_page != 0)
    row.fail("page needs a power of two");
  if (row.has("ns")) {
    memory.memory_cycles = read_nanoseconds(row, "ns", clock);
    memory.memory_victim_cycles = read_nanoseconds(row, "victim", clock);
    memory.memory_line_cycles = read_nanoseconds(row, "line", clock);
    memory.memory_busy_cycles = read_nanoseconds(row, "busy", clock);
    memory.open_page_cycles = read_nanoseconds(row, "open", clock);
  } else {
    memory.memory_cycles = number32(row, "latency", 0, 0, most_cycles);
    memory.memory_victim_cycles = number32(row, "victim", 0, 0, most_cycles);
    memory.memory_line_cycles = number32(row, "line", 0, 0, most_cycles);
    memory.memory_busy_cycles = number32(row, "busy", 0, 0, most_cycles);
    memory.open_page_cycles = number32(row, "open", 0, 0, most_cycles);
  }
}

using NamedCache = std::pair<const char*, CacheDescription*>;

std::array<NamedCache, 5> caches_of(MemoryDescription& memory) {
  return {{{"l1", &memory.l1},
           {"l1i", &memory.l1i},
           {"l1d", &memory.l1d},
           {"l2", &memory.l2},
           {"l3", &memory.l3}}};
}

void read_row(RowReader& row, const std::string& keyword, Hertz clock, MemoryDescription& memory) {
  if (keyword == "cache") {
    for (const auto& [name, cache] : caches_of(memory)) {
      if (row.name() != name) continue;
      *cache = read_cache(row, memory.inclusive);
      return;
    }
    row.fail("a cache is called l1, l1i, l1d, l2 or l3, not '" + row.name() + "'");
  } else if (keyword == "tlb") {
    read_one_tlb(row, memory);
  } else if (keyword == "write_buffer") {
    memory.write_buffer = read_write_buffer(row);
  } else {
    read_main_memory(row, clock, memory);
  }
}

// "l1i, l1d, l2"
std::string levels_of(MemoryDescription& memory) {
  std::string levels;
  for (const auto& [name, cache] : caches_of(memory)) {
    if (cache->present()) levels += (levels.empty() ? "" : ", ") + std::string(name);
  }
  return levels;
}

std::string range_mistake(const CacheChange& change) {
  const auto mistake = [](const char* what, std::uint64_t least, std::uint64_t most) {
    return std::string(what) + " needs a number from " + std::to_string(least) + " to " +
           std::to_string(most);
  };
  if (change.size < smallest_line || change.size > largest_cache) {
    return mistake("size", smallest_line, largest_cache);
  }
  if (change.line < smallest_line || change.line > largest_line) {
    return mistake("line", smallest_line, largest_line);
  }
  return change.ways > most_ways ? mistake("ways", 1, most_ways) : "";
}

// Empty: done.
std::string change_cache(MemoryDescription& memory, const CacheChange& change) {
  for (const auto& [name, cache] : caches_of(memory)) {
    if (name != change.level) continue;
    if (!cache->present()) break;
    if (std::string mistake = range_mistake(change); !mistake.empty()) return mistake;
    if (cache->refill == cache->line) cache->refill = change.line;
    cache->size = change.size;
    cache->line = change.line;
    cache->ways = change.ways;
    std::string mistake = geometry_mistake(*cache);
    if (mistake.starts_with("refill")) {
      mistake += ", and a miss brings " + std::to_string(cache->refill) + " bytes here";
    }
    return mistake;
  }
  const std::string levels = levels_of(memory);
  return "the machine has " + (levels.empty() ? "no caches" : "only " + levels) +
         "; what a miss would cost is not known: describe it in a file for --machine";
}

// Whether the inclusive l2 has every line that a store brings into l1d.
bool stores_keep_inclusion(const MemoryDescription& memory) {
  const CacheDescription& l1 = memory.data_cache();
  if (!l1.present() || l1.write_miss != WriteMiss::validate) return true;
  return l1.policy == WritePolicy::write_through && memory.l2.write_miss != WriteMiss::around;
}

// Whether each line that a load finds in l1d is one that a load brought, or found, alone, and is
// as it is in the next level.
bool fits_load_tlb(const CacheDescription& l1d) {
  return l1d.present() && l1d.policy == WritePolicy::write_through && l1d.refill == l1d.line &&
         l1d.line >= LoadTlbDescription::shortest_line;
}

}  // namespace

Result<Ok, std::string> read_memory_rows(const std::vector<TimingRow>& rows, Hertz clock,
                                         MemoryDescription& memory) {
  for (const TimingRow& row : rows) {
    if (row.keyword != "cache" && row.keyword != "tlb" && row.keyword != "write_buffer" &&
        row.keyword != "memory") {
      continue;
    }
    RowReader reader(row);
    read_row(reader, row.keyword, clock, memory);
    if (const std::string error = reader.error(); !error.empty()) return Failure{error};
  }
  return Ok{};
}

std::string memory_mistake(const MemoryDescription& memory) {
  if (memory.l1.present() && (memory.l1i.present() || memory.l1d.present())) {
    return "cache l1 is for instructions and data: leave out l1i and l1d";
  }
  if (memory.write_buffer.present() && !memory.data_cache().present()) {
    return "write_buffer needs a cache l1d or l1 before it";
  }
  if (memory.load_tlb.present() && !memory.tlb.present())
    return "tlb l1d needs a tlb main behind it";
  if (memory.load_tlb.present() && !fits_load_tlb(memory.l1d)) {
    return "tlb l1d needs a cache l1d that writes through and refills one line, of " +
           std::to_string(LoadTlbDescription::shortest_line) + " bytes or more";
  }
  if (memory.l3.present() && !memory.l2.present()) return "cache l3 needs a cache l2 before it";
  if (!memory.l2.present()) return "";
  if (memory.l3.present() && memory.l2.refill > memory.l3.line) {
    return "a line of cache l3 needs to be as long as what l2 refills, " +
           std::to_string(memory.l2.refill) + " bytes";
  }
  if (memory.l3.refill != memory.l3.line) return "cache l3 refills one line";
  if (!memory.data_cache().present() && !memory.l1i.present()) {
    return "cache l2 needs a cache l1, l1i or l1d before it";
  }
  for (const CacheDescription* l1 : {&memory.l1, &memory.l1i, &memory.l1d}) {
    if (l1->present() && l1->refill > memory.l2.line) {
      return "a line of cache l2 needs to be as long as what l1 refills, " +
             std::to_string(l1->refill) + " bytes";
    }
  }
  if (memory.inclusive && !stores_keep_inclusion(memory)) {
    return "cache l2 cannot be inclusive: stores bring lines into l1 that it has not; "
           "say inclusive no, or allocate yes";
  }
  return "";
}

Result<MemoryDescription, std::string> describe_memory(const CpuDescription& cpu,
                                                       const std::vector<TimingRow>& machine_rows,
                                                       Hertz clock) {
  MemoryDescription memory;
  memory.misses_overlap = cpu.kind == PipelineKind::out_of_order;
  if (const auto read = read_memory_rows(cpu.rows, clock, memory); !read) {
    return Failure{read.error()};
  }
  if (const auto read = read_memory_rows(machine_rows, clock, memory); !read) {
    return Failure{"machine, " + read.error()};
  }
  if (std::string mistake = memory_mistake(memory); !mistake.empty()) {
    return Failure{std::move(mistake)};
  }
  return memory;
}

Result<Ok, std::string> change_caches(MemoryDescription& memory,
                                      const std::vector<CacheChange>& changes) {
  for (const CacheChange& change : changes) {
    if (const std::string mistake = change_cache(memory, change); !mistake.empty()) {
      return Failure{to_text(change) + ": " + mistake};
    }
  }
  if (changes.empty()) return Ok{};
  if (const std::string mistake = memory_mistake(memory); !mistake.empty()) {
    return Failure{to_text(changes.back()) + ": " + mistake};
  }
  return Ok{};
}

}  // namespace hardclock
