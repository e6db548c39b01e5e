// The system calls of IA-64 programs, in both data models: by the table of ar.k7; p14 says that r8 is
// the number of an error. build.sh has this preprocessed.

        .macro  START name
        .section .text.\name, "ax", "progbits"
        .proc   \name
        .global \name
        .align  32
\name:
        .endm

// To the kernel, from a frame of which the first eight registers are inputs and the last eight outputs:
// r40 is the return address, r41 ar.pfs.
        .macro  ENTER number
        alloc   r41 = ar.pfs, 8, 2, 8, 0
        mov     r40 = rp
        TO_KERNEL \number
        .endm

        .macro  TO_KERNEL number
        mov     r14 = ar.k7
        mov     r15 = 8 * \number
        mov     r42 = r32
        mov     r43 = r33
        mov     r44 = r34
        mov     r45 = r35
        mov     r46 = r36
        mov     r47 = r37
        mov     r48 = r38
        mov     r49 = r39 ;;
        add     r14 = r14, r15 ;;
        ld8     r14 = [r14]
        mov     r8 = \number ;;
        mov     b7 = r14
        mov     r11 = ar.pfs
        br.call.sptk.many b6 = b7 ;;
        .endm

        .macro  LEAVE name
        mov     ar.pfs = r41
        mov     rp = r40 ;;
        br.ret.sptk.many rp ;;
        .endp   \name
        .endm

// The error's number goes to errno, wherever that is.
        .macro  SET_ERRNO
(p14)   addl    r14 = @ltoff(errno#), gp ;;
(p14)   ld8     r14 = [r14] ;;
(p14)   st4     [r14] = r8
(p14)   mov     r8 = -1
        .endm

        .macro  CALL name, number
        START   \name
        ENTER   \number
        SET_ERRNO
        LEAVE   \name
        .endm

        .include "calls.inc"
#ifndef __LP64__
        .include "large_files.inc"
#endif

// The second result says who is the child.
        .macro  FORK name, number
        START   \name
        ENTER   \number
(p15)   cmp.ne.unc p6, p0 = r0, r9
        SET_ERRNO ;;
(p6)    mov     r8 = 0
        LEAVE   \name
        .endm

        FORK    fork, 2
        FORK    vfork, 66

        .macro  SECOND name, number
        START   \name
        ENTER   \number
        mov     r8 = r9
        LEAVE   \name
        .endm

        SECOND  getppid, 20
        SECOND  geteuid, 24
        SECOND  getegid, 47

// Both results are descriptors.
        START   pipe
        ENTER   42
#ifdef __LP64__
        mov     r15 = r32 ;;
#else
        addp4   r15 = 0, r32 ;;
#endif
(p15)   st4     [r15] = r8, 4 ;;
(p15)   st4     [r15] = r9
(p15)   mov     r8 = 0
        SET_ERRNO
        LEAVE   pipe

// setjmp(3C): the registers that a call keeps, and where the register stack is. r14 and r15 go through
// the even and the odd words, r16 and r17 through the floating-point registers behind them.
        .macro  PLACES
#ifdef __LP64__
        adds    r14 = 15, r32 ;;
#else
        addp4   r14 = 15, r32 ;;
#endif
        dep     r14 = 0, r14, 0, 4 ;;
        adds    r15 = 8, r14
        adds    r16 = 160, r14
        adds    r17 = 176, r14 ;;
        .endm

        .macro  EACH_FLOAT
        BOTH    f2, f3
        BOTH    f4, f5
        BOTH    f16, f17
        BOTH    f18, f19
        BOTH    f20, f21
        BOTH    f22, f23
        BOTH    f24, f25
        BOTH    f26, f27
        BOTH    f28, f29
        BOTH    f30, f31
        .endm

        .macro  SAVE a, b
        st8     [r14] = \a, 16
        st8     [r15] = \b, 16 ;;
        .endm
        .macro  SAVE_OF a, b
        mov     r18 = \a
        mov     r19 = \b ;;
        SAVE    r18, r19
        .endm
        .macro  BOTH a, b
        stf.spill [r16] = \a, 32
        stf.spill [r17] = \b, 32 ;;
        .endm

        .section .text.setjmp, "ax", "progbits"
        .global _setjmp#
        .proc   setjmp#
        .global setjmp#
        .align  32
_setjmp:
setjmp:
        mov     r23 = r0
_hc_set_jump:
        flushrs ;;
        PLACES
        SAVE    gp, sp
        SAVE    r4, r5
        SAVE    r6, r7
        SAVE_OF b0, b1
        SAVE_OF b2, b3
        SAVE_OF b4, b5
        SAVE_OF ar.pfs, ar.lc
        SAVE_OF ar.unat, pr
        SAVE_OF ar.bsp, ar.fpsr
        mov     r20 = ar.rsc
        mov     r21 = 0x1c ;;           // big-endian, the user's, not eager
        mov     ar.rsc = r21 ;;
        mov     r18 = ar.rnat ;;
        mov     ar.rsc = r20
        SAVE    r18, r23
        EACH_FLOAT
        mov     r8 = 0
        br.ret.sptk.many rp ;;
        .endp   setjmp#

// sigsetjmp(3C): whether the mask of signals is kept stands beside ar.rnat, the mask behind the
// registers (jumps.c).
        START   sigsetjmp
        alloc   r41 = ar.pfs, 8, 2, 8, 0
        mov     r40 = rp
        cmp4.eq p6, p0 = 0, r33
(p6)    br.cond.spnt registers
#ifdef __LP64__
        adds    r34 = 495, r32 ;;
#else
        addp4   r34 = 495, r32 ;;
#endif
        dep     r34 = 0, r34, 0, 4
        mov     r38 = r33
        mov     r39 = r32
        mov     r32 = 0
        mov     r33 = 0 ;;
        TO_KERNEL 185
        mov     r33 = r38
        mov     r32 = r39 ;;
registers:
        mov     r23 = r33
        mov     ar.pfs = r41
        mov     rp = r40 ;;
        br.cond.sptk.many _hc_set_jump
        .endp   sigsetjmp#

        .macro  LOAD a, b
        ld8     \a = [r14], 16
        ld8     \b = [r15], 16 ;;
        .endm
        .macro  LOAD_TO a, b
        LOAD    r18, r19
        mov     \a = r18
        mov     \b = r19 ;;
        .endm
        .purgem BOTH
        .macro  BOTH a, b
        ldf.fill \a = [r16], 32
        ldf.fill \b = [r17], 32 ;;
        .endm

        .section .text.longjmp, "ax", "progbits"
        .global _longjmp#
        .proc   longjmp#
        .global longjmp#
        .align  32
_longjmp:
longjmp:
        cmp4.eq p6, p7 = 0, r33 ;;
(p6)    mov     r8 = 1
(p7)    mov     r8 = r33
        flushrs ;;
        PLACES
        LOAD    gp, sp
        LOAD    r4, r5
        LOAD    r6, r7
        LOAD_TO b0, b1
        LOAD_TO b2, b3
        LOAD_TO b4, b5
        LOAD_TO ar.pfs, ar.lc
        LOAD    r18, r19
        mov     ar.unat = r18
        mov     r22 = r19 ;;
        LOAD    r20, r21
        mov     ar.fpsr = r21
        LOAD    r18, r19
        EACH_FLOAT
        mov     r19 = ar.rsc
        mov     r21 = 0x1c ;;
        mov     ar.rsc = r21 ;;
        mov     ar.bspstore = r20 ;;
        mov     ar.rnat = r18 ;;
        invala
        mov     ar.rsc = r19
        mov     pr = r22, -1
        br.ret.sptk.many rp ;;
        .endp   longjmp#
