// What System V's IPC tells of its objects, where QEMU 7.2 does not tell it as Linux does: the times
// and the last users, the commands by place, and o32's calls that are apart from ipc(2).
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

union semun {
  int val;
  struct semid_ds* buf;
  unsigned short* array;
  void* information;
};

static time_t start;
static int is_now(time_t then) {
  return then >= start && then <= time(NULL);
}

static void queues(void) {
  struct {
    long type;
    char text[4];
  } message = {1, "abc"};
  int queue = msgget(IPC_PRIVATE, 0600);
  struct msqid_ds status;
  memset(&status, 0xee, sizeof status);
  msgctl(queue, IPC_STAT, &status);
  printf("new: %d %d, times %ld %ld %d\n", status.msg_lspid, status.msg_lrpid,
         (long)status.msg_stime, (long)status.msg_rtime, is_now(status.msg_ctime));
  if (fork() == 0) {
    msgsnd(queue, &message, 4, 0);
    msgrcv(queue, &message, 4, 0, 0);
    msgsnd(queue, &message, 3, 0);
    _exit(0);
  }
  int child = wait(NULL);
  int place = -1, found = -1;
  for (int i = 0; i < 3; ++i) {
    found = msgctl(i, MSG_STAT, &status);
    if (found == queue) place = i;
  }
  printf("place %d, used by %d %d, times %d %d %d\n", place, status.msg_lspid == child,
         status.msg_lrpid == child, is_now(status.msg_stime), is_now(status.msg_rtime),
         is_now(status.msg_ctime));
  struct msginfo info;
  printf("highest %d", msgctl(0, MSG_INFO, (void*)&info));
  printf(", queues %d messages %d bytes %d\n", info.msgpool, info.msgmap, info.msgtql);
  msgctl(0, IPC_INFO, (void*)&info);
  printf("most: bytes %d of %d, queues %d\n", info.msgmax, info.msgmnb, info.msgmni);
  printf("copy: %zd", msgrcv(queue, &message, 4, 0, MSG_COPY | IPC_NOWAIT));
  printf(" %zd", msgrcv(queue, &message, 4, 1, MSG_COPY | IPC_NOWAIT));
  printf(" %zd\n", msgrcv(queue, &message, 4, 0, IPC_NOWAIT));
  msgctl(queue, IPC_RMID, NULL);
}

static void sets(void) {
  int set = semget(IPC_PRIVATE, 2, 0600);
  struct semid_ds status;
  memset(&status, 0xee, sizeof status);
  union semun argument = {.buf = &status};
  semctl(set, 0, IPC_STAT, argument);
  printf("set of %lu, times %ld %d\n", (unsigned long)status.sem_nsems, (long)status.sem_otime,
         is_now(status.sem_ctime));
  struct sembuf up = {0, 1, 0};
  semop(set, &up, 1);
  semctl(set, 0, IPC_STAT, argument);
  printf("set of %lu, times %d %d\n", (unsigned long)status.sem_nsems, is_now(status.sem_otime),
         is_now(status.sem_ctime));
  struct seminfo info;
  argument.information = &info;
  printf("highest %d", semctl(0, 0, SEM_INFO, argument));
  printf(", sets %d semaphores %d\n", info.semusz, info.semaem);
  semctl(0, 0, IPC_INFO, argument);
  printf("most: sets %d, of %d, operations %d, value %d\n", info.semmni, info.semmsl, info.semopm,
         info.semvmx);
  semctl(set, 0, IPC_RMID);
}

static void segments(void) {
  int segment = shmget(IPC_PRIVATE, 8192, 0600);
  char* at = shmat(segment, NULL, 0);
  at[5000] = 1;
  struct shmid_ds status;
  memset(&status, 0xee, sizeof status);
  shmctl(segment, IPC_STAT, &status);
  printf("attached %lu, by %d of %d, times %d %ld %d\n", (unsigned long)status.shm_nattch,
         status.shm_lpid == getpid(), status.shm_cpid == getpid(), is_now(status.shm_atime),
         (long)status.shm_dtime, is_now(status.shm_ctime));
  if (fork() == 0) _exit(0);
  int child = wait(NULL);
  shmctl(segment, IPC_STAT, &status);
  printf("detached by the end of %d, at %d\n", status.shm_lpid == child, is_now(status.shm_dtime));
  struct shm_info info;
  printf("highest %d", shmctl(0, SHM_INFO, (void*)&info));
  printf(", segments %d, resident pages %lu\n", info.used_ids, info.shm_rss);
  shmctl(segment, SHM_LOCK, NULL);
  shmctl(segment, IPC_STAT, &status);
  printf("mode %o\n", (unsigned)status.shm_perm.mode);
  shmctl(segment, IPC_RMID, NULL);
}

// The guest's user is not the superuser.
static void refusals(void) {
  int queue = msgget(0x6865, IPC_CREAT | 0400);
  struct msqid_ds status;
  msgctl(queue, IPC_STAT, &status);
  status.msg_qbytes = 1000000;
  errno = 0;
  printf("IPC_SET %d", msgctl(queue, IPC_SET, &status));
  printf(" %s, for others %d", strerrorname_np(errno), msgget(0x6865, 0666));
  printf(" %s, to write %d", strerrorname_np(errno), msgsnd(queue, "\1\1\1\1\1\1\1\1", 0, 0));
  printf(" %s\n", strerrorname_np(errno));
  msgctl(queue, IPC_RMID, NULL);
  int segment = shmget(IPC_PRIVATE, 1, 0400);
  printf("shmat %d", shmat(segment, NULL, 0) != (void*)-1);
  printf(" %s", strerrorname_np(errno));
  printf(", to read %d\n", shmat(segment, NULL, SHM_RDONLY) != (void*)-1);
}

#if defined(__mips__) && _MIPS_SIM == _ABIO32
#define __NR_split_msgget 4399
static void split_calls(void) {
  long queue = syscall(__NR_split_msgget, IPC_PRIVATE, 0600);
  struct {
    long type;
    char text[4];
  } message = {7, "new"};
  printf("msgsnd %ld\n", syscall(4400, queue, &message, 4, 0));
  message.text[0] = 0;
  printf("msgrcv %ld", syscall(4401, queue, &message, 4, 7, 0));
  printf(" \"%s\"\n", message.text);
  printf("msgctl %ld\n", syscall(4402, queue, IPC_RMID, NULL));
  long set = syscall(4393, IPC_PRIVATE, 1, 0600);
  syscall(4394, set, 0, SETVAL, 5);
  printf("semctl %ld\n", syscall(4394, set, 0, GETVAL, 0));
  struct sembuf down = {0, -6, 0};
  long long soon[2] = {0, 1000000};
  printf("semtimedop %ld\n", syscall(4420, set, &down, 1, soon));
  syscall(4394, set, 0, IPC_RMID, 0);
  long segment = syscall(4395, IPC_PRIVATE, 4096, 0600);
  long at = syscall(4397, segment, 0, 0);
  printf("shmat %d, shmctl %ld, shmdt %ld\n", at != -1, syscall(4396, segment, IPC_RMID, 0),
         syscall(4398, at));
}
#else
static void split_calls(void) {}
#endif

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  start = time(NULL);
  queues();
  sets();
  segments();
  refusals();
  split_calls();
  return 0;
}
