; The system calls of 64-bit programs for PA-RISC: number in r22, whose entry is in the table that start
; code tells of; then r22 is 0 for success, else r28 is the number of the error. The fifth argument,
; whose register has the number, is left in its home.
        .level  2.0w

        .macro  FUNCTION name
        .section .text.\name,"ax",@progbits
        .export \name,entry
\name:
        .endm

        .macro  ENTER number
        std     %r22,-32(%r29)
        addil   LT'__scall_entry_table_addr,%r27
        ldd     RT'__scall_entry_table_addr(%r1),%r1
        ldd     0(%r1),%r1
        ldi     \number,%r22
        shladd,l %r22,3,%r1,%r1
        ldd     0(%r1),%r1
        ble     0(%sr4,%r1)
        nop
        .endm

        .macro  LEAVE
        or,*=   %r0,%r22,%r0
        b,n     failed
        bve,n   (%r2)
        .endm

        .macro  CALL name, number
        FUNCTION \name
        ENTER   \number
        LEAVE
        .endm

        .text
failed:
        addil   LT'errno,%r27
        ldd     RT'errno(%r1),%r1
        stw     %r28,0(%r1)
        bve     (%r2)
        ldi     -1,%r28

        .include "calls.inc"
        CALL    _hc_sigsetreturn, 224

; The second result is not 0 in the child.
        .macro  FORK name, number
        FUNCTION \name
        ENTER   \number
        or,*=   %r0,%r22,%r0
        b,n     failed
        or,*=   %r0,%r29,%r0
        ldi     0,%r28
        bve,n   (%r2)
        .endm

        FORK    fork, 2
        FORK    vfork, 66

; The second result.
        .macro  SECOND name, number
        FUNCTION \name
        ENTER   \number
        bve     (%r2)
        copy    %r29,%r28
        .endm

        SECOND  getppid, 20
        SECOND  geteuid, 24
        SECOND  getegid, 47

; The kernel stores both descriptors.
        FUNCTION pipe
        ENTER   42
        or,*=   %r0,%r22,%r0
        b,n     failed
        bve     (%r2)
        ldi     0,%r28

; What signal handlers return to, with a gp of their own: by the gateway page, as 32-bit programs.
        FUNCTION _hc_handler_return
        .hidden _hc_handler_return
        copy    %r28,%r26
        ldil    L%0xc0000000,%r1
        extrd,u %r1,63,32,%r1
        ble     4(%sr4,%r1)
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
        std,ma  \register,8(%r26)
        .endm
        .macro  SAVE_FLOAT register
        fstd,ma \register,8(%r26)
        .endm
        .macro  LOAD register
        ldd,ma  8(%r26),\register
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
        bve     (%r2)
        ldi     0,%r28

; sigsetjmp(3C): whether the mask of signals is kept, and the mask, stand behind the registers (jumps.c).
        FUNCTION sigsetjmp
        stw     %r25,236(%r26)
        cmpib,*= 0,%r25,set_jump
        nop
        std     %r26,-64(%r29)
        std     %r29,8(%r30)
        ldo     240(%r26),%r24
        ldi     0,%r25
        ldi     0,%r26
        ldo     128(%r30),%r30
        ldo     -16(%r30),%r29
        ENTER   185
        ldo     -128(%r30),%r30
        ldd     8(%r30),%r29
        b       set_jump
        ldd     -64(%r29),%r26

        FUNCTION longjmp
        .export _longjmp,entry
_longjmp:
        copy    %r25,%r28
        cmpb,<> %r0,%r28,restore
        nop
        ldi     1,%r28
restore:
        EACH_REGISTER LOAD
        EACH_FLOAT LOAD_FLOAT
        bve,n   (%r2)
