; Calls the function that the pointer in r22 means; r31 and r2 are where to go back to. A function of a
; program is entered through an export stub, which goes back to what is at -24(sp).
        .text
        .export $$dyncall,millicode
        .hidden $$dyncall
$$dyncall:
        bb,>=,n %r22,30,plain
        depwi   0,31,2,%r22
        ldw     4(%r22),%r19
        ldw     0(%r22),%r22
plain:
        bv      %r0(%r22)
        stw     %r2,-24(%r30)
