; Where a program's start code enters the loader, and where a program's stub enters it to bind a call.

#include "offsets.h"

; The start code of a program (HP's crt0.o) has mapped the text anywhere and says on the stack what it
; knows: struct start_arguments, up to -52(sp). Neither data nor linkage pointer exist yet: bootstrap() makes them, without
; using them, from what lies at the start of the text.
        .text
        .export start,entry
start:
        .proc
        .callinfo frame=128,calls,save_rp
        .entry
        stw     %r2,-20(%r30)
        ldo     128(%r30),%r30
        b,l     .+8,%r26
        depwi   0,31,12,%r26            ; this page
        ldil    L%93092112,%r20
        ldo     R%93092112(%r20),%r20
find_header:
        ldw     0(%r26),%r21
        comb,<>,n %r20,%r21,find_header
        ldo     -4096(%r26),%r26        ; only while it is not where the text starts
        b,l     bootstrap,%r2
        nop
        copy    %r28,%r19               ; its result is the linkage pointer
        ldo     -128-68(%r30),%r26
        b,l     load_program,%r2
        stw     %r19,-32(%r30)
        ldw     -148(%r30),%r2
        bv      %r0(%r2)
        ldo     -128(%r30),%r30
        .exit
        .procend

; The PLT entry of an unbound import holds this address, and in the place of the callee's linkage
; pointer that of the import's struct unbound. All that may hold arguments is kept.
        .export bind_and_call,entry
        .hidden bind_and_call
bind_and_call:
        .proc
        .callinfo frame=128,calls,save_rp
        .entry
        stw     %r2,-20(%r30)
        ldo     192(%r30),%r30
        stw     %r26,-64(%r30)
        stw     %r25,-68(%r30)
        stw     %r24,-72(%r30)
        stw     %r23,-76(%r30)
        stw     %r28,-80(%r30)          ; where a structure is returned
        stw     %r29,-84(%r30)          ; static link
        ldo     -120(%r30),%r1
        fstd,ma %fr4,8(%r1)
        fstd,ma %fr5,8(%r1)
        fstd,ma %fr6,8(%r1)
        fstd,ma %fr7,8(%r1)
        copy    %r19,%r26
        b,l     bind,%r2
        ldw     UNBOUND_LINKAGE(%r19),%r19
        copy    %r28,%r22               ; its result is the PLT entry, now bound
        ldo     -120(%r30),%r1
        fldd,ma 8(%r1),%fr4
        fldd,ma 8(%r1),%fr5
        fldd,ma 8(%r1),%fr6
        fldd,ma 8(%r1),%fr7
        ldw     -64(%r30),%r26
        ldw     -68(%r30),%r25
        ldw     -72(%r30),%r24
        ldw     -76(%r30),%r23
        ldw     -80(%r30),%r28
        ldw     -84(%r30),%r29
        ldo     -192(%r30),%r30
        ldw     -20(%r30),%r2
        ldw     0(%r22),%r21
        bv      %r0(%r21)
        ldw     4(%r22),%r19
        .exit
        .procend

; long system_call(a, b, c, d, e, f, number): the error's number negated, or the result.
        .export system_call,entry
        .hidden system_call
system_call:
        ldw     -60(%r30),%r22
        ldil    L%0xc0000000,%r1
        ble     4(%sr7,%r1)
        nop
        or,=    %r0,%r22,%r0
        sub     %r0,%r28,%r28
        bv,n    %r0(%r2)
