// What is known of a program before it runs: what it is, what it runs on, and what it lacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/run_options.h"

namespace hardclock {

struct Diagnosis {
  enum class Verdict : std::uint8_t { runs, lacks, no_program };

  // A file that the program needs besides its own.
  struct Need {
    std::string kind;       // "dynamic linker" or "library"
    std::string name;       // as the file that needs it writes it
    std::string found;      // where, as the guest sees it; empty: nowhere
    std::string needed_by;  // the file
  };
  // A call that hardclock lacks and that the program's code makes, as far as its instructions tell.
  struct Call {
    std::uint32_t number = 0;
    std::string name;        // empty: the system's table has none of this number
    std::string file;        // whose code it is in
    bool in_program = true;  // or in a library, which has more than the program uses
  };

  // A function or variable of the C library that hardclock has in place of the system's own.
  struct Import {
    std::string name;
    std::string state;  // "done", "partial" or "missing"
    std::string note;   // what a partial one lacks
  };

  // Instructions of a file's code that the processor lacks; they need not run.
  struct Foreign {
    std::string file;
    std::uint64_t count = 0;
    std::string place;  // of the first: "main+0x10"
    std::string first;  // "sync: the r4400 has it, --cpu=r4400"
  };

  // A file beside the program whose floats are passed in another way.
  struct OtherFloats {
    std::string file;
    std::string abi;
  };

  std::string program;  // as the user wrote it
  bool is_library = false;
  std::string format;     // "ELF o32, 32 bits, big-endian"; empty: unknown
  std::string built_for;  // "MIPS II"; empty: unknown
  std::string cpu;        // that hardclock would choose, or was told to; empty: none
  std::string about_cpu;
  std::string cpu_asked_by;  // the library because of which it is not the program's; empty: none
  std::string system;        // "IRIX"; empty: none
  std::vector<Need> needs;
  bool scanned_calls = false;  // whether its code shows which calls it makes
  std::vector<Call> missing_calls;
  std::vector<Foreign> foreign;
  std::string float_abi;  // as readelf -A spells it; empty: the file does not say
  std::vector<OtherFloats> other_floats;
  std::vector<Import> imports;  // what the program wants of such a library
  bool uses_own_shell = false;  // it may start /bin/sh, which is hardclock's: no root has one
  std::string trouble;          // why it does not run or is none, for people; empty: it may run
  Verdict verdict = Verdict::runs;
};

// Reads the files of a program as `hardclock run` with these options would, and starts nothing.
Diagnosis diagnose(const RunOptions& options);

}  // namespace hardclock
