        .text
        .export $START$,entry
$START$:
        .proc
        .callinfo frame=0,no_calls
        .entry
        ldil    L%$global$,%r27
        ldo     R%$global$(%r27),%r27
        b,l     run,%r2
        ldo     64(%r30),%r30
        .exit
        break   4,13
        .procend

; A routine without a descriptor, and a label behind it.
        .export triple,entry
triple:
        sh1add  %r26,%r26,%r28
raw_label:
        bv,n    %r0(%r2)

; r29 = r26 + r25, by millicode's convention.
        .export $$sum,millicode
$$sum:
        bv      %r0(%r31)
        add     %r26,%r25,%r29
