// The host memory that may be spent on what could be made again, such as predecoded code: bounded
// for a whole simulation. When it is full, who has not been in use for longest forgets what he
// keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>

namespace hardclock {

class CacheBudget {
 public:
  // Who keeps something. Not in use until use() is called.
  class Keeper {
   public:
    explicit Keeper(CacheBudget& budget) : budget_(budget) {}
    virtual ~Keeper() { budget_.remove(*this); }
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

   protected:
    // It is in use from now on, and was so last of all.
    void use() { budget_.use(*this); }
    // What it keeps takes so many bytes now. May call forget() of others, and then its own.
    void keep(std::uint64_t bytes) { budget_.keep(*this, bytes); }
    // Drops what nobody refers to and reports what is left by keep(). Whatever is in use at the
    // moment may stay until the keeper is asked the next time.
    virtual void forget() = 0;

   private:
    friend class CacheBudget;
    CacheBudget& budget_;
    std::uint64_t bytes_ = 0;
    bool is_listed_ = false;
    std::list<Keeper*>::iterator place_;
  };

  // For a guest that may have so many bytes of memory.
  explicit CacheBudget(std::uint64_t guest_bytes) : limit_(least + guest_bytes / 8) {}

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t limit() const { return limit_; }

 private:
  static constexpr std::uint64_t least = std::uint64_t{64} << 20;

  void use(Keeper& keeper);
  void keep(Keeper& keeper, std::uint64_t bytes);
  void remove(Keeper& keeper);
  void make_room();

  std::uint64_t limit_;
  std::uint64_t bytes_ = 0;
  bool makes_room_ = false;
  std::list<Keeper*> keepers_;  // who was in use last comes last
};

}  // namespace hardclock
