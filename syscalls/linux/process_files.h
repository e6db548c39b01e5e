// /proc: the system's files and each process's, as proc(5) describes them. They show the simulated
// machine, so they are the same in every run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/process/simulation.h"
#include "syscalls/host/synthetic_files.h"
#include "syscalls/posix/kernel.h"

namespace hardclock::gnu_linux {

// UnixSystem::synthetic_files
std::shared_ptr<const host::SyntheticFiles> process_files(const posix::Kernel& kernel);

// ---- Their parts. A thread's file of the process at this name ("stat"), and the system's at this
// path below /proc ("sys/kernel/hostname"). nullopt: there is none.
std::optional<host::SyntheticFile> process_file(const posix::Kernel& kernel, Process& process,
                                                Thread* thread, std::string_view name);
std::optional<host::SyntheticFile> system_file(const posix::Kernel& kernel, std::string_view path);
// In the order in which they are listed.
std::vector<std::string> process_file_names();
std::vector<std::string> system_file_names();

// What /proc/PID/maps says.
std::string memory_map(const Process& process);
// The bytes of all regions.
std::uint64_t mapped_bytes(const Process& process);

// prctl(PR_GET_NAME)'s answer; a name that was not set is the program's.
std::string thread_name(const Process& process, int thread);
// The program is called after the path of which exec was told: a script, not its interpreter.
void name_program(Process& process, const std::string& path);

}  // namespace hardclock::gnu_linux
