; start.S of 64-bit programs: where one starts, how it makes calls, and what its signal handlers
; return to (hppa-hpux ABI: r26 argc, r25 argv, r24 envp and r22 the load information at the start,
; at whose +0x10 is the address of the table of the calls' entries; errors in r22 and r28).
        .level  2.0w
        .text
        .export $START$,entry
$START$:
        .proc
        .callinfo frame=128,calls
        .entry
        b,l     L$start_pc,%r1
        depdi   0,63,2,%r1
L$start_pc:
        ldd     L$linkage-L$start_pc(%r1),%r27
        ldo     15(%r30),%r30
        depdi   0,63,4,%r30
        std     %r0,-8(%r30)
        ldo     128(%r30),%r30
        ldd     0x10(%r22),%r2
        addil   LT'entry_table,%r27
        ldd     RT'entry_table(%r1),%r1
        std     %r2,0(%r1)
        copy    %r26,%r3
        copy    %r25,%r4
        copy    %r24,%r5
        addil   LT'sigreturn_pointer,%r27
        ldd     RT'sigreturn_pointer(%r1),%r1
        ldd     0(%r1),%r26
        ldi     0,%r25
        b,l     sigsetreturn,%r2
        ldi     16,%r24
        copy    %r3,%r26
        copy    %r4,%r25
        copy    %r5,%r24
        b,l     main,%r2
        ldo     -48(%r30),%r29
        b,l     _exit,%r2
        copy    %r28,%r26
        break   4,13
        .exit
        .procend
        .align  8
L$linkage:
        .dword  __gp

; To the kernel, by the number's entry in its table.
        .macro  ENTER number
        addil   LT'entry_table,%r27
        ldd     RT'entry_table(%r1),%r1
        ldd     0(%r1),%r1
        ldi     \number,%r22
        shladd,l %r22,3,%r1,%r1
        ldd     0(%r1),%r1
        ble     0(%sr4,%r1)
        nop
        .endm

; The handler has returned here.
        .export _sigreturn,code
_sigreturn:
        copy    %r28,%r26
        ENTER   139
        break   4,13

; What every call ends in: the error's number goes to errno.
failed:
        addil   LT'errno,%r27
        ldd     RT'errno(%r1),%r1
        stw     %r28,0(%r1)
        bve     (%r2)
        ldi     -1,%r28

        .macro  CALL name, number
        .export \name,code
\name:
        ENTER   \number
        or,*=   %r0,%r22,%r0
        b,n     failed
        bve,n   (%r2)
        .endm

; A call with more than four arguments leaves the fifth, whose register has the number, in its home.
        .macro  LONG_CALL name, number
        .export \name,code
\name:
        std     %r22,-32(%r29)
        ENTER   \number
        or,*=   %r0,%r22,%r0
        b,n     failed
        bve,n   (%r2)
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
        LONG_CALL mmap, 71
        CALL    munmap, 73
        CALL    dup2, 90
        CALL    fstat, 92
        CALL    sigvector, 108
        CALL    rename, 128
        CALL    sysconf, 132
        CALL    mkdir, 136
        CALL    rmdir, 137
        CALL    sigprocmask, 185
        CALL    sigaction, 188
        CALL    waitpid, 200
        CALL    sigsetreturn, 224
        CALL    getdents, 356
        CALL    lseek64, 365
        CALL    sprofil, 540
        CALL    unknown_call, 999

; The second result says who is the child.
        .macro  FORK name, number
        .export \name,code
\name:
        ENTER   \number
        or,*=   %r0,%r22,%r0
        b,n     failed
        or,*=   %r0,%r29,%r0
        ldi     0,%r28
        bve,n   (%r2)
        .endm

        FORK    fork, 2
        FORK    vfork, 66

; The kernel stores both descriptors in the array.
        .export pipe,code
pipe:
        ENTER   42
        or,*=   %r0,%r22,%r0
        b,n     failed
        bve     (%r2)
        ldi     0,%r28

; An entry of the gateway page, at 0xc0000004 of which the table's entries point, that is no
; ordinary call's.
        .export lightweight_call,code
lightweight_call:
        addil   LT'entry_table,%r27
        ldd     RT'entry_table(%r1),%r1
        ldd     0(%r1),%r1
        ldd     0(%r1),%r1
        ble     0x3c(%sr4,%r1)
        ldi     1,%r22
        or,*=   %r0,%r22,%r0
        b,n     failed
        bve,n   (%r2)

; null_store() faults here, at address 8.
        .export null_store,code
        .export null_store_instruction,data
null_store:
        ldi     0,%r1
null_store_instruction:
        stw     %r0,8(%r1)
        bve,n   (%r2)

; A word that is no instruction, in a function.
        .export trapping_break,code
trapping_break:
        break   0,0
        bve,n   (%r2)

; The rest of the unsigned division r26 / r25 in r29, the quotient in r26, of which a bit a step
; enters on the right while the dividend leaves on the left; then the return. r1 is free, too.
        .macro  DIVIDE result, register
        ldi     0,%r29
        ldi     64,%r1
L$step\@:
        shrpd   %r29,%r26,63,%r29
        add,l   %r26,%r26,%r26
        cmpb,*<<,n %r29,%r25,L$next\@
        sub     %r29,%r25,%r29
        ldo     1(%r26),%r26
L$next\@:
        addib,*> -1,%r1,L$step\@
        nop
        bve     (%r2)
        copy    \result,\register
        .endm

; What the compiler calls, for 64 bits, and by millicode's convention for 32.
        .export __udivdi3,code
__udivdi3:
        DIVIDE  %r26, %r28
        .export __umoddi3,code
__umoddi3:
        DIVIDE  %r29, %r28
        .export $$divU,millicode
$$divU:
        extrd,u %r26,63,32,%r26
        extrd,u %r25,63,32,%r25
        DIVIDE  %r26, %r29
        .export $$remU,millicode
$$remU:
        extrd,u %r26,63,32,%r26
        extrd,u %r25,63,32,%r25
        DIVIDE  %r29, %r29

        .data
        .align  8
        .export errno,data
entry_table:
        .dword  0
sigreturn_pointer:
        .dword  P'_sigreturn
errno:
        .word   0
