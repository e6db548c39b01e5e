// Pipes between guest processes. They live here, not on the host, so that the simulation decides
// who reads what and when.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>

#include "sim/memory/page.h"
#include "syscalls/posix/files/open_file.h"

namespace hardclock::posix {

// How much a system's pipes hold.
struct PipeSizes {
  std::size_t capacity = 10240;  // bytes that wait for a reader
  // PIPE_BUF: a write of so many bytes or fewer is not interleaved with others.
  std::size_t atomic = 10240;
  // Linux keeps a pipe's bytes in pages, and a write begins a new page unless its end fits into the
  // last one: small writes can fill a pipe with fewer bytes than its capacity (pipe(7); Linux 6.1,
  // fs/pipe.c, pipe_write()). 0: bytes alone count.
  std::size_t page = 0;
  static constexpr std::size_t state_members = 3;
};

// The buffer between the ends of a pipe. A FIFO has any number of ends.
class Pipe {
 public:
  Pipe(std::shared_ptr<host::FileRecords> of, const PipeSizes& holds)
      : records(std::move(of)), inode(records->unnamed()), sizes_(holds) {
    times = {records->now(), records->now(), records->now()};
  }
  Pipe() = default;

  // The status of both ends.
  host::HostResult<host::FileStatus> status() const;

  const std::deque<std::uint8_t>& bytes() const { return bytes_; }
  // How many of so many bytes a write puts into it now.
  std::size_t room_for(std::size_t bytes) const;
  // The largest write that goes in whole, whatever the last page holds; 0: poll(2) says that it is
  // not writable.
  std::size_t room() const;
  // As many as room_for() tells, at most.
  void add(std::span<const std::uint8_t> bytes);
  void drop_first(std::size_t count);
  void clear();

  std::size_t capacity() const { return sizes_.capacity; }
  // False: it holds more than that now, or the budget has no memory for it.
  bool resize(std::size_t capacity);
  // False: the budget has no memory for its capacity. A null budget has no limit.
  bool charge_to(std::shared_ptr<MemoryBudget> budget);

  void archive(Archive& to);

  std::shared_ptr<host::FileRecords> records;
  std::uint64_t inode = 0;
  host::FileTimes times;
  std::uint64_t readers = 0;         // ends that are open now
  std::uint64_t writers = 0;         //
  std::uint64_t readers_so_far = 0;  // ends that were ever open
  std::uint64_t writers_so_far = 0;  //
  std::uint64_t fills = 0;           // how often there was news for readers
  std::uint64_t drains = 0;          // how often there was news for writers

 private:
  // What a page holds: bytes behind those that were read from it.
  struct PageUse {
    std::size_t start = 0, bytes = 0;
    static constexpr std::size_t state_members = 2;
  };

  std::size_t free_pages() const { return sizes_.capacity / sizes_.page - pages_.size(); }
  // How many of a write's bytes go into the last page: those that fill no page.
  std::size_t room_in_last_page(std::size_t bytes) const;

  PipeSizes sizes_;
  std::unique_ptr<MemoryCharge> charge_;
  std::deque<std::uint8_t> bytes_;
  std::deque<PageUse> pages_;
};

// An end of a pipe or FIFO: for reading, for writing, or, of a FIFO, for both.
class PipeEnd final : public OpenFile {
 public:
  PipeEnd(std::shared_ptr<Pipe> pipe, host::OpenRights rights);
  PipeEnd() = default;
  ~PipeEnd() override;
  Transfer read(std::span<std::uint8_t> bytes) override;
  Transfer write(std::span<const std::uint8_t> bytes) override;
  bool readable(const Thread* /*asker*/) const override {
    return !pipe_->bytes().empty() || has_lost_writers();
  }
  bool writable(std::size_t size) const override {
    return pipe_->readers == 0 || pipe_->room_for(size) != 0;
  }
  bool takes_more() const override { return pipe_->readers == 0 || pipe_->room() != 0; }
  bool is_hung_up() const override {
    return rights_.read ? has_lost_writers() : pipe_->readers == 0;
  }
  std::uint64_t activity(const Thread* /*asker*/) const override {
    return (rights_.read ? pipe_->fills : 0) + (rights_.write ? pipe_->drains : 0);
  }
  host::HostResult<std::uint64_t> available() override { return pipe_->bytes().size(); }
  host::HostResult<std::uint64_t> seek(std::int64_t, host::Whence) override {
    return Failure{host::Error::not_seekable};
  }
  host::OpenRights rights() const override { return rights_; }
  host::HostResult<host::FileStatus> status() const override;
  const std::shared_ptr<Pipe>& pipe() const { return pipe_; }
  void archive(Archive& to) override;
  Blank<KernelObject> blank() const override { return blank_of<PipeEnd>(); }
  // Of a FIFO, whose file was found so when it was opened.
  void keep_status(const host::FileStatus& status) { named_ = status; }
  // Of a FIFO: whether somebody has opened the other end, or has it open.
  bool has_met_other() const {
    if (rights_.read && rights_.write) return true;
    return rights_.read ? pipe_->writers != 0 || pipe_->writers_so_far != others_before_
                        : pipe_->readers != 0 || pipe_->readers_so_far != others_before_;
  }

 private:
  // A FIFO that nobody has opened for writing yet is not hung up, though a read finds its end
  // (Linux, fs/pipe.c, fifo_open() and pipe_poll()).
  bool has_lost_writers() const {
    return pipe_->writers == 0 && pipe_->writers_so_far != writers_before_;
  }

  std::shared_ptr<Pipe> pipe_;
  host::OpenRights rights_;
  std::uint64_t writers_before_ = 0;  // that this end's own readers do not know
  std::uint64_t others_before_ = 0;   // ends of the other kind, when this one was opened
  std::optional<host::FileStatus> named_;
};

// A pipe without ends; nullptr if the budget has no memory for it. A null budget has no limit.
std::shared_ptr<Pipe> make_pipe_buffer(std::shared_ptr<host::FileRecords> records,
                                       std::shared_ptr<MemoryBudget> budget,
                                       const PipeSizes& sizes);

struct PipeEnds {
  std::shared_ptr<OpenFile> reader;
  std::shared_ptr<OpenFile> writer;
};
// `records` provides what both ends report. Both ends are nullptr if the budget has no memory for
// them; a null budget has no limit.
PipeEnds make_pipe(
    const PipeSizes& sizes = {},
    std::shared_ptr<host::FileRecords> records = std::make_shared<host::FileRecords>(),
    std::shared_ptr<MemoryBudget> budget = nullptr);

}  // namespace hardclock::posix
