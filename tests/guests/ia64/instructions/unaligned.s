// Accesses to odd addresses with psr.ac 0: Linux performs them, byte by byte.
	.include "guest.inc"

	.data
	.align 32
bytes:	data1 0x80,0x81,0x92,0xa3,0xb4,0xc5,0xd6,0xe7,0x3f,0xf0,0x01,0x02,0x03,0x04,0xf0,0xbf
	data1 0x10,0x11,0x12,0x13,0x14,0x15,0x16,0x17,0x18,0x19,0x1a,0x1b,0x1c,0x1d,0x1e,0x1f
copy:	.skip 64

	.text
_start:
	begin
	.irp offset, 1,3,5,7
	movl r20=bytes+\offset ;;
	ld8 r22=[r20]
	ld4 r23=[r20]
	ld2 r24=[r20]
	ldfd f20=[r20]
	ldfs f21=[r20]
	ldf8 f22=[r20] ;;
	getf.sig r25=f22 ;;
	result "ld8 at \offset", r22
	result "ld4 at \offset", r23
	result "ld2 at \offset", r24
	result "ldf8 at \offset", r25
	movl r20=copy+\offset ;;
	st8 [r20]=r22 ;;
	ld8 r26=[r20] ;;
	result "st8 at \offset, read back", r26
	stfd [r20]=f20 ;;
	ld8 r26=[r20] ;;
	result "ldfd and stfd at \offset", r26
	stfs [r20]=f21 ;;
	ld4 r26=[r20] ;;
	result "ldfs and stfs at \offset", r26
	st4 [r20]=r0 ;;
	st2 [r20]=r22 ;;
	movl r20=copy ;;
	ld8 r26=[r20],8 ;;
	ld8 r27=[r20] ;;
	result "st4 and st2 at \offset, first word", r26
	result "st4 and st2 at \offset, second word", r27
	.endr
	sum 2
	movl r20=bytes+3 ;;
	ld8 r22=[r20]
	ld4 r23=[r20] ;;
	rum 2 ;;
	result "ld8 at 3, big-endian", r22
	result "ld4 at 3, big-endian", r23
	br.few finish ;;
