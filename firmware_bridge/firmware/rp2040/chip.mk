CC = arm-none-eabi-gcc
FOR_CHIP = -mcpu=cortex-m0plus -mthumb -ffreestanding -fno-tree-loop-distribute-patterns
LINKED = -nostdlib -nostartfiles -T rp2040/table.ld -Wl,--build-id=none -lgcc
IMAGE = $(OUT)/table.bin

$(OUT)/table.elf: rp2040/table.ld
$(OUT)/table.bin: $(OUT)/table.elf
	arm-none-eabi-objcopy -O binary $< $@
