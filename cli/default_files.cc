#include "cli/default_files.h"

namespace hardclock {
namespace {

// The superuser, and the user as whom the guest runs (process_state.h). The password is empty.
constexpr std::string_view users =
#include "cli/etc/passwd.inc"
    ;
constexpr std::string_view groups =
#include "cli/etc/group.inc"
    ;

// Without a line for hosts, glibc asks a name server, too.
constexpr std::string_view switches =
#include "cli/etc/nsswitch.conf.inc"
    ;

// IANA, "Assigned Internet Protocol Numbers".
constexpr std::string_view protocols =
#include "cli/etc/protocols.inc"
    ;

// IANA, "Service Name and Transport Protocol Port Number Registry", and the services of 4.3BSD
// that have their ports from there or from Unix.
constexpr std::string_view services =
#include "cli/etc/services.inc"
    ;

}  // namespace

DefaultFiles::DefaultFiles(const std::string& host_name)
    : hosts_("127.0.0.1\tlocalhost " + host_name + "\n"),
      files_{{.path = "etc/passwd", .text = users},
             {.path = "etc/group", .text = groups},
             {.path = "etc/hosts", .text = hosts_},
             {.path = "etc/nsswitch.conf", .text = switches},
             {.path = "etc/protocols", .text = protocols},
             {.path = "etc/services", .text = services}} {}

}  // namespace hardclock
