// The commands of hardclock, each in its own file. `args` are the words after the command's name
// and do not ask for help; the result is hardclock's exit status.
#pragma once

#include <string>
#include <vector>

namespace hardclock {

int run_command(const std::vector<std::string>& args);
int lab_command(const std::vector<std::string>& args);
int sweep_command(const std::vector<std::string>& args);
int conform_command(const std::vector<std::string>& args);
int report_command(const std::vector<std::string>& args);
int diff_command(const std::vector<std::string>& args);
int disasm_command(const std::vector<std::string>& args);
int doctor_command(const std::vector<std::string>& args);
int cpus_command(const std::vector<std::string>& args);
int syscalls_command(const std::vector<std::string>& args);
int systems_command(const std::vector<std::string>& args);
int completion_command(const std::vector<std::string>& args);
int help_command(const std::vector<std::string>& args);

}  // namespace hardclock
