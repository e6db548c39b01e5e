// The file of signalfd(2): whoever reads it takes signals that are pending for himself. So it is
// ready for some threads and not for others, and the calls that ask files whether they are ready
// say for whom they ask.
#pragma once

#include <cstdint>

#include "sim/process/process.h"
#include "sim/process/signals.h"
#include "syscalls/linux/epoll.h"
#include "syscalls/posix/call.h"
#include "syscalls/posix/unix_system.h"

namespace hardclock::gnu_linux {

class SignalFile final : public AnonymousFile {
 public:
  // `signals`: none that cannot be blocked.
  SignalFile(host::FileRecords& records, const SignalSet& signals)
      : AnonymousFile(records, "anon_inode:[signalfd]"), signals_(signals) {}

  const SignalSet& signals() const { return signals_; }
  void take_only(const SignalSet& signals) { signals_ = signals; }
  void count_taken() { ++taken_; }

  // For the thread of answer_for_caller().
  bool readable() const override;
  bool writable(std::size_t) const override { return false; }
  std::uint64_t activity() const override;
  void archive(Archive& to) const override {
    AnonymousFile::archive(to);
    to.state(signals_, taken_);
  }

 private:
  SignalSet signals_;
  std::uint64_t taken_ = 0;  // by reads
};

// Makes a call that asks open files whether they are ready, and may wait for that: they answer for
// the thread that makes it.
posix::CallResult answer_for_caller(posix::Call& call, posix::Handler handler);

}  // namespace hardclock::gnu_linux
