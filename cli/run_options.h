// The options of `hardclock run`, checked and in units.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/usage_error.h"
#include "sim/base/result.h"
#include "sim/base/units.h"
#include "sim/engine/translation.h"
#include "sim/timing/cache_change.h"

namespace hardclock {

enum class TimingModel : std::uint8_t {
  cycle,       // the processor's pipeline, caches and TLB
  functional,  // one cycle an instruction
};

struct CpuChoice {
  std::string name;            // not empty; whether the processor exists is not checked
  std::optional<Hertz> clock;  // 1 Hz..10 GHz; nullopt: the processor's usual clock
};

// The destination of a log: standard error if `file` is empty.
struct LogTarget {
  std::string file;
};

// A stretch of instructions to show in the pipeline.
struct PipelineChoice {
  std::string where;         // a symbol or an address, 0x...; not checked
  std::uint64_t nth = 1;     // from this time on that control reaches it, 1 or more
  std::uint64_t count = 64;  // instructions, 1..100000
  LogTarget target;          // *.kanata and *.konata: for Konata
};

// The state of the simulation as numbers.
struct DigestChoice {
  LogTarget target;
  std::optional<Cycles> every;  // at least 1; nullopt: at each clock tick
};

struct Bind {
  std::string host;   // a host path, relative to the working directory or absolute
  std::string guest;  // absolute
  bool read_only = false;
};

// What the guest may do with the working directory.
enum class DirectoryAccess : std::uint8_t { read_write, read_only, none };

struct EnvironmentVariable {
  std::string name;  // not empty, without '='
  std::string value;
};

enum class SweepFormat : std::uint8_t { text, json, csv, svg };

// Of `hardclock sweep`: the clocks that watch the run.
struct SweepChoice {
  static constexpr std::size_t most_clocks = 1000;

  std::vector<Hertz> rates;  // 1..1000000, ascending, each once; empty: those of default_rates()
  std::uint32_t phases = 1;  // of each rate; of all rates together at most most_clocks
  SweepFormat format = SweepFormat::text;
  LogTarget output;
};

// Of `hardclock lab`.
struct LabChoice {
  // A profile for a program that does not profile itself.
  struct Profil {
    std::string where;                   // "text", a function or FROM-TO; not checked
    std::optional<std::uint64_t> scale;  // nullopt: a counter for each instruction
  };

  std::optional<Profil> profil;
  std::optional<std::string> keys;    // words, not checked
  std::optional<std::string> script;  // the file that has them instead
  std::size_t columns = 80;           // of the screens of keys and script, 40..400
  std::size_t rows = 24;              // 12..200
  bool is_page = false;               // for browsers
  std::uint64_t frames = 0;           // in it, 10..50000
  std::optional<std::string> output;  // of the page or the screens; nullopt: standard output
};

struct RunOptions {
  std::optional<std::string> os;           // nullopt: the file decides; the name is not checked
  std::optional<CpuChoice> cpu;            // nullopt: the file decides
  std::optional<std::string> machine;      // instead of cpu; the name is not checked
  std::vector<CacheChange> cache_changes;  // of the machine; each level once
  std::optional<std::uint32_t> placement;  // a seed; only with a machine
  bool any_isa = false;                    // instructions of later processors as well
  std::optional<Hertz> tick_rate;          // 1..10000; nullopt: the system's own
  TimingModel timing = TimingModel::cycle;
  Translation translation;
  std::optional<Cycles> syscall_cycles;              // of kernel time in each call, 0..10^9
  std::chrono::sys_seconds start_time;               // guest time of day, in 32 bits of time_t
  std::string host_name;                             // 1..64 characters
  int first_pid = 0;                                 // 2..30000
  std::vector<std::string> roots;                    // host directories, first match wins
  std::vector<Bind> binds;                           // in the order given
  std::optional<DirectoryAccess> working_directory;  // nullopt: read_write by default
  std::vector<EnvironmentVariable> variables;        // each name once, in the order first given
  bool terminal = true;                              // the guest may use hardclock's, if it has one
  bool internet = false;                             // guests may reach the host's network
  std::optional<LogTarget> stats;
  std::optional<LogTarget> explain;
  std::optional<LogTarget> strace;
  std::optional<LogTarget> trace;
  std::optional<PipelineChoice> pipeline;
  std::optional<DigestChoice> digest;
  std::optional<std::string> check;              // whether there is such a check is not checked
  bool calls = false;                            // exact ones in the profile
  bool reasons = false;                          // of cycles in the profile
  std::optional<std::string> profile;            // file name; its suffix is not checked
  std::optional<Instructions> max_instructions;  // at least 1
  std::optional<Cycles> max_cycles;              // at least 1
  // Of the host, above 0 and up to 10^9 seconds.
  std::optional<std::chrono::microseconds> max_host_time;
  std::uint64_t max_memory = 0;        // bytes, 64 KiB..1 TiB
  std::uint64_t max_disk = 0;          // bytes, 0..1 TiB
  std::optional<SweepChoice> sweep;    // nullopt: no clocks but the machine's
  std::optional<LabChoice> lab;        // nullopt: an ordinary run
  std::string program;                 // as the user wrote it, not empty
  std::vector<std::string> arguments;  // the guest's argv[1]...
  std::string option_before_program;   // "--stats", if it precedes the program without a value
};

// `args` are the words after `hardclock run`. No file is read.
Result<RunOptions, UsageError> parse_run_options(const std::vector<std::string>& args);
// `args` are the words after `hardclock sweep`.
Result<RunOptions, UsageError> parse_sweep_options(const std::vector<std::string>& args);
// `args` are the words after `hardclock lab`.
Result<RunOptions, UsageError> parse_lab_options(const std::vector<std::string>& args);

// More clocks than a sweep can have.
std::optional<std::string> error_in(const SweepChoice& sweep);

// What a sweep looks at when nobody says: the system's own rate with its neighbours, and those of
// other systems.
std::vector<Hertz> default_rates(Hertz own);

}  // namespace hardclock
