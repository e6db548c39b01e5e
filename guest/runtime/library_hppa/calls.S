; HP-UX's system calls on PA-RISC: through the gateway page, number in r22, arguments in r26 to r23
; and on the stack; on return r22 is 0 for success, else r28 is the number of the error.

#include <sys/syscall.h>

        .macro  FUNCTION name
        .section .text.\name,"ax",@progbits
        .export \name,entry
\name:
        .endm

        .macro  ENTER number
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     \number,%r22
        or,=    %r0,%r22,%r0
        b,n     failed
        .endm

        .macro  CALL name, number
        FUNCTION \name
        ENTER   \number
        bv,n    %r0(%r2)
        .endm

        .text
failed:
        addil   L%errno-$global$,%r27
        stw     %r28,R%errno-$global$(%r1)
        ldi     -1,%r28
        bv      %r0(%r2)
        ldi     -1,%r29

        CALL    _exit, SYS_exit
        CALL    read, SYS_read
        CALL    write, SYS_write
        CALL    open, SYS_open
        CALL    close, SYS_close
        CALL    wait, SYS_wait
        CALL    creat, SYS_creat
        CALL    unlink, SYS_unlink
        CALL    time, SYS_time
        CALL    _brk, SYS_brk
        CALL    lseek, SYS_lseek
        CALL    getpid, SYS_getpid
        CALL    getuid, SYS_getuid
        CALL    getgid, SYS_getgid
        CALL    alarm, SYS_alarm
        CALL    pause, SYS_pause
        CALL    kill, SYS_kill
        CALL    dup, SYS_dup
        CALL    times, SYS_times
        CALL    profil, SYS_profil
        CALL    execve, SYS_execve
        CALL    _mmap, SYS_mmap
        CALL    munmap, SYS_munmap
        CALL    mprotect, SYS_mprotect
        CALL    setitimer, SYS_setitimer
        CALL    getitimer, SYS_getitimer
        CALL    sigvector, SYS_sigvec
        CALL    sigblock, SYS_sigblock
        CALL    sigsetmask, SYS_sigsetmask
        CALL    sigpause, SYS_sigpause
        CALL    gettimeofday, SYS_gettimeofday
        CALL    sigprocmask, SYS_sigprocmask
        CALL    sigsuspend, SYS_sigsuspend
        CALL    _sigaction, SYS_sigaction
        CALL    _wait4, SYS_waitpid
        CALL    sprofil, SYS_sprofil
        CALL    _lwp_self, SYS_lwp_self
        CALL    _lwp_create_call, SYS_lwp_create
        CALL    _lwp_exit, SYS_lwp_exit

; The second result is not 0 in the child.
        .macro  FORK name, number
        FUNCTION \name
        ENTER   \number
        or,=    %r0,%r29,%r0
        ldi     0,%r28
        bv,n    %r0(%r2)
        .endm

        FORK    fork, SYS_fork
        FORK    vfork, SYS_vfork

; The parent's id is the second result of getpid.
        FUNCTION getppid
        ENTER   SYS_getpid
        bv      %r0(%r2)
        copy    %r29,%r28

; The descriptors are the two results.
        FUNCTION pipe
        copy    %r26,%r19
        ENTER   SYS_pipe
        stw     %r28,0(%r19)
        stw     %r29,4(%r19)
        bv      %r0(%r2)
        ldi     0,%r28

; The arguments move down by one; six of them at most.
        FUNCTION syscall
        copy    %r26,%r22
        copy    %r25,%r26
        copy    %r24,%r25
        copy    %r23,%r24
        ldw     -52(%r30),%r23
        ldw     -56(%r30),%r19
        ldw     -60(%r30),%r20
        ldo     64(%r30),%r30
        stw     %r19,-52(%r30)
        stw     %r20,-56(%r30)
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        nop
        ldo     -64(%r30),%r30
        or,=    %r0,%r22,%r0
        b,n     failed
        bv,n    %r0(%r2)
