/* As sys/ipc.h. */
#pragma once
#include <sys/ipc.h>
struct semid_ds {
  struct ipc_perm sem_perm;
  void* sem_base;
  time_t sem_otime, sem_ctime;
  unsigned short sem_nsems;
  char pad[22];
};
struct sembuf {
  unsigned short sem_num;
  short sem_op, sem_flg;
};
enum { GETNCNT = 3, GETPID, GETVAL, GETALL, GETZCNT, SETVAL, SETALL };
int semget(key_t, int, int), semctl(int, int, int, ...), semop(int, struct sembuf*, unsigned);
