/*
 * The boot ROM copies the first 256 bytes of the flash to RAM, and runs them if their checksum is right
 * (the packer adds it). They let the flash be read like memory, by the one command that every such
 * flash knows (03: read, 24 bits of address), and begin the program.
 */
    .cpu cortex-m0plus
    .syntax unified
    .thumb
    .section .boot, "ax"

    .equ SSI, 0x18000000
    .equ CTRLR0, 0x00
    .equ CTRLR1, 0x04
    .equ SSIENR, 0x08
    .equ BAUDR, 0x14
    .equ SPI_CTRLR0, 0xF4 - 0x80

    ldr r0, =SSI
    movs r1, #0
    str r1, [r0, #SSIENR]       /* off while it is set up */
    movs r1, #4                 /* 12 MHz of the 48 */
    str r1, [r0, #BAUDR]
    ldr r1, =(31 << 16 | 3 << 8) /* words of 32 bits; a command first, then data */
    str r1, [r0, #CTRLR0]
    movs r1, #0                 /* one word a read */
    str r1, [r0, #CTRLR1]
    ldr r1, =(0x03 << 24 | 2 << 8 | 6 << 2) /* command 03, of 8 bits; 24 bits of address */
    movs r2, #0x80
    adds r2, r0
    str r1, [r2, #SPI_CTRLR0]
    movs r1, #1
    str r1, [r0, #SSIENR]
    ldr r0, =0x10000100         /* the vectors: the stack's end, and where to start */
    ldr r1, =0xE000ED08         /* VTOR */
    str r0, [r1]
    ldr r1, [r0]
    msr msp, r1
    ldr r1, [r0, #4]
    bx r1
    .ltorg
