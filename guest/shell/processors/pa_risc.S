; The start of the shell on PA-RISC, 32 bits, and its call of the kernel, through the gateway page.

#ifdef HPUX
; HP-UX: r26 argc, r25 argv, r24 the environment; a call has its number in r22, which is 0 then for
; success, else r28 is the number of the error. Signal handlers return to handler_return, which the
; kernel is told first.
#define NUMBER %r22
#define STATUS %r22

        .macro  GATEWAY
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        .endm

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
        ldil    L%handler_return,%r26
        ldo     R%handler_return(%r26),%r26
        ldi     0,%r25
        ldi     16,%r24
        GATEWAY
        ldi     224,%r22
        copy    %r3,%r26
        copy    %r4,%r25
        b,l     shell,%r2
        copy    %r5,%r24
        break   0,0
        .exit
        .procend

handler_return:
        copy    %r28,%r26
        GATEWAY
        ldi     139,%r22
        break   0,0
#else
; Linux: r25 argc, r24 argv, the environment behind it; a call has its number in r20; a result that
; is an error's number negated is at the end of all numbers.
#define NUMBER %r20

        .macro  GATEWAY
        ble     0x100(%sr2,%r0)
        .endm

        .text
        .export _start,entry
_start:
        .proc
        .callinfo frame=64,calls
        .entry
        ldil    L%$global$,%r27
        ldo     R%$global$(%r27),%r27
        ldo     128(%r30),%r30
        depwi   0,31,6,%r30
        copy    %r25,%r26
        copy    %r24,%r25
        sh2add  %r26,%r24,%r24
        b,l     shell,%r2
        ldo     4(%r24),%r24
        break   0,0
        .exit
        .procend
#endif

        .export kernel,entry
kernel:
        copy    %r26,NUMBER
        copy    %r25,%r26
        copy    %r24,%r25
        copy    %r23,%r24
        ldw     -52(%r30),%r23
#ifdef HPUX
        ldw     -56(%r30),%r1
        stw     %r1,-52(%r30)
#else
        ldw     -56(%r30),%r22
#endif
        GATEWAY
        nop
        addil   L%kernel_second-$global$,%r27
        stw     %r29,R%kernel_second-$global$(%r1)
#ifdef HPUX
        or,=    %r0,%r22,%r0
        sub     %r0,%r28,%r28
#endif
        bv,n    %r0(%r2)

        .data
        .export kernel_second,data
        .align  4
kernel_second:
        .word   0
