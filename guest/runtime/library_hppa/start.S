; Where an HP-UX program starts (hppa-hpux ABI: r26 argc, r25 argv, r24 envp), and what its signal
; handlers return to: the address that sigsetreturn() tells the kernel.

#include <sys/syscall.h>

        .text
        .export $START$,entry
$START$:
        .proc
        .callinfo frame=64,calls
        .entry
        ldil    L%$global$,%r27
        ldo     R%$global$(%r27),%r27
        ldo     128(%r30),%r30
        addil   L%environ-$global$,%r27
        stw     %r24,R%environ-$global$(%r1)
        copy    %r26,%r3
        copy    %r25,%r4
        copy    %r24,%r5
        ldil    L%handler_return,%r26
        ldo     R%handler_return(%r26),%r26
        ldi     0,%r25
        ldi     16,%r24
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     SYS_sigsetreturn,%r22
        copy    %r3,%r26
        copy    %r4,%r25
        b,l     main,%r2
        copy    %r5,%r24
        b,l     exit,%r2
        copy    %r28,%r26
        break   4,13
        .exit
        .procend

handler_return:
        copy    %r28,%r26
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     SYS_sigcleanup,%r22
        break   4,13

        .data
        .export environ,data
        .export errno,data
        .align  4
environ:
        .word   0
errno:
        .word   0
