#include "syscalls/linux/netlink.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/state/archive.h"

namespace hardclock::gnu_linux {
namespace {

// include/uapi/linux/netlink.h
constexpr std::uint16_t nlmsg_error = 2, nlmsg_done = 3, first_type = 16;
constexpr std::uint16_t nlm_f_request = 1, nlm_f_multi = 2, nlm_f_ack = 4, nlm_f_capped = 0x100,
                        nlm_f_dump = 0x300;
// include/uapi/linux/rtnetlink.h
constexpr std::uint16_t rtm_newlink = 16, rtm_getlink = 18, rtm_newaddr = 20, rtm_getaddr = 22;
constexpr std::int32_t eperm = 1, enodev = 19;
constexpr std::size_t header_bytes = 16, alignment = 4;
constexpr std::uint8_t af_unspec = 0, af_inet = 2;
constexpr std::uint32_t loopback_index = 1;

std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) & ~(alignment - 1);
}

}  // namespace

// struct nlmsghdr
struct NetlinkSocket::Header {
  std::uint32_t length;
  std::uint16_t type, flags;
  std::uint32_t sequence, port;
};

// A message with a header, members and attributes.
class NetlinkSocket::Message {
 public:
  Message(Endian endian, std::uint16_t type, std::uint16_t flags, std::uint32_t sequence,
          std::uint32_t port)
      : endian_(endian) {
    word(0).half(type).half(flags).word(sequence).word(port);
  }
  Message& byte(std::uint8_t value) { return number(value); }
  Message& half(std::uint16_t value) { return number(value); }
  Message& word(std::uint32_t value) { return number(value); }
  Message& append(std::span<const std::uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  // struct rtattr {unsigned short rta_len, rta_type}, and what it has.
  Message& attribute(std::uint16_t type, std::span<const std::uint8_t> content) {
    half(static_cast<std::uint16_t>(4 + content.size())).half(type).append(content);
    bytes_.resize(aligned(bytes_.size()));
    return *this;
  }
  Message& attribute(std::uint16_t type, const std::string& text) {
    const auto* const first = reinterpret_cast<const std::uint8_t*>(text.c_str());
    return attribute(type, std::span(first, text.size() + 1));
  }
  Message& word_attribute(std::uint16_t type, std::uint32_t value, Endian endian) {
    std::array<std::uint8_t, 4> bytes{};
    store_bytes(bytes.data(), value, endian);
    return attribute(type, bytes);
  }
  Message& word_attribute(std::uint16_t type, std::uint32_t value) {
    return word_attribute(type, value, endian_);
  }
  std::vector<std::uint8_t> bytes() {
    store_bytes(bytes_.data(), static_cast<std::uint32_t>(bytes_.size()), endian_);
    return bytes_;
  }

 private:
  template <class Number>
  Message& number(Number value) {
    std::array<std::uint8_t, sizeof value> bytes{};
    store_bytes(bytes.data(), value, endian_);
    return append(bytes);
  }

  Endian endian_;
  std::vector<std::uint8_t> bytes_;
};

NetlinkSocket::NetlinkSocket(host::FileRecords& records, std::shared_ptr<MemoryBudget> budget,
                             std::vector<NetworkInterface> interfaces, Endian endian,
                             unsigned eopnotsupp)
    : charge_(std::move(budget)),
      interfaces_(std::move(interfaces)),
      endian_(endian),
      eopnotsupp_(eopnotsupp) {
  status_.inode = records.unnamed();
  status_.type = host::FileType::socket;
  status_.permissions = 0777;
  status_.times = {records.now(), records.now(), records.now()};
  status_.is_own_owner = status_.is_own_group = true;
}

void NetlinkSocket::add(std::vector<std::uint8_t> answer) {
  if (!charge_.add(answer.size())) {
    is_out_of_memory_ = true;
    return;
  }
  answers_.push_back(std::move(answer));
  ++arrivals_;
}

void NetlinkSocket::drop_first_answer() {
  charge_.drop(answers_.front().size());
  answers_.pop_front();
}

// struct nlmsgerr {int error; struct nlmsghdr msg}, and the rest of the request that failed.
void NetlinkSocket::tell_error(const Header& header, std::int32_t error,
                               std::span<const std::uint8_t> request) {
  const bool is_capped = error == 0;
  Message message(endian_, nlmsg_error, is_capped ? nlm_f_capped : 0, header.sequence, port);
  message.word(static_cast<std::uint32_t>(-error));
  add(message.append(is_capped ? request.first(header_bytes) : request).bytes());
}

void NetlinkSocket::finish_dump(const Header& header) {
  add(Message(endian_, nlmsg_done, nlm_f_multi, header.sequence, port).word(0).bytes());
}

// struct ifinfomsg, and IFLA_ attributes (include/uapi/linux/if_link.h). All interfaces, or the one
// of this index.
void NetlinkSocket::tell_interfaces(const Header& header, std::uint32_t wanted) {
  enum Attribute : std::uint16_t { address = 1, broadcast = 2, name = 3, mtu = 4, queue = 13 };
  constexpr std::uint16_t arphrd_ether = 1, arphrd_loopback = 772;
  constexpr std::uint32_t up_loopback_running = 0x10049, up_broadcast_running_multicast = 0x11043;
  std::vector<std::uint8_t> all;
  for (const NetworkInterface& one : interfaces_) {
    if (wanted != 0 && wanted != one.index) continue;
    const bool is_loopback = one.index == loopback_index;
    // The address of QEMU's first card.
    const std::array<std::uint8_t, 6> none{}, card{0x52, 0x54, 0, 0x12, 0x34, 0x56},
        everybody{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    Message message(endian_, rtm_newlink, wanted == 0 ? nlm_f_multi : 0, header.sequence, port);
    message.byte(af_unspec).byte(0).half(is_loopback ? arphrd_loopback : arphrd_ether);
    message.word(one.index);
    message.word(is_loopback ? up_loopback_running : up_broadcast_running_multicast).word(0);
    message.attribute(name, one.name).word_attribute(queue, 1000);
    message.word_attribute(mtu, is_loopback ? 65536 : 1500);
    message.attribute(address, is_loopback ? none : card);
    message.attribute(broadcast, is_loopback ? none : everybody);
    const std::vector<std::uint8_t> bytes = message.bytes();
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  add(std::move(all));
}

// struct ifaddrmsg, and IFA_ attributes (include/uapi/linux/if_addr.h).
void NetlinkSocket::tell_addresses(const Header& header, std::uint8_t family) {
  enum Attribute : std::uint16_t { address = 1, local, label, broadcast };
  constexpr std::uint16_t flags = 8;
  constexpr std::uint8_t permanent = 0x80, universe = 0, of_host = 254;
  std::vector<std::uint8_t> all;
  for (const NetworkInterface& one : interfaces_) {
    if (family != af_unspec && family != af_inet) break;
    Message message(endian_, rtm_newaddr, nlm_f_multi, header.sequence, port);
    message.byte(af_inet).byte(one.prefix_bits).byte(permanent);
    message.byte(one.index == loopback_index ? of_host : universe).word(one.index);
    message.word_attribute(address, one.address, Endian::big);
    message.word_attribute(local, one.address, Endian::big);
    if (one.broadcast != 0) message.word_attribute(broadcast, one.broadcast, Endian::big);
    message.attribute(label, one.name).word_attribute(flags, permanent);
    const std::vector<std::uint8_t> bytes = message.bytes();
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  if (!all.empty()) add(std::move(all));
}

// net/core/rtnetlink.c, rtnetlink_rcv_msg()
void NetlinkSocket::answer(const Header& header, std::span<const std::uint8_t> request) {
  constexpr std::size_t index_at = header_bytes + 4;
  const std::uint16_t kind = header.type & 3;  // new, delete, get, set
  constexpr std::uint16_t get = 2;
  if (request.size() <= header_bytes) return;
  if (kind != get) return tell_error(header, eperm, request);
  const bool is_dump = (header.flags & nlm_f_dump) == nlm_f_dump;
  if (header.type == rtm_getlink) {
    std::uint32_t wanted = 0;
    if (!is_dump && request.size() >= index_at + 4) {
      wanted = load_bytes<std::uint32_t>(&request[index_at], endian_);
    }
    const auto is_wanted = [&](const NetworkInterface& one) { return one.index == wanted; };
    if (!is_dump && std::ranges::none_of(interfaces_, is_wanted)) {
      return tell_error(header, enodev, request);
    }
    tell_interfaces(header, wanted);
  } else if (header.type == rtm_getaddr && is_dump) {
    tell_addresses(header, request[header_bytes]);
  } else {
    return tell_error(header, static_cast<std::int32_t>(eopnotsupp_), request);
  }
  if (is_dump) {
    finish_dump(header);
  } else if ((header.flags & nlm_f_ack) != 0) {
    tell_error(header, 0, request);
  }
}

// net/netlink/af_netlink.c, netlink_rcv_skb()
host::HostResult<Ok> NetlinkSocket::ask(std::span<const std::uint8_t> bytes) {
  is_out_of_memory_ = false;
  while (bytes.size() >= header_bytes) {
    const Header header{.length = load_bytes<std::uint32_t>(bytes.data(), endian_),
                        .type = load_bytes<std::uint16_t>(&bytes[4], endian_),
                        .flags = load_bytes<std::uint16_t>(&bytes[6], endian_),
                        .sequence = load_bytes<std::uint32_t>(&bytes[8], endian_),
                        .port = load_bytes<std::uint32_t>(&bytes[12], endian_)};
    if (header.length < header_bytes || header.length > bytes.size()) break;
    const auto request = bytes.first(header.length);
    const bool is_request = (header.flags & nlm_f_request) != 0 && header.type >= first_type;
    if (is_request) {
      answer(header, request);
    } else if ((header.flags & nlm_f_ack) != 0) {
      tell_error(header, 0, request);
    }
    bytes = bytes.subspan(std::min(aligned(header.length), bytes.size()));
  }
  if (is_out_of_memory_) return Failure{host::Error::no_memory};
  return Ok{};
}

posix::Transfer NetlinkSocket::read(std::span<std::uint8_t> bytes) {
  if (!has_answer()) return std::optional<std::size_t>();
  const std::size_t count = std::min(bytes.size(), first_answer().size());
  std::copy_n(first_answer().begin(), count, bytes.begin());
  drop_first_answer();
  return std::optional(count);
}

posix::Transfer NetlinkSocket::write(std::span<const std::uint8_t> bytes) {
  const auto asked = ask(bytes);
  if (!asked) return Failure{asked.error()};
  return std::optional(bytes.size());
}

void NetlinkSocket::archive(Archive& to) {
  OpenFile::archive(to);
  to.refuse("a netlink(7) socket");
  to.state(port, status_.inode, answers_, arrivals_, is_out_of_memory_);
  to.derived(charge_);
  to.wiring(interfaces_, endian_, eopnotsupp_);
}

}  // namespace hardclock::gnu_linux
