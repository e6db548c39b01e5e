; The start code of a program that uses shared libraries, as HP's crt0.o is: it maps the loader.

        .text
        .export $START$,entry
$START$:
        b,l     .+8,%r1
        depwi   0,31,2,%r1
        ldw     data_pointer-.(%r1),%r27
        copy    %r27,%r19
        copy    %r26,%r3
        copy    %r25,%r4
        copy    %r24,%r5
        ldo     128(%r30),%r30
        b,l     map_loader,%r2
        nop
        copy    %r27,%r19
        copy    %r3,%r26
        copy    %r4,%r25
        b,l     _start,%r2
        copy    %r5,%r24
        break   4,13
        .align  4
data_pointer:
        .word   $global$

; long system_call(a, b, c, d, e, f, number)
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
