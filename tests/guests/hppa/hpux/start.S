; Where an HP-UX program starts, how it makes calls, and what its signal handlers return to; as the
; start code and the C library of HP-UX do it (hppa-hpux ABI: r26 argc, r25 argv, r24 envp at the
; start; call numbers in r22; errors in r22 and r28).
        .text
        .export $START$,entry
$START$:
        .proc
        .callinfo frame=64,calls
        .entry
        ldil    L%$global$,%r27
        ldo     R%$global$(%r27),%r27
        ldo     128(%r30),%r30
        copy    %r26,%r3
        copy    %r25,%r4
        copy    %r24,%r5
        ldil    L%_sigreturn,%r26
        ldo     R%_sigreturn(%r26),%r26
        ldi     0,%r25
        b,l     sigsetreturn,%r2
        ldi     16,%r24
        copy    %r3,%r26
        copy    %r4,%r25
        b,l     main,%r2
        copy    %r5,%r24
        b,l     _exit,%r2
        copy    %r28,%r26
        break   4,13
        .exit
        .procend

; The handler has returned here.
        .export _sigreturn,code
_sigreturn:
        ldo     0(%r28),%r26
        stw     %r19,-28(%r30)
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     139,%r22
        break   4,13

; What every call ends in: the error's number goes to errno.
failed:
        addil   L%errno-$global$,%r27
        stw     %r28,R%errno-$global$(%r1)
        bv      %r0(%r2)
        ldi     -1,%r28

        .macro  CALL name, number
        .export \name,entry
\name:
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     \number,%r22
        or,=    %r0,%r22,%r0
        b,n     failed
        bv,n    %r0(%r2)
        .endm

        CALL    _exit, 1
        CALL    read, 3
        CALL    write, 4
        CALL    open, 5
        CALL    close, 6
        CALL    creat, 8
        CALL    link, 9
        CALL    unlink, 10
        CALL    execv, 11
        CALL    chdir, 12
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
        CALL    execve, 59
        CALL    umask, 60
        CALL    fcntl, 62
        CALL    mmap, 71
        CALL    munmap, 73
        CALL    mprotect, 74
        CALL    setitimer, 83
        CALL    dup2, 90
        CALL    fstat, 92
        CALL    sigvector, 108
        CALL    sigblock, 109
        CALL    sigsetmask, 110
        CALL    rename, 128
        CALL    sysconf, 132
        CALL    mkdir, 136
        CALL    rmdir, 137
        CALL    getrlimit, 144
        CALL    sigprocmask, 185
        CALL    sigaction, 188
        CALL    getdirentries, 195
        CALL    waitpid, 200
        CALL    sigsetreturn, 224
        CALL    getdents, 356
        CALL    sprofil, 540
        CALL    unknown_call, 999

; The second result says who is the child.
        .macro  FORK name, number
        .export \name,entry
\name:
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     \number,%r22
        or,=    %r0,%r22,%r0
        b,n     failed
        or,=    %r0,%r29,%r0
        ldi     0,%r28
        bv,n    %r0(%r2)
        .endm

        FORK    fork, 2
        FORK    vfork, 66

; Both results are descriptors, for the array in r26.
        .export pipe,entry
pipe:
        stw     %r26,-36(%r30)
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     42,%r22
        or,=    %r0,%r22,%r0
        b,n     failed
        ldw     -36(%r30),%r26
        stw     %r28,0(%r26)
        stw     %r29,4(%r26)
        bv      %r0(%r2)
        ldi     0,%r28

; A 64-bit number: an aligned pair, the high half in the odd register, and so is the result.
        CALL    lseek64, 365

; An entry of the gateway page that is no ordinary call's.
        .export lightweight_call,entry
lightweight_call:
        ldil    L%0xc0000000,%r1
        ble     0x40(%sr7,%r1)
        ldi     1,%r22
        or,=    %r0,%r22,%r0
        b,n     failed
        bv,n    %r0(%r2)

; null_store() faults here, at address 8.
        .export null_store,entry
        .export null_store_instruction,data
null_store:
        ldi     0,%r1
null_store_instruction:
        stw     %r0,8(%r1)
        bv,n    %r0(%r2)

; A word that is no instruction, in a function.
        .export trapping_break,entry
trapping_break:
        break   0,0
        bv,n    %r0(%r2)

        .data
        .export errno,data
        .align 4
errno:
        .word   0
