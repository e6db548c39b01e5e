// Instruction groups with dependencies, for --check=dependencies: behind each instruction that is to
// be reported, in the order in which they run, is what it does. In explicit mode GNU as warns that
// each of them violates a dependency or may violate one, but for what is marked "as: silent". It
// says of no other that it does, but for what is marked "as: static": it knows neither the values of
// predicates nor where a system call is.
// Sources: Intel Itanium Architecture Software Developer's Manual, volume 1, section 3.4, and volume
// 3, chapter 5.
	.explicit
	.text
	.global _start
_start:
	{ .mmi
	alloc r34 = ar.pfs, 0, 8, 1, 0
	mov r33 = r0
	nop.i 0 ;; }
	{ .mmi
	mov r20 = sp
	mov r21 = 1
	nop.i 0 ;; }
	{ .mmi
	adds r22 = 8, r20
	cmp.eq p6, p7 = r0, r0
	mov r23 = b0 ;; }

// Read after write, and write after write.
	{ .mii
	add r14 = r21, r21
	add r15 = r14, r21		//! reads r14
	nop.i 0 ;; }
	{ .mii
	ld8 r14 = [r20]
	add r14 = r21, r21		//! writes r14
	nop.i 0 ;; }
	{ .mmi
	ld8 r14 = [r20], 8
	ld8 r15 = [r20], -8		//! reads r20
	nop.i 0 ;; }
	{ .mmi				// across a bundle
	add r33 = r21, r0
	nop.m 0
	nop.i 0 }
	{ .mmi
	nop.m 0
	nop.m 0
	add r16 = r33, r0 ;; }		//! reads r33
	{ .mlx
	nop.m 0
	movl r14 = 0x123456789abcdef0 }
	{ .mfi
	setf.sig f6 = r14		//! reads r14
	fmerge.s f7 = f6, f6		//! reads f6
	nop.i 0 ;; }

// No dependency: read before write, a stop, r0.
	{ .mii
	add r15 = r14, r21
	add r14 = r21, r21 ;;
	add r16 = r14, r0 ;; }

// Predicates: an instruction that does not take place writes nothing, and reads its predicate.
	{ .mmi
(p7)	add r14 = r21, r0
	add r15 = r14, r0		// as: static
(p6)	add r16 = r21, r0 }
	{ .mmi
(p7)	add r17 = r16, r0
(p6)	add r16 = r0, r0		//! writes r16
	nop.i 0 ;; }
	{ .mmi
	cmp.eq p8, p9 = r21, r0
(p8)	add r14 = r21, r0		//! reads p8
	nop.i 0 ;; }
	{ .mib				// a branch may
	nop.m 0
	cmp.eq p8, p9 = r21, r0
(p8)	br.cond.spnt failed ;; }
	{ .mfb				// but not by a floating-point compare
	nop.m 0
	fcmp.eq.s0 p8, p9 = f0, f1
(p8)	br.cond.spnt failed ;; }	//! reads p8
	{ .mmi				// .unc writes in any case
(p7)	cmp.eq.unc p8, p9 = r21, r0
	cmp.eq p10, p8 = r21, r0	//! writes p8
	nop.i 0 ;; }
	{ .mib
	nop.m 0
	mov pr = r0, 0x300
(p8)	br.cond.spnt failed ;; }
	{ .mii
	nop.m 0
	mov pr = r0, 0x300
	mov r14 = pr ;; }		//! reads p8
	{ .mmi
	cmp.eq p6, p7 = r0, r0 ;;
	nop.m 0
	nop.i 0 ;; }

// Parallel compares: of one type.
	{ .mmi
	cmp.eq.or p8, p9 = r21, r0
	cmp.eq.or p8, p9 = r0, r0
	cmp.eq.and p10, p11 = r21, r0 }
	{ .mmi
	cmp.eq.and p10, p11 = r0, r0
	cmp.eq.and p8, p12 = r0, r0	//! writes p8
	nop.i 0 ;; }
	{ .mmi
	cmp.eq.or.andcm p8, p9 = r21, r0
	cmp.eq.or.andcm p8, p9 = r0, r0
	nop.i 0 ;; }
	{ .mmi
	cmp.eq.and p8, p9 = r21, r0
	cmp.eq p8, p10 = r0, r0		//! writes p8
	nop.i 0 ;; }

// Branch registers and ar.pfs.
	{ .mib
	nop.m 0
	mov b6 = r23
(p7)	br.cond.spnt b6 ;; }
	{ .mii
	nop.m 0
	mov b6 = r23
	mov r14 = b6 ;; }		//! reads b6
	{ .mii
	nop.m 0
	mov ar.pfs = r34
	mov r14 = ar.pfs ;; }		//! reads ar.pfs
	{ .mib
	nop.m 0
	mov ar.lc = r0
	br.cloop.spnt failed ;; }	//! reads ar.lc

// The frame: instructions may use what alloc makes.
	{ .mmi
	alloc r34 = ar.pfs, 0, 16, 1, 0
	mov r40 = r34			//! reads r34
	mov r41 = r0 ;; }
	{ .mmi
	alloc r34 = ar.pfs, 0, 16, 1, 0
	mov r14 = ar.bsp		//! reads the register stack engine
	nop.i 0 ;; }

// Check loads: the group may use what they load, not the base.
	{ .mmi
	ld8.a r14 = [r20] ;;
	ld8.c.clr r14 = [r20]
	add r15 = r14, r0 ;; }
	{ .mmi
	ld8.a r14 = [r20] ;;
	ld8.c.clr r14 = [r20], 8
	add r15 = r20, r0 ;; }		//! reads r20 as: silent
	{ .mmi
	adds r20 = -8, r20 ;;
	nop.m 0
	nop.i 0 ;; }

// ar.unat: a bit for each register that is spilled.
	{ .mmi
	st8.spill [r20] = r21
	st8.spill [r22] = r21
	nop.i 0 ;; }
	{ .mmi
	st8.spill [r20] = r21
	ld8.fill r14 = [r22]
	nop.i 0 ;; }
	{ .mmi
	st8.spill [r20] = r21
	ld8.fill r14 = [r20]		//! reads ar.unat
	nop.i 0 ;; }
	{ .mmi
	st8.spill [r20] = r21
	mov r14 = ar.unat		//! reads ar.unat
	nop.i 0 ;; }

// ar.fpsr: flags are sticky; what clears or moves them is not.
	{ .mfi
	nop.m 0
	fma.s0 f6 = f1, f1, f1
	nop.i 0 }
	{ .mfi
	nop.m 0
	fma.s0 f7 = f1, f1, f1
	nop.i 0 ;; }
	{ .mfi
	nop.m 0
	fma.s1 f6 = f1, f1, f1
	nop.i 0 }
	{ .mfi
	mov r14 = ar.fpsr		//! reads ar.fpsr.sf1.flags
	fclrf.s1			//! writes ar.fpsr.sf1.flags
	nop.i 0 ;; }
	{ .mfi
	nop.m 0
	fsetc.s2 0x7f, 0
	nop.i 0 }
	{ .mfi
	nop.m 0
	fma.s2 f6 = f1, f1, f1		//! reads ar.fpsr.sf2.controls
	nop.i 0 ;; }

// Other application registers, and the user mask.
	{ .mmi
	mov ar.ccv = r0
	cmpxchg8.acq r14 = [r20], r21, ar.ccv	//! reads ar.ccv
	nop.i 0 ;; }
	{ .mmf
	setf.sig f6 = r0
	rum 0x10			//! writes psr.mfl
	fmerge.s f7 = f0, f0 ;; }	//! writes psr.mfl

// A group ends at a branch that is taken, and at a break.
	{ .mib
	add r14 = r21, r0
	nop.i 0
	br.cond.sptk 1f }
	{ .mmi
	nop.m 0
	nop.m 0
	nop.i 0 }
1:	{ .mmi
	add r15 = r14, r0
	mov r15 = 1041			//! writes r15
	break.i 0x100000 }		// getpid
	{ .mmi
	add r14 = r8, r15		// as: static
	nop.m 0
	nop.i 0 ;; }

// A child of fork is watched, too: clone(SIGCHLD, 0, ...), then wait4(-1, 0, 0, 0).
	{ .mmi
	alloc r34 = ar.pfs, 0, 8, 6, 0 ;;
	mov r40 = 17
	mov r41 = 0 ;; }
	{ .mmi
	mov r42 = 0
	mov r43 = 0
	mov r44 = 0 }
	{ .mmi
	mov r45 = 0
	mov r15 = 1128
	break.i 0x100000 ;; }
	{ .mib
	cmp.ne p6, p0 = r8, r0
	nop.i 0
(p6)	br.cond.spnt 1f ;; }
	{ .mii
	add r14 = r21, r0
	add r15 = r14, r0		//! reads r14
	nop.i 0 ;; }
	{ .mmi
	mov r40 = 0
	mov r15 = 1025
	break.i 0x100000 ;; }
1:	{ .mmi
	mov r40 = -1
	mov r41 = 0
	mov r42 = 0 }
	{ .mmi
	mov r43 = 0
	mov r15 = 1126
	break.i 0x100000 ;; }

// A loop that is reported once.
	{ .mii
	mov r14 = 5
	mov ar.lc = 3
	nop.i 0 ;; }
2:	{ .mib
	add r14 = r14, r21
	add r15 = r14, r0		//! reads r14
	br.cloop.sptk 2b ;; }
1:	{ .mmi
	alloc r34 = ar.pfs, 0, 8, 1, 0 ;;
	mov r40 = 42
	mov r15 = 1025 ;; }
	{ .mmi
	nop.m 0
	nop.m 0
	break.i 0x100000 ;; }		// exit
failed:	{ .mmi
	break.m 1
	nop.m 0
	nop.i 0 ;; }
