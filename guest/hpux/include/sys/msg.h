/* As sys/ipc.h. */
#pragma once
#include <sys/ipc.h>
struct msqid_ds {
  struct ipc_perm msg_perm;
  void *msg_first, *msg_last;
  unsigned short msg_qnum, msg_qbytes;
  pid_t msg_lspid, msg_lrpid;
  time_t msg_stime, msg_rtime, msg_ctime;
  unsigned short msg_cbytes;
  char pad[22];
};
int msgget(key_t, int), msgctl(int, int, struct msqid_ds*), msgsnd(int, const void*, size_t, int);
ssize_t msgrcv(int, void*, size_t, long, int);
