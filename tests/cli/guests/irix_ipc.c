/* System V's IPC on IRIX, for SGI's compiler and C library. The structures are those of FreeBSD's
   sys/compat/svr4/svr4_ipc.h. */
extern int errno;
int printf(const char*, ...);
#define EAGAIN 11
#define EINVAL 22
#define ENOMSG 35
#define IPC_NOWAIT 04000
#define IPC_RMID 10
#define IPC_SET 11
#define IPC_STAT 12
#define GETPID 4
#define GETVAL 5
#define GETALL 6
#define SETVAL 8

struct ipc_perm {
  long uid, gid, cuid, cgid;
  unsigned long mode, seq;
  long key, pad[4];
};
struct msqid_ds {
  struct ipc_perm msg_perm;
  void *msg_first, *msg_last;
  unsigned long msg_cbytes, msg_qnum, msg_qbytes;
  long msg_lspid, msg_lrpid;
  long msg_stime, pad1, msg_rtime, pad2, msg_ctime, pad3, pad4[4];
};
struct semid_ds {
  struct ipc_perm sem_perm;
  void* sem_base;
  unsigned short sem_nsems;
  long sem_otime, pad1, sem_ctime, pad2, pad3[4];
};
struct sembuf {
  unsigned short sem_num;
  short sem_op, sem_flg;
};
struct shmid_ds {
  struct ipc_perm shm_perm;
  int shm_segsz;
  void* shm_amp;
  unsigned short shm_lkcnt;
  long shm_lpid, shm_cpid;
  unsigned long shm_nattch, shm_cnattch;
  long shm_atime, pad1, shm_dtime, pad2, shm_ctime, pad3, pad4[4];
};
union semun {
  int val;
  struct semid_ds* buf;
  unsigned short* array;
};
extern char* shmat();
extern char* strcpy();

static int is_a_time(long seconds) {
  return seconds > 800000000;
}

static void messages(void) {
  struct {
    long type;
    char text[16];
  } message;
  struct msqid_ds status;
  int queue = msgget(0, 0600), result;
  message.type = 3;
  strcpy(message.text, "hello");
  printf("msgsnd %d\n", msgsnd(queue, &message, 6, 0));
  printf("stat %d", msgctl(queue, IPC_STAT, &status));
  printf(" mode %lo count %ld bytes %ld of %ld sender %d receiver %ld\n", status.msg_perm.mode & 0777,
         status.msg_qnum, status.msg_cbytes, status.msg_qbytes, status.msg_lspid == getpid(),
         status.msg_lrpid);
  printf("times %d %ld %d\n", is_a_time(status.msg_stime), status.msg_rtime,
         is_a_time(status.msg_ctime));
  status.msg_qbytes = 100;
  status.msg_perm.mode = 0640;
  printf("set %d", msgctl(queue, IPC_SET, &status));
  msgctl(queue, IPC_STAT, &status);
  printf(" mode %lo of %ld\n", status.msg_perm.mode & 0777, status.msg_qbytes);
  message.text[0] = 0;
  result = msgrcv(queue, &message, 16, 3, 0);
  printf("msgrcv %d %ld %s\n", result, message.type, message.text);
  result = msgrcv(queue, &message, 16, 0, IPC_NOWAIT);
  printf("msgrcv %d %d\n", result, errno == ENOMSG);
  printf("rmid %d\n", msgctl(queue, IPC_RMID, 0));
}

static void semaphores(void) {
  struct semid_ds status;
  struct sembuf operation;
  union semun argument;
  unsigned short all[2];
  int set = semget(0, 2, 0600), result;
  argument.val = 5;
  printf("setval %d\n", semctl(set, 1, SETVAL, argument));
  operation.sem_num = 1;
  operation.sem_op = -2;
  operation.sem_flg = 0;
  printf("semop %d", semop(set, &operation, 1));
  printf(" value %d by %d\n", semctl(set, 1, GETVAL, argument),
         semctl(set, 1, GETPID, argument) == getpid());
  argument.array = all;
  result = semctl(set, 0, GETALL, argument);
  printf("getall %d %d %d\n", result, all[0], all[1]);
  argument.buf = &status;
  result = semctl(set, 0, IPC_STAT, argument);
  printf("stat %d count %d mode %lo times %d %d\n", result, status.sem_nsems,
         status.sem_perm.mode & 0777, is_a_time(status.sem_otime), is_a_time(status.sem_ctime));
  operation.sem_op = -9;
  operation.sem_flg = IPC_NOWAIT;
  result = semop(set, &operation, 1);
  printf("nowait %d %d\n", result, errno == EAGAIN);
  printf("rmid %d\n", semctl(set, 0, IPC_RMID, argument));
}

static void segments(void) {
  struct shmid_ds status;
  int segment = shmget(0, 5000, 0600), result;
  char* at = shmat(segment, 0, 0);
  strcpy(at + 4900, "shared");
  if (fork() == 0) {
    strcpy(at, at + 4900);
    _exit(0);
  }
  wait(0);
  printf("%s\n", at);
  result = shmctl(segment, IPC_STAT, &status);
  printf("stat %d size %d attached %ld by %d mode %lo times %d %d\n", result, status.shm_segsz,
         status.shm_nattch, status.shm_cpid == getpid(), status.shm_perm.mode & 0777,
         is_a_time(status.shm_atime), is_a_time(status.shm_ctime));
  printf("rmid %d", shmctl(segment, IPC_RMID, 0));
  result = shmctl(segment, IPC_STAT, &status);
  printf(" again %d %d", result, errno == EINVAL);
  printf(" shmdt %d\n", shmdt(at));
}

int main(void) {
  messages();
  semaphores();
  segments();
  return 0;
}
