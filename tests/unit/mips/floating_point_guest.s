# A static Linux o32 program, big-endian, which runs each floating-point instruction on each row of
# operands under each initial FCSR and writes what it sees. Three files, which the test puts in the
# assembler's search path, hold the operands: rows of two 64-bit values; singles and words stand in
# the lower halves. A fourth holds the initial values of FCSR, one word each.
#
# Output, per instruction: its word; then per FCSR and row 16 bytes: $f6 and $f7 as a double (they
# held `untouched` before), FCSR, and 1 when SIGFPE came, else 0. Exit status 1: a system call
# failed.
        .set    noreorder

        .equ    sys_exit, 4001
        .equ    sys_write, 4004
        .equ    sys_prctl, 4192
        .equ    sys_rt_sigaction, 4194
        .equ    pr_set_fp_mode, 45
        .equ    sigfpe, 8
        .equ    sa_siginfo, 8
        # In the ucontext_t of a signal handler: the lower words of the saved pc and of $s7.
        .equ    saved_pc, 24 + 8 + 4
        .equ    saved_s7, 24 + 16 + 23 * 8 + 4

        .text
        .globl  __start
__start:
        # Registers of 32 bits: FR = 0.
        li      $a0, pr_set_fp_mode
        li      $a1, 0
        li      $v0, sys_prctl
        syscall
        bnez    $a3, failed
        nop
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
        lw      $t2, 4($s5)
        lw      $t1, 0($s4)
        ctc1    $t1, $31
        jalr    $s1
        nop
        cfc1    $t1, $31
        sdc1    $f6, 0($s6)
        sw      $t1, 8($s6)
        sw      $s7, 12($s6)
        addiu   $s5, $s5, 16
        bne     $s5, $s3, row
        addiu   $s6, $s6, 16

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
        run     words, ctc1 $t2, $31
        .word   0
        .align  3
untouched:
        .word   0x5a5aa5a5, 0xa5a55a5a
action:
        .word   sa_siginfo, handler, 0, 0, 0, 0
singles:
        .incbin "singles"
singles_end:
doubles:
        .incbin "doubles"
doubles_end:
words:
        .incbin "words"
words_end:
statuses:
        .incbin "statuses"
statuses_end:

        .bss
        .align  3
results:
        .space  1 << 20
