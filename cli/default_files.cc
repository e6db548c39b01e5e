#include "cli/default_files.h"

namespace hardclock {
namespace {

// The superuser, and the user as whom the guest runs (process_state.h). The password is empty.
constexpr std::string_view users =
    "root::0:0:root:/:/bin/sh\n"
    "user::1000:1000:user:/tmp:/bin/sh\n";
constexpr std::string_view groups =
    "root::0:root\n"
    "user::1000:user\n";

// Without a line for hosts, glibc asks a name server, too.
constexpr std::string_view switches =
    "passwd: files\n"
    "group: files\n"
    "hosts: files dns\n"
    "networks: files\n"
    "services: files\n"
    "protocols: files\n"
    "rpc: files\n"
    "ethers: files\n"
    "netgroup: files\n";

// IANA, "Assigned Internet Protocol Numbers".
constexpr std::string_view protocols =
    "ip\t0\tIP\n"
    "icmp\t1\tICMP\n"
    "igmp\t2\tIGMP\n"
    "ggp\t3\tGGP\n"
    "ipencap\t4\tIP-ENCAP\n"
    "tcp\t6\tTCP\n"
    "egp\t8\tEGP\n"
    "pup\t12\tPUP\n"
    "udp\t17\tUDP\n"
    "hmp\t20\tHMP\n"
    "xns-idp\t22\tXNS-IDP\n"
    "rdp\t27\tRDP\n"
    "ipv6\t41\tIPv6\n"
    "ipv6-icmp\t58\tIPv6-ICMP\n";

// IANA, "Service Name and Transport Protocol Port Number Registry", and the services of 4.3BSD
// that have their ports from there or from Unix.
constexpr std::string_view services =
    "tcpmux\t1/tcp\n"
    "echo\t7/tcp\n"
    "echo\t7/udp\n"
    "discard\t9/tcp\tsink null\n"
    "discard\t9/udp\tsink null\n"
    "systat\t11/tcp\tusers\n"
    "daytime\t13/tcp\n"
    "daytime\t13/udp\n"
    "netstat\t15/tcp\n"
    "qotd\t17/tcp\tquote\n"
    "chargen\t19/tcp\tttytst source\n"
    "chargen\t19/udp\tttytst source\n"
    "ftp-data\t20/tcp\n"
    "ftp\t21/tcp\n"
    "ssh\t22/tcp\n"
    "telnet\t23/tcp\n"
    "smtp\t25/tcp\tmail\n"
    "time\t37/tcp\ttimserver\n"
    "time\t37/udp\ttimserver\n"
    "whois\t43/tcp\tnicname\n"
    "domain\t53/tcp\tnameserver\n"
    "domain\t53/udp\tnameserver\n"
    "bootps\t67/udp\n"
    "bootpc\t68/udp\n"
    "tftp\t69/udp\n"
    "gopher\t70/tcp\n"
    "finger\t79/tcp\n"
    "http\t80/tcp\twww\n"
    "kerberos\t88/tcp\n"
    "kerberos\t88/udp\n"
    "pop3\t110/tcp\n"
    "sunrpc\t111/tcp\tportmapper\n"
    "sunrpc\t111/udp\tportmapper\n"
    "auth\t113/tcp\tident\n"
    "nntp\t119/tcp\n"
    "ntp\t123/udp\n"
    "imap2\t143/tcp\timap\n"
    "snmp\t161/udp\n"
    "snmp-trap\t162/udp\n"
    "xdmcp\t177/udp\n"
    "irc\t194/tcp\n"
    "ldap\t389/tcp\n"
    "https\t443/tcp\n"
    "exec\t512/tcp\n"
    "biff\t512/udp\tcomsat\n"
    "login\t513/tcp\n"
    "who\t513/udp\twhod\n"
    "shell\t514/tcp\tcmd\n"
    "syslog\t514/udp\n"
    "printer\t515/tcp\tspooler\n"
    "talk\t517/udp\n"
    "ntalk\t518/udp\n"
    "route\t520/udp\trouter routed\n"
    "timed\t525/udp\ttimeserver\n"
    "courier\t530/tcp\trpc\n"
    "uucp\t540/tcp\tuucpd\n"
    "rsync\t873/tcp\n"
    "imaps\t993/tcp\n"
    "pop3s\t995/tcp\n"
    "socks\t1080/tcp\n"
    "nfs\t2049/tcp\n"
    "nfs\t2049/udp\n"
    "x11\t6000/tcp\n";

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
