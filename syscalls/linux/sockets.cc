#include "syscalls/linux/linux.h"
#include "syscalls/posix/sockets/socket_interface.h"

namespace hardclock::gnu_linux {
namespace {

using posix::OptionNumber;
using enum posix::SocketOption;

// include/linux/socket.h
constexpr posix::MessageFlags flags = {.out_of_band = 1,
                                       .peek = 2,
                                       .do_not_wait = 0x40,
                                       .wait_for_all = 0x100,
                                       .no_signal = 0x4000,
                                       .close_on_exec = 0x40000000,
                                       .control_cut = 8,
                                       .cut = 0x20,
                                       .end_of_record = 0x80};

// include/uapi/asm-generic/socket.h
constexpr OptionNumber generic_options[] = {{1, debug},
                                            {2, reuse_address},
                                            {3, type},
                                            {4, error},
                                            {5, dont_route},
                                            {6, broadcast},
                                            {7, send_buffer},
                                            {8, receive_buffer},
                                            {9, keep_alive},
                                            {10, oob_inline},
                                            {11, no_check},
                                            {12, priority},
                                            {13, linger},
                                            {15, reuse_port},
                                            {16, pass_credentials},
                                            {17, peer_credentials},
                                            {18, receive_low},
                                            {19, send_low},
                                            {20, receive_timeout},
                                            {21, send_timeout},
                                            {29, timestamp},
                                            {30, accepts},
                                            {32, send_buffer_force},
                                            {33, receive_buffer_force},
                                            {38, protocol},
                                            {39, domain}};

// arch/mips/include/uapi/asm/socket.h
constexpr OptionNumber mips_options[] = {{0x1, debug},
                                         {0x4, reuse_address},
                                         {0x8, keep_alive},
                                         {0x10, dont_route},
                                         {0x20, broadcast},
                                         {0x80, linger},
                                         {0x100, oob_inline},
                                         {0x200, reuse_port},
                                         {0x1001, send_buffer},
                                         {0x1002, receive_buffer},
                                         {0x1003, send_low},
                                         {0x1004, receive_low},
                                         {0x1005, send_timeout},
                                         {0x1006, receive_timeout},
                                         {0x1007, error},
                                         {0x1008, type},
                                         {0x1009, accepts},
                                         {0x1028, protocol},
                                         {0x1029, domain},
                                         {11, no_check},
                                         {12, priority},
                                         {17, pass_credentials},
                                         {18, peer_credentials},
                                         {29, timestamp},
                                         {31, send_buffer_force},
                                         {33, receive_buffer_force}};

// arch/parisc/include/uapi/asm/socket.h
constexpr OptionNumber pa_risc_options[] = {{0x1, debug},
                                            {0x4, reuse_address},
                                            {0x8, keep_alive},
                                            {0x10, dont_route},
                                            {0x20, broadcast},
                                            {0x80, linger},
                                            {0x100, oob_inline},
                                            {0x200, reuse_port},
                                            {0x1001, send_buffer},
                                            {0x1002, receive_buffer},
                                            {0x1003, send_low},
                                            {0x1004, receive_low},
                                            {0x1005, send_timeout},
                                            {0x1006, receive_timeout},
                                            {0x1007, error},
                                            {0x1008, type},
                                            {0x100a, send_buffer_force},
                                            {0x100b, receive_buffer_force},
                                            {0x1028, protocol},
                                            {0x1029, domain},
                                            {0x400b, no_check},
                                            {0x400c, priority},
                                            {0x4010, pass_credentials},
                                            {0x4011, peer_credentials},
                                            {0x4012, timestamp},
                                            {0x401c, accepts}};

}  // namespace

// include/linux/net.h
const posix::SocketInterface generic_sockets = {.stream = 1,
                                                .datagram = 2,
                                                .raw = 3,
                                                .packets = 5,
                                                .non_block = 0x800,
                                                .close_on_exec = 0x80000,
                                                .option_level = 1,
                                                .options = generic_options,
                                                .flags = flags,
                                                .is_linux = true};

// The kinds are IRIX's, "for binary compat reasons".
const posix::SocketInterface mips_sockets = {.stream = 2,
                                             .datagram = 1,
                                             .raw = 3,
                                             .packets = 5,
                                             .non_block = 0x80,
                                             .close_on_exec = 0x80000,
                                             .options = mips_options,
                                             .flags = flags,
                                             .is_linux = true};

// SOCK_NONBLOCK is not O_NONBLOCK, which "clashes with the bits used for socket types".
const posix::SocketInterface pa_risc_sockets = {.stream = 1,
                                                .datagram = 2,
                                                .raw = 3,
                                                .packets = 5,
                                                .non_block = 0x40000000,
                                                .close_on_exec = 0x200000,
                                                .options = pa_risc_options,
                                                .flags = flags,
                                                .is_linux = true};

}  // namespace hardclock::gnu_linux
