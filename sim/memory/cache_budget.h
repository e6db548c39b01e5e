// The host memory for what could be made again, such as predecoded code: bounded for a whole
// simulation. When it is full, the least recently used keeper forgets what it keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <vector>

namespace hardclock {

class CacheBudget {
 public:
  // An owner of such memory. It is not in use until it calls use().
  class Keeper {
   public:
    explicit Keeper(CacheBudget& budget) : budget_(budget) {}
    virtual ~Keeper() { budget_.remove(*this); }
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

   protected:
    // Marks this keeper as the most recently used.
    void use() { budget_.use(*this); }
    // Reports that it now keeps `bytes`. May call forget() of others, and then its own.
    void keep(std::uint64_t bytes) { budget_.keep(*this, bytes); }
    // Drops what nobody refers to and reports the rest by keep(). Whatever is in use at the moment
    // may stay until the next call.
    virtual void forget() = 0;

   private:
    friend class CacheBudget;
    CacheBudget& budget_;
    std::uint64_t bytes_ = 0;
    bool is_listed_ = false;
    std::list<Keeper*>::iterator place_;
  };

  // For a guest that may have `guest_bytes` of memory.
  explicit CacheBudget(std::uint64_t guest_bytes) : limit_(least + guest_bytes / 8) {}

  // What the keepers of a simulation have in common: the T for which is_meant(t), as long as
  // anybody has it, or what make() makes.
  template <class T, class IsMeant, class Make>
  std::shared_ptr<T> common(IsMeant is_meant, Make make) {
    std::erase_if(common_, [](const Common& known) { return known.object.expired(); });
    for (const Common& known : common_) {
      if (known.type != typeid(T)) continue;
      auto object = std::static_pointer_cast<T>(known.object.lock());
      if (is_meant(*object)) return object;
    }
    std::shared_ptr<T> made = make();
    common_.push_back({typeid(T), made});
    return made;
  }

  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t limit() const { return limit_; }

 private:
  static constexpr std::uint64_t least = std::uint64_t{64} << 20;

  struct Common {
    std::type_index type;
    std::weak_ptr<void> object;
  };

  void use(Keeper& keeper);
  void keep(Keeper& keeper, std::uint64_t bytes);
  void remove(Keeper& keeper);
  void make_room();

  std::uint64_t limit_;
  std::uint64_t bytes_ = 0;
  bool makes_room_ = false;
  std::list<Keeper*> keepers_;  // the most recently used comes last
  std::vector<Common> common_;
};

}  // namespace hardclock
