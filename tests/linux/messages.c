// Many messages with one call: sendmmsg(2) and recvmmsg(2).
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { most = 8, room = 16 };

static char texts[most][room];
static struct iovec vectors[most];
static struct mmsghdr messages[most];

static void prepare(void) {
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < most; ++i) {
    vectors[i] = (struct iovec){texts[i], room};
    messages[i].msg_hdr.msg_iov = &vectors[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
}

static void prepare_texts(void) {
  prepare();
  for (int i = 0; i < most; ++i) vectors[i].iov_len = sprintf(texts[i], "message %d", i) - i % 2;
}

static void show(const char* what, int count) {
  printf("%s: ", what);
  if (count < 0) {
    printf("%s\n", strerror(errno));
    return;
  }
  printf("%d", count);
  for (int i = 0; i < count && i < most; ++i) {
    printf(", %u of '%.*s'%s", messages[i].msg_len, (int)messages[i].msg_len, texts[i],
           messages[i].msg_hdr.msg_flags & MSG_TRUNC ? " cut" : "");
  }
  printf("\n");
}

static void datagrams(int type) {
  int ends[2];
  printf("-- type %d\n", type == SOCK_SEQPACKET);
  socketpair(AF_UNIX, type, 0, ends);
  prepare_texts();
  show("send 5", sendmmsg(ends[0], messages, 5, 0));
  prepare();
  vectors[1].iov_len = 3;
  show("receive 3", recvmmsg(ends[1], messages, 3, 0, NULL));
  show("receive the rest", recvmmsg(ends[1], messages, most, MSG_DONTWAIT, NULL));
  show("receive nothing", recvmmsg(ends[1], messages, most, MSG_DONTWAIT, NULL));
  prepare_texts();
  show("send none", sendmmsg(ends[0], messages, 0, 0));
  show("send 2", sendmmsg(ends[0], messages, 2, 0));
  prepare();
  show("receive one at least", recvmmsg(ends[1], messages, most, MSG_WAITFORONE, NULL));
  prepare_texts();
  messages[2].msg_hdr.msg_iov = (struct iovec*)16;
  show("send 2 and a bad one", sendmmsg(ends[0], messages, 4, 0));
  show("send a bad one", sendmmsg(ends[0], messages + 2, 1, 0));
  close(ends[0]);
  close(ends[1]);
  show("to nobody", sendmmsg(ends[0], messages, 1, 0));
  show("to no socket", sendmmsg(0, messages, 1, 0));
}

// The receiver waits for each of its messages.
static void one_by_one(void) {
  int ends[2];
  printf("-- one by one\n");
  fflush(stdout);
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  if (fork() == 0) {
    for (int i = 0; i < 4; ++i) {
      struct timespec pause = {0, 30000000};
      nanosleep(&pause, NULL);
      char text[room];
      send(ends[0], text, sprintf(text, "late %d", i), 0);
    }
    _exit(0);
  }
  prepare();
  show("receive 4", recvmmsg(ends[1], messages, 4, 0, NULL));
  int end;
  wait(&end);
  printf("sender %#x\n", end);
  close(ends[0]);
  close(ends[1]);
}

// The sender waits for room, in the middle of its second message.
static void long_ones(void) {
  enum { length = 1000000 };
  static char bytes[3][length], got[3 * length];
  int ends[2];
  printf("-- long ones\n");
  fflush(stdout);
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  prepare();
  for (int i = 0; i < 3; ++i) {
    memset(bytes[i], 'a' + i, length);
    vectors[i] = (struct iovec){bytes[i], length};
  }
  if (fork() == 0) {
    close(ends[1]);
    int count = sendmmsg(ends[0], messages, 3, 0);
    printf("sent %d: %u, %u, %u\n", count, messages[0].msg_len, messages[1].msg_len,
           messages[2].msg_len);
    fflush(stdout);
    _exit(0);
  }
  close(ends[0]);
  size_t have = 0;
  ssize_t more;
  while ((more = read(ends[1], got + have, sizeof got - have)) > 0) have += more;
  wait(NULL);
  int is_same = 1;
  for (int i = 0; i < 3; ++i) is_same &= memcmp(got + i * length, bytes[i], length) == 0;
  printf("received %zu, the same %d\n", have, is_same);
  close(ends[1]);
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  datagrams(SOCK_DGRAM);
  datagrams(SOCK_SEQPACKET);
  one_by_one();
  long_ones();
  return 0;
}
