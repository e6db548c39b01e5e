// Where an HP-UX program for IA-64 starts, and how it makes calls, in both data models (r32 argc,
// r33 argv, r34 envp at the start; the address to call for each system call is in the vector of
// ar.k7; numbers in r8; p14 says that r8 is an error's number). The inputs of a call are where its
// caller left them: the kernel is entered by a call with all of them as outputs.
        .text
        .proc   $START$#
        .global $START$#
        .align  16
$START$:
        alloc   r35 = ar.pfs, 4, 3, 3, 0
1:      mov     r39 = ip ;;
        movl    r38 = @gprel(1b) ;;
        sub     gp = r39, r38
        mov     r39 = r32
        mov     r40 = r33
        mov     r41 = r34
        br.call.sptk.many rp = main# ;;
        mov     r39 = r8
        br.call.sptk.many rp = _exit# ;;
        break   0
        .endp   $START$#

// To the kernel, from a frame of which the first eight registers are inputs and the last eight
// outputs: r40 is the return address, r41 ar.pfs.
        .macro  ENTER number
        alloc   r41 = ar.pfs, 8, 2, 8, 0
        mov     r40 = rp
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

        .macro  LEAVE
        mov     ar.pfs = r41
        mov     rp = r40 ;;
        br.ret.sptk.many rp ;;
        .endm

// What every call ends in: the error's number goes to errno.
        .macro  CALL name, number
        .proc   \name
        .global \name
        .align  16
\name:
        ENTER   \number
(p14)   addl    r14 = @gprel(errno#), gp ;;
(p14)   st4     [r14] = r8
(p14)   mov     r8 = -1
        LEAVE
        .endp   \name
        .endm

        CALL    _exit, 1
        CALL    read, 3
        CALL    write, 4
        CALL    open, 5
        CALL    close, 6
        CALL    unlink, 10
        CALL    execv, 11
        CALL    brk, 17
        CALL    lseek, 19
        CALL    getpid, 20
        CALL    alarm, 27
        CALL    pause, 29
        CALL    access, 33
        CALL    kill, 37
        CALL    stat, 38
        CALL    times, 43
        CALL    profil, 44
        CALL    utssys, 57
        CALL    fcntl, 62
        CALL    mmap, 71
        CALL    munmap, 73
        CALL    dup2, 90
        CALL    fstat, 92
        CALL    sigvector, 108
        CALL    gettimeofday, 116
        CALL    rename, 128
        CALL    sysconf, 132
        CALL    mkdir, 136
        CALL    rmdir, 137
        CALL    sigprocmask, 185
        CALL    sigaction, 188
        CALL    getdirentries, 195
        CALL    waitpid, 200
        CALL    getdents, 356
        CALL    lseek64, 365
        CALL    sprofil, 540
        CALL    unknown_call, 999
// The gateway has no other entries: this is a call that the vector has no address for.
        CALL    lightweight_call, 1000

// The second result says who is the child.
        .macro  FORK name, number
        .proc   \name
        .global \name
        .align  16
\name:
        ENTER   \number
(p14)   addl    r14 = @gprel(errno#), gp
(p15)   cmp.ne.unc p6, p0 = r0, r9 ;;
(p14)   st4     [r14] = r8
(p6)    mov     r8 = 0 ;;
(p14)   mov     r8 = -1
        LEAVE
        .endp   \name
        .endm

        FORK    fork, 2
        FORK    vfork, 66

// Both results are descriptors, for the array; in 64 bits the kernel stores them, too.
        .proc   pipe#
        .global pipe#
        .align  16
pipe:
        ENTER   42
(p14)   addl    r14 = @gprel(errno#), gp
#ifdef __LP64__
        mov     r15 = r32 ;;
#else
        addp4   r15 = 0, r32 ;;
#endif
(p14)   st4     [r14] = r8
(p15)   st4     [r15] = r8, 4 ;;
(p15)   st4     [r15] = r9
(p15)   mov     r8 = 0 ;;
(p14)   mov     r8 = -1
        LEAVE
        .endp   pipe#

// A break that is no debugger's.
        .proc   trapping_break#
        .global trapping_break#
        .align  16
trapping_break:
        break.m 0
        br.ret.sptk.many rp ;;
        .endp   trapping_break#

        .section .sbss, "aws", "nobits"
        .global errno#
        .align  4
errno:  .skip   4
