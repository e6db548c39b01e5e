/* HP-UX Reference, glossary(9); layout and numbers of 32-bit programs are those of NetBSD,
 * sys/compat/hpux/hpux_ipc.h. Of this header, sys/msg.h, sys/sem.h and sys/shm.h the layouts of 64-bit
 * programs are a guess: the same members with their wider types. */
#pragma once
#include <sys/types.h>
typedef int key_t;
struct ipc_perm {
  uid_t uid;
  gid_t gid;
  uid_t cuid;
  gid_t cgid;
  mode_t mode;
  unsigned short seq;
  key_t key;
  char pad[20];
};
enum { IPC_CREAT = 01000, IPC_EXCL = 02000, IPC_NOWAIT = 04000, IPC_PRIVATE = 0 };
enum { IPC_RMID = 0, IPC_SET = 1, IPC_STAT = 2 };
