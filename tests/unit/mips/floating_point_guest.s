# A static Linux program, big-endian, which runs each floating-point instruction on each row of
# operands under each initial FCSR and writes what it sees. With FR = 0 (a symbol that the assembler
# is given) it is an o32 program, whose doubles are in pairs of registers, with FR = 1 an n32 one.
# Files, which the test puts in the assembler's search path, hold the operands: rows of two 64-bit
# values; singles and words stand in the lower halves. Another holds the initial values of FCSR, one
# word each.
#
# An instruction finds a row in $f2 and $f4 (FR = 1: the second also in $f5), the first also in $10,
# the first of the next row in $f8, `untouched` in $f6, 0 in $11, the row in memory at `scratch`,
# that address in $25, 8 in $24 and 13 in $3.
#
# Output, per instruction: its word; then per FCSR and row 32 bytes: $f6 as a double, FCSR, 1 when
# SIGFPE came, else 0, $11, and the doubleword at scratch + 8. Exit status 1: a system call failed.
        .set    noreorder

        .if     FR
        .equ    sys_exit, 6058
        .equ    sys_write, 6001
        .equ    sys_rt_sigaction, 6013
        .else
        .equ    sys_exit, 4001
        .equ    sys_write, 4004
        .equ    sys_prctl, 4192
        .equ    sys_rt_sigaction, 4194
        .endif
        .equ    pr_set_fp_mode, 45
        .equ    sigfpe, 8
        .equ    sa_siginfo, 8
        # In the ucontext_t of a signal handler: the lower words of the saved pc and of $s7.
        .if     FR
        .equ    saved_pc, 24 + (32 + 32 + 8) * 8 + 4
        .equ    saved_s7, 24 + 23 * 8 + 4
        .else
        .equ    saved_pc, 24 + 8 + 4
        .equ    saved_s7, 24 + 16 + 23 * 8 + 4
        .endif

        .text
        .globl  __start
__start:
        .ifeq   FR
        li      $a0, pr_set_fp_mode
        li      $a1, 0
        li      $v0, sys_prctl
        syscall
        bnez    $a3, failed
        nop
        .endif
        li      $a0, sigfpe
        la      $a1, action
        li      $a2, 0
        li      $a3, 16
        li      $v0, sys_rt_sigaction
        syscall
        bnez    $a3, failed
        nop

        la      $s0, operations
operation:
        lw      $s1, 0($s0)
        beqz    $s1, done
        nop
        lw      $s2, 4($s0)
        lw      $s3, 8($s0)
        move    $a1, $s1
        jal     write
        li      $a2, 4
        la      $s4, statuses
status:
        move    $s5, $s2
        la      $s6, results
row:
        li      $s7, 0
        la      $t0, untouched
        ldc1    $f2, 0($s5)
        ldc1    $f4, 8($s5)
        ldc1    $f6, 0($t0)
        ldc1    $f8, 16($s5)
        la      $25, scratch
        sdc1    $f2, 0($25)
        sdc1    $f4, 8($25)
        li      $24, 8
        li      $3, 13
        li      $11, 0
        .if     FR
        ldc1    $f5, 8($s5)
        ld      $10, 0($s5)
        .else
        lw      $10, 4($s5)
        .endif
        lw      $t1, 0($s4)
        ctc1    $t1, $31
        jalr    $s1
        nop
        cfc1    $t1, $31
        sdc1    $f6, 0($s6)
        sw      $t1, 8($s6)
        sw      $s7, 12($s6)
        .if     FR
        sd      $11, 16($s6)
        .else
        sra     $t0, $11, 31
        sw      $t0, 16($s6)
        sw      $11, 20($s6)
        .endif
        la      $25, scratch
        ldc1    $f0, 8($25)
        sdc1    $f0, 24($s6)
        addiu   $s5, $s5, 16
        bne     $s5, $s3, row
        addiu   $s6, $s6, 32

        la      $a1, results
        jal     write
        subu    $a2, $s6, $a1
        addiu   $s4, $s4, 4
        la      $t0, statuses_end
        bne     $s4, $t0, status
        nop
        addiu   $s0, $s0, 12
        b       operation
        nop
done:
        li      $a0, 0
        li      $v0, sys_exit
        syscall

failed:
        li      $a0, 1
        li      $v0, sys_exit
        syscall

# Writes $a2 bytes from $a1.
write:
        li      $a0, 1
        li      $v0, sys_write
        syscall
        bnez    $a3, failed
        nop
        bne     $v0, $a2, failed
        nop
        jr      $ra
        nop

# Notes the signal in $s7 and continues behind the instruction.
handler:
        lw      $t0, saved_pc($a2)
        addiu   $t0, $t0, 4
        sw      $t0, saved_pc($a2)
        li      $t0, 1
        sw      $t0, saved_s7($a2)
        jr      $ra
        nop

# One instruction and its entry in the list of operations.
        .macro  run rows, instruction:vararg
        .text
stub_\@:
        \instruction
        jr      $ra
        nop
        .data
        .word   stub_\@, \rows, \rows\()_end
        .endm

# A branch: $11 becomes 1 when it is taken, 2 when it is not and nullifies its delay slot, else 3.
        .macro  branch name, condition
        .text
stub_\@:
        \name   \condition, 1f
        addiu   $11, $11, 1
        addiu   $11, $11, 2
1:
        jr      $ra
        nop
        .data
        .word   stub_\@, words, words_end
        .endm

        .macro  three rows, format, name
        run     \rows, \name\().\format $f6, $f2, $f4
        .endm
        .macro  two rows, format, name
        run     \rows, \name\().\format $f6, $f2
        .endm
        .macro  compare rows, format, condition
        run     \rows, c.\condition\().\format $f2, $f4
        .endm

        .macro  arithmetic rows, format
        three   \rows, \format, add
        three   \rows, \format, sub
        three   \rows, \format, mul
        three   \rows, \format, div
        two     \rows, \format, sqrt
        two     \rows, \format, abs
        two     \rows, \format, mov
        two     \rows, \format, neg
        two     \rows, \format, round.w
        two     \rows, \format, trunc.w
        two     \rows, \format, ceil.w
        two     \rows, \format, floor.w
        two     \rows, \format, cvt.w
        compare \rows, \format, f
        compare \rows, \format, un
        compare \rows, \format, eq
        compare \rows, \format, ueq
        compare \rows, \format, olt
        compare \rows, \format, ult
        compare \rows, \format, ole
        compare \rows, \format, ule
        compare \rows, \format, sf
        compare \rows, \format, ngle
        compare \rows, \format, seq
        compare \rows, \format, ngl
        compare \rows, \format, lt
        compare \rows, \format, nge
        compare \rows, \format, le
        compare \rows, \format, ngt
        run     \rows, c.ole.\format $fcc3, $f2, $f4
        run     \rows, c.ngt.\format $fcc7, $f2, $f4
        two     \rows, \format, recip
        two     \rows, \format, rsqrt
        run     \rows, madd.\format $f6, $f8, $f2, $f4
        run     \rows, msub.\format $f6, $f8, $f2, $f4
        run     \rows, nmadd.\format $f6, $f8, $f2, $f4
        run     \rows, nmsub.\format $f6, $f8, $f2, $f4
        run     \rows, movf.\format $f6, $f2, $fcc0
        run     \rows, movt.\format $f6, $f2, $fcc0
        run     \rows, movf.\format $f6, $f2, $fcc5
        run     \rows, movt.\format $f6, $f2, $fcc5
        run     \rows, movz.\format $f6, $f2, $10
        run     \rows, movn.\format $f6, $f2, $10
        .if     FR
        two     \rows, \format, round.l
        two     \rows, \format, trunc.l
        two     \rows, \format, ceil.l
        two     \rows, \format, floor.l
        two     \rows, \format, cvt.l
        .endif
        .endm

        .data
        .align  3
operations:
        arithmetic singles, s
        arithmetic doubles, d
        run     doubles, cvt.s.d $f6, $f2
        run     singles, cvt.d.s $f6, $f2
        run     words, cvt.s.w $f6, $f2
        run     words, cvt.d.w $f6, $f2
        run     words, ctc1 $10, $31
        run     words, ctc1 $10, $25
        run     words, ctc1 $10, $26
        run     words, ctc1 $10, $28
        run     words, cfc1 $11, $31
        run     words, cfc1 $11, $25
        run     words, cfc1 $11, $26
        run     words, cfc1 $11, $28
        run     words, mtc1 $10, $f6
        run     words, mthc1 $10, $f6
        run     doubles, mfc1 $11, $f2
        run     doubles, mfhc1 $11, $f2
        run     doubles, lwxc1 $f6, $24($25)
        run     doubles, ldxc1 $f6, $24($25)
        run     doubles, swxc1 $f2, $24($25)
        run     doubles, sdxc1 $f2, $24($25)
        run     doubles, prefx 4, $24($25)
        branch  bc1f, $fcc0
        branch  bc1t, $fcc0
        branch  bc1fl, $fcc0
        branch  bc1tl, $fcc0
        branch  bc1f, $fcc1
        branch  bc1t, $fcc4
        branch  bc1fl, $fcc6
        branch  bc1tl, $fcc7
        .if     FR
        run     longs, cvt.s.l $f6, $f2
        run     longs, cvt.d.l $f6, $f2
        run     longs, dmtc1 $10, $f6
        run     doubles, dmfc1 $11, $f5
        run     doubles, add.d $f6, $f5, $f2
        run     doubles, mov.d $f6, $f5
        run     doubles, mov.s $f6, $f5
        run     doubles, luxc1 $f6, $3($25)
        run     doubles, suxc1 $f2, $3($25)
        .endif
        .word   0
        .align  3
untouched:
        .word   0x5a5aa5a5, 0xa5a55a5a
action:
        .word   sa_siginfo, handler, 0, 0, 0, 0

# The rows of a file, and what follows the last one.
        .macro  rows name
\name:
        .incbin "\name"
\name\()_end:
        .word   0x3ff00000, 0
        .endm

        rows    singles
        rows    doubles
        rows    words
        rows    longs
statuses:
        .incbin "statuses"
statuses_end:

        .bss
        .align  3
scratch:
        .space  16
results:
        .space  1 << 20
