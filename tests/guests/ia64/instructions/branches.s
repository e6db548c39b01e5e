// Branches and templates: every template once, multiway branches, calls and returns, long branches, chk and brp.
	.include "guest.inc"

_start:
	begin
	// The templates, each with a stop at its end and without; groups of the second kind end in the next bundle.
	.macro sum name
	add r23=r20,r21 ;;
	add r23=r23,r22 ;;
	result "\name", r23
	mov r20=0
	mov r21=0
	mov r22=0 ;;
	.endm
	mov r20=0
	mov r21=0
	mov r22=0
	mov r24=16 ;;
	{ .mii
	add r20=1,r24
	add r21=2,r24
	add r22=4,r24
	}
	{ .mii
	nop.m 0
	nop.i 0
	nop.i 0 ;;
	}
	sum "MII, without and with stop"
	{ .mii
	add r20=1,r24
	add r21=2,r24 ;;
	add r22=4,r21
	}
	;;
	sum "MI;I"
	{ .mii
	add r20=1,r24
	add r21=2,r24 ;;
	add r22=4,r21 ;;
	}
	sum "MI;I;"
	{ .mlx
	add r20=1,r24
	movl r21=0x123456789abcdef0
	}
	;;
	sum "MLX"
	{ .mlx
	add r20=1,r24
	movl r21=-2 ;;
	}
	sum "MLX;"
	{ .mmi
	add r20=1,r24
	add r21=2,r24
	add r22=4,r24
	}
	;;
	sum "MMI"
	{ .mmi
	add r20=1,r24
	add r21=2,r24
	add r22=4,r24 ;;
	}
	sum "MMI;"
	{ .mmi
	add r20=1,r24 ;;
	add r21=2,r20
	add r22=4,r20
	}
	;;
	sum "M;MI"
	{ .mmi
	add r20=1,r24 ;;
	add r21=2,r20
	add r22=4,r20 ;;
	}
	sum "M;MI;"
	{ .mfi
	add r20=1,r24
	fadd.s1 f20=f1,f1
	add r22=4,r24
	}
	;;
	getf.d r21=f20 ;;
	sum "MFI"
	{ .mfi
	add r20=1,r24
	fsub.s1 f20=f0,f1
	add r22=4,r24 ;;
	}
	getf.d r21=f20 ;;
	sum "MFI;"
	{ .mmf
	add r20=1,r24
	add r22=4,r24
	fadd.s1 f20=f1,f1
	}
	;;
	getf.d r21=f20 ;;
	sum "MMF"
	{ .mmf
	add r20=1,r24
	add r22=4,r24
	fsub.s1 f20=f0,f1 ;;
	}
	getf.d r21=f20 ;;
	sum "MMF;"
	{ .mib
	add r20=1,r24
	add r21=2,r24
	br.few 1f
	}
	mov r20=0 ;;
1:	sum "MIB"
	{ .mib
	add r20=1,r24
	add r21=2,r24
	br.few 1f ;;
	}
	mov r20=0 ;;
1:	sum "MIB;"
	{ .mbb
	add r20=1,r24
	nop.b 0
	br.few 1f
	}
	mov r20=0 ;;
1:	sum "MBB"
	{ .mbb
	add r20=1,r24
	br.few 1f
	br.few 2f ;;
	}
2:	mov r20=0 ;;
1:	sum "MBB;"
	{ .bbb
	nop.b 0
	br.few 1f
	br.few 2f
	}
2:	mov r20=8 ;;
1:	sum "BBB"
	{ .bbb
	br.few 1f
	br.few 2f
	br.few 2f ;;
	}
2:	mov r20=8 ;;
1:	sum "BBB;"
	{ .mmb
	add r20=1,r24
	add r21=2,r24
	br.few 1f
	}
	mov r20=0 ;;
1:	sum "MMB"
	{ .mmb
	add r20=1,r24
	add r21=2,r24
	br.few 1f ;;
	}
	mov r20=0 ;;
1:	sum "MMB;"
	{ .mfb
	add r20=1,r24
	fadd.s1 f20=f1,f1
	br.few 1f
	}
	mov r20=0 ;;
1:	getf.d r21=f20 ;;
	sum "MFB"
	{ .mfb
	add r20=1,r24
	fsub.s1 f20=f0,f1
	br.few 1f ;;
	}
	mov r20=0 ;;
1:	getf.d r21=f20 ;;
	sum "MFB;"

	// Multiway: the first taken branch wins.
	.irp mask, 0,1,2,3,4,5,6,7
	mov r20=\mask<<6 ;;
	mov pr=r20,0x1c0 ;;
	{ .bbb
	(p6)	br.cond.dptk.few 1f
	(p7)	br.cond.dpnt.few 2f
	(p8)	br.cond.sptk.many 3f ;;
	}
	mov r21=4
	br.few 5f ;;
1:	mov r21=1
	br.few 5f ;;
2:	mov r21=2
	br.few 5f ;;
3:	mov r21=3 ;;
5:
	result "multiway, predicates \mask", r21
	.endr

	// A slot before a taken branch acts, one behind it does not; a call in slot 1 links to the next bundle.
	mov r20=0
	mov r21=0 ;;
	{ .mbb
	add r20=1,r20
	br.call.sptk.few b6=adds_two
	br.call.sptk.few b6=adds_two ;;
	}
	result "two calls of a bundle", r20

	// Indirect: bits 0 to 3 of the register do not count.
	movl r22=1f+15 ;;
	mov b7=r22
	mov r20=0 ;;
	br.cond.sptk.few b7 ;;
	mov r20=1 ;;
1:
	mov r22=b7 ;;
	and r22=15,r22 ;;
	result "indirect to an odd address", r20
	result "whose low bits stay in b7", r22
	movl r22=adds_two ;;
	mov b7=r22
	mov r20=0 ;;
	br.call.sptk.few b6=b7 ;;
	result "indirect call", r20
	movl r22=adds_two ;;
	mov b6=r22 ;;
	br.call.sptk.few b6=b6 ;;
	result "indirect call that links into its own register", r20
	mov r20=0
	cmp.ne p6,p7=r0,r0 ;;
	mov b6=r0 ;;
	(p6)	br.call.sptk.few b6=adds_two ;;
	mov r22=b6 ;;
	result "a call with a false predicate", r20
	result "and its link", r22

	// Long branches.
	mov r20=0 ;;
	brl.sptk.few 1f ;;
	mov r20=1 ;;
1:
	result "brl", r20
	brl.call.sptk.few b6=adds_two ;;
	result "brl.call", r20
	(p6)	brl.cond.sptk.few 1f ;;
	add r20=16,r20 ;;
1:
	result "brl with a false predicate", r20

	// A call's frame: the outputs are the callee's inputs; the result comes back in a static register.
	alloc r31=ar.pfs,2,4,3,0 ;;
	mov r32=0x32
	mov r37=0x37
	mov r38=0x38
	mov r39=0x39
	mov r40=0x40 ;;
	br.call.sptk.few b6=frames ;;
	result "the first output after the callee wrote r32", r38
	result "r32 is the caller's", r32
	result "ar.pfs in the callee", r20
	result "its inputs", r21
	result "a nested call's depth", r22
	alloc r31=ar.pfs,0,96,0,0 ;;

	// Fibonacci: 20 levels of frames.
	alloc r31=ar.pfs,0,2,1,0
	mov r28=b0 ;;
	mov r34=20 ;;
	br.call.sptk.few b0=fibonacci ;;
	result "fibonacci of 20", r8
	br.few finish ;;

adds_two:
	add r20=2,r20
	br.ret.sptk.few b6 ;;

frames:
	mov.i r20=ar.pfs ;;
	alloc r35=ar.pfs,3,2,1,0
	mov r36=b6
	add r21=r32,r34 ;;
	add r32=1,r32
	mov r37=10 ;;
	br.call.sptk.few b6=deeper ;;
	mov.i ar.pfs=r35
	mov b6=r36 ;;
	br.ret.sptk.few b6 ;;

// Recurs r32 times; r22 counts.
deeper:
	alloc r33=ar.pfs,1,2,1,0
	mov r34=b6
	add r35=-1,r32
	cmp.eq p6,p7=0,r32 ;;
	(p6)	mov r22=0
	(p7)	br.call.sptk.few b6=deeper ;;
	add r22=1,r22
	mov.i ar.pfs=r33
	mov b6=r34 ;;
	br.ret.sptk.few b6 ;;

// r8 = fibonacci(r32).
fibonacci:
	alloc r33=ar.pfs,1,3,1,0
	mov r34=b0
	cmp.gt p6,p7=2,r32 ;;
	(p6)	mov r8=r32
	(p6)	br.cond.dpnt.few 1f
	add r36=-1,r32 ;;
	br.call.sptk.few b0=fibonacci ;;
	mov r35=r8
	add r36=-2,r32 ;;
	br.call.sptk.few b0=fibonacci ;;
	add r8=r8,r35 ;;
1:
	mov b0=r34
	mov.i ar.pfs=r33 ;;
	br.ret.sptk.few b0 ;;
