MCU_mega = atmega2560
MCU_nano = atmega328p

CC = avr-gcc
FOR_CHIP = -flto -mmcu=$(MCU_$(BOARD)) -DF_CPU=16000000UL -DBAUD=$(BAUD)UL
IMAGE = $(OUT)/table.hex

$(OUT)/table.hex: $(OUT)/table.elf
	avr-objcopy -O ihex -R .eeprom $< $@
	avr-size $<
