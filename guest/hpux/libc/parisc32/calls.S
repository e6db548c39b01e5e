; The system calls of 32-bit programs: through the gateway page, number in r22; then r22 is 0 for
; success, else r28 is the number of the error.

        .macro  FUNCTION name
        .section .text.\name,"ax",@progbits
        .export \name,entry
\name:
        .endm

        .macro  ENTER number
        stw     %r19,-28(%r30)
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     \number,%r22
        ldw     -28(%r30),%r19
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
        addil   LT%errno,%r19
        ldw     RT%errno(%r1),%r1
        stw     %r28,0(%r1)
        ldi     -1,%r28
        bv      %r0(%r2)
        ldi     -1,%r29

        .include "calls.inc"
        .include "large_files.inc"
        CALL    _hc_sigsetreturn, 224

; The second result is not 0 in the child.
        .macro  FORK name, number
        FUNCTION \name
        ENTER   \number
        or,=    %r0,%r29,%r0
        ldi     0,%r28
        bv,n    %r0(%r2)
        .endm

        FORK    fork, 2
        FORK    vfork, 66

; The second result.
        .macro  SECOND name, number
        FUNCTION \name
        ENTER   \number
        bv      %r0(%r2)
        copy    %r29,%r28
        .endm

        SECOND  getppid, 20
        SECOND  geteuid, 24
        SECOND  getegid, 47

; The descriptors are the two results.
        FUNCTION pipe
        stw     %r26,-36(%r30)
        ENTER   42
        ldw     -36(%r30),%r1
        stw     %r28,0(%r1)
        stw     %r29,4(%r1)
        bv      %r0(%r2)
        ldi     0,%r28

; What signal handlers return to.
        FUNCTION _hc_handler_return
        copy    %r28,%r26
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        ldi     139,%r22
        break   4,13

; setjmp(3C): the registers that a call keeps.
        .macro  EACH_REGISTER operation
        \operation %r2
        \operation %r3
        \operation %r4
        \operation %r5
        \operation %r6
        \operation %r7
        \operation %r8
        \operation %r9
        \operation %r10
        \operation %r11
        \operation %r12
        \operation %r13
        \operation %r14
        \operation %r15
        \operation %r16
        \operation %r17
        \operation %r18
        \operation %r19
        \operation %r27
        \operation %r30
        .endm
        .macro  EACH_FLOAT operation
        \operation %fr12
        \operation %fr13
        \operation %fr14
        \operation %fr15
        \operation %fr16
        \operation %fr17
        \operation %fr18
        \operation %fr19
        \operation %fr20
        \operation %fr21
        .endm
        .macro  SAVE register
        stw,ma  \register,4(%r26)
        .endm
        .macro  SAVE_FLOAT register
        fstd,ma \register,8(%r26)
        .endm
        .macro  LOAD register
        ldw,ma  4(%r26),\register
        .endm
        .macro  LOAD_FLOAT register
        fldd,ma 8(%r26),\register
        .endm

        FUNCTION setjmp
        .export _setjmp,entry
_setjmp:
set_jump:
        EACH_REGISTER SAVE
        EACH_FLOAT SAVE_FLOAT
        bv      %r0(%r2)
        ldi     0,%r28

; sigsetjmp(3C): whether the mask of signals is kept, and the mask, stand behind the registers (jumps.c).
        FUNCTION sigsetjmp
        stw     %r25,160(%r26)
        comib,= 0,%r25,set_jump
        nop
        stw     %r26,-36(%r30)
        ldo     168(%r26),%r24
        ldi     0,%r25
        ldi     0,%r26
        ENTER   185
        b       set_jump
        ldw     -36(%r30),%r26

        FUNCTION longjmp
        .export _longjmp,entry
_longjmp:
        copy    %r25,%r28
        comib,<> 0,%r28,restore
        nop
        ldi     1,%r28
restore:
        EACH_REGISTER LOAD
        EACH_FLOAT LOAD_FLOAT
        bv,n    %r0(%r2)
