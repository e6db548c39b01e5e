// What a descriptor stands for: a file of the host, or an end of a pipe between guest processes.
// Pipes live here, not on the host, so that who reads what when is decided by the simulation.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "syscalls/host/error.h"
#include "syscalls/host/host_file.h"

namespace hardclock::posix {

// Bytes moved, or none: the caller has to wait.
using Transfer = host::HostResult<std::optional<std::size_t>>;

class OpenFile {
 public:
  virtual ~OpenFile() = default;
  virtual Transfer read(std::span<std::uint8_t> bytes) = 0;
  // May move fewer bytes than asked; the caller goes on with the rest.
  virtual Transfer write(std::span<const std::uint8_t> bytes) = 0;
  // Whether a read, or a write of so many bytes, would go on instead of waiting. Exact: a wait ends
  // only when its call can make progress.
  virtual bool readable() const { return true; }
  virtual bool writable(std::size_t) const { return true; }
  virtual host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) = 0;
  // /dev/zero: what IRIX maps to get anonymous memory.
  virtual bool is_zero_device() const { return false; }
};

// Told what is about to be written: the user's terminal may show something that must go first.
using BeforeWrite = std::function<void(std::span<const std::uint8_t>)>;

class HostOpenFile final : public OpenFile {
 public:
  HostOpenFile(host::HostFile file, bool is_zero_device, BeforeWrite before_write = nullptr)
      : file_(std::move(file)),
        is_zero_device_(is_zero_device),
        before_write_(std::move(before_write)) {}

  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t> bytes) override;
  host::HostResult<std::uint64_t> seek(std::int64_t offset, host::Whence whence) override {
    return file_.seek(offset, whence);
  }
  bool is_zero_device() const override { return is_zero_device_; }

 private:
  host::HostFile file_;
  bool is_zero_device_;
  BeforeWrite before_write_;
};

// The buffer between the two ends of a pipe.
struct Pipe {
  // SVR4's pipe holds at least PIPE_BUF bytes; IRIX's PIPE_BUF is 10240 (IRIX limits.h,
  // pathconf(2)).
  static constexpr std::size_t capacity = 10240;

  std::deque<std::uint8_t> bytes;
  bool has_reader = true;
  bool has_writer = true;
};

class PipeReader final : public OpenFile {
 public:
  explicit PipeReader(std::shared_ptr<Pipe> pipe) : pipe_(std::move(pipe)) {}
  ~PipeReader() override { pipe_->has_reader = false; }
  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t>) override {
    return Failure{host::Error::bad_descriptor};
  }
  bool readable() const override { return !pipe_->bytes.empty() || !pipe_->has_writer; }
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{host::Error::not_seekable};
  }

 private:
  std::shared_ptr<Pipe> pipe_;
};

class PipeWriter final : public OpenFile {
 public:
  explicit PipeWriter(std::shared_ptr<Pipe> pipe) : pipe_(std::move(pipe)) {}
  ~PipeWriter() override { pipe_->has_writer = false; }
  Transfer read(std::span<std::uint8_t>) override { return Failure{host::Error::bad_descriptor}; }
  Transfer write(std::span<const std::uint8_t> bytes) override;
  bool writable(std::size_t size) const override;
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{host::Error::not_seekable};
  }

 private:
  std::shared_ptr<Pipe> pipe_;
};

struct PipeEnds {
  std::shared_ptr<OpenFile> reader;
  std::shared_ptr<OpenFile> writer;
};
PipeEnds make_pipe();

}  // namespace hardclock::posix
