/* Solaris and IRIX: System V.4's user context on MIPS (System V ABI, MIPS RISC Processor
   Supplement, chapter 6). HP-UX: the context that signal handlers get on PA-RISC
   (syscalls/hpux/signals.h). Linux on MIPS: arch/mips/include/uapi/asm/sigcontext.h. */
#ifndef _UCONTEXT_H
#define _UCONTEXT_H

#include <hardclock/system.h>
#include <sys/types.h>

#ifdef _OS_HPUX
typedef struct ucontext {
  struct ucontext *uc_link;
  unsigned int uc_sigmask[8];
  unsigned int uc_stack[3];
  unsigned int uc_padding[2];
  /* struct save_state: 1-31 registers, and the queue of instruction addresses. */
  unsigned int uc_state[288];
} ucontext_t;

#define CTX_PCOQ_HEAD 33
#define CTX_PCOQ_TAIL 35
#elif defined(_OS_LINUX)
typedef struct ucontext {
  unsigned int uc_flags;
  struct ucontext *uc_link;
  unsigned int uc_stack[3];
  unsigned int uc_padding;
  struct {
    unsigned int regmask;
    unsigned int status;
    __extension__ unsigned long long pc;
  } uc_mcontext; /* its beginning */
} ucontext_t;
#else
typedef struct ucontext {
  unsigned int uc_flags;
  struct ucontext *uc_link;
  unsigned int uc_sigmask[4];
  unsigned int uc_stack[3];
  unsigned int uc_padding;
  unsigned int uc_gregs[36]; /* 0-31 registers, 32 LO, 33 HI, 34 cause, 35 EPC */
  unsigned int uc_fpregs[32];
  unsigned int uc_fpcsr;
  unsigned int uc_fpeir;
  unsigned int uc_filler[48];
} ucontext_t;

#define CTX_MDLO 32
#define CTX_MDHI 33
#define CTX_EPC 35
#endif

#endif
