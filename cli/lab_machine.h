// The simulated machine of `hardclock lab`: a run of the guest as `hardclock run` makes it, one
// instruction at a time.
#pragma once

#include <memory>
#include <string>

#include "cli/run_options.h"
#include "sim/base/result.h"
#include "sim/lab/machine.h"

namespace hardclock {

// Of parse_lab_options(). The program stands before its first instruction. Its input is empty; what
// it writes to standard output and error is in the frames. The error is one line for the user.
// `place`: what the machine waits for, as lab::Machine::waiting_for() says; null: nothing.
Result<std::unique_ptr<lab::Machine>, std::string> make_lab_machine(
    const RunOptions& options, const lab::Place* place = nullptr);

}  // namespace hardclock
