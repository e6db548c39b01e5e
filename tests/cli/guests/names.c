/* What the network's names mean, by the C library. */
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void look_up(const char *name) {
  const struct hostent *host = gethostbyname(name);
  struct addrinfo *found = NULL, wanted;
  int error;
  if (host == NULL) {
    printf("%s: nobody\n", name);
  } else {
    printf("%s: %s is %s\n", name, host->h_name, inet_ntoa(*(struct in_addr *)host->h_addr));
  }
  memset(&wanted, 0, sizeof wanted);
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_ADDRCONFIG;
  error = getaddrinfo(name, "http", &wanted, &found);
  if (error != 0) {
    printf("%s\n", gai_strerror(error));
    return;
  }
  for (const struct addrinfo *each = found; each != NULL; each = each->ai_next) {
    const struct sockaddr_in *address = (const struct sockaddr_in *)each->ai_addr;
    printf("%d %s port %d\n", each->ai_family == AF_INET, inet_ntoa(address->sin_addr),
           ntohs(address->sin_port));
  }
  freeaddrinfo(found);
}

int main(void) {
  char own[65], name[256];
  struct sockaddr_in here;
  const struct servent *service;
  const struct protoent *protocol;
  gethostname(own, sizeof own);
  look_up("localhost");
  look_up(own);
  look_up("elsewhere");
  memset(&here, 0, sizeof here);
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  here.sin_port = htons(25);
  if (getnameinfo((struct sockaddr *)&here, sizeof here, name, sizeof name, own, sizeof own, 0) == 0)
    printf("%s %s\n", name, own);
  service = getservbyname("mail", "tcp");
  if (service != NULL) printf("%s is port %d\n", service->s_name, ntohs(service->s_port));
  service = getservbyport(htons(520), "udp");
  if (service != NULL) printf("port 520 is %s\n", service->s_name);
  protocol = getprotobyname("udp");
  if (protocol != NULL) printf("%s is %d\n", protocol->p_name, protocol->p_proto);
  return 0;
}
