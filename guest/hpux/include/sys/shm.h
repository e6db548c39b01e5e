/* As sys/ipc.h. */
#pragma once
#include <sys/ipc.h>
struct shmid_ds {
  struct ipc_perm shm_perm;
  size_t shm_segsz;
  void* shm_vas;
  pid_t shm_lpid, shm_cpid;
  unsigned short shm_nattch, shm_cnattch;
  time_t shm_atime, shm_dtime, shm_ctime;
  char pad[24];
};
int shmget(key_t, size_t, int), shmctl(int, int, struct shmid_ds*), shmdt(const void*);
void* shmat(int, const void*, int);
