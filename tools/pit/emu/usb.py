"""The USB host at the other end of the console: it NAKs when it has nothing to say, and it may stop reading.

Defects of the stock emulator mended here:
 - its host completes every OUT buffer the firmware arms with a zero-length packet some 20 us later. TinyUSB arms the
   next one from the interrupt, which makes 36,500 USB interrupts per emulated second: the CPU never sleeps. A real
   host leaves the buffer armed (NAK) until there is data. Measured: time.sleep(5) from 135 s of wall time to 0.1 s.
 - its host takes any amount of output at once. With `reads = False` this one leaves IN buffers full, as a PC does
   whose program has stopped reading: the firmware's buffer fills up and its prints run into their time-out.
 - it drops console input beyond 512 bytes. This one queues without limit and hands out one packet per armed buffer.
IN packets still cost no time on the wire.
"""

from rp2040py.peripherals.usb import (
    EP0_IN_BUFFER_CONTROL,
    EP15_OUT_BUFFER_CONTROL,
    USB_BUF_CTRL_AVAILABLE,
    RPUSBController,
)
from rp2040py.usb.cdc import USBCDC

USB_BASE = 0x50110
_PACKET = 64  # bytes, full-speed bulk endpoint
_OUT_DELAY_NS = 20_000  # from "data is there" to the packet on the bus: a few bulk slots of a frame
_OUT_BIT = 4  # offset bit: buffer control registers alternate IN, OUT


class UsbController(RPUSBController):
    """The device controller, whose IN buffers can be left full by the host."""

    def __init__(self, mcu):
        super().__init__(mcu, "USB")
        self.reads = True
        self._full = {}  # offset of buffer control register -> its value, armed while the host does not read

    def dpram_updated(self, offset, value):
        """The firmware wrote `value` at `offset` of the USB RAM; arming an IN buffer makes a packet."""
        if (not self.reads and EP0_IN_BUFFER_CONTROL + _OUT_BIT < offset <= EP15_OUT_BUFFER_CONTROL
                and not offset & _OUT_BIT and value & USB_BUF_CTRL_AVAILABLE):
            self._full[offset] = value
        else:
            super().dpram_updated(offset, value)

    def read_on(self, reads):
        """The host reads (True) or does not (False). Buffers that wait are taken at once."""
        self.reads = reads
        if reads:
            waiting, self._full = self._full, {}
            for offset, value in waiting.items():
                super().dpram_updated(offset, value)

    def reset(self):
        """As stock; packets that waited are gone."""
        super().reset()
        self._full = {}


class Console(USBCDC):
    """The host's side of the serial console. `on_data(bytes)` is called for every packet from the firmware."""

    def __init__(self, usb, on_data):
        super().__init__(usb)
        self.on_serial_data = on_data
        self.connected = False
        self.on_device_connected = self._connect
        self._queue = bytearray()
        self._armed = None  # size of the OUT buffer that the firmware has armed and we have not filled, or None
        self._kick = usb.rp2040.clock.create_alarm(self._fill)
        self._kicking = False
        self._control_read = usb.on_endpoint_read
        usb.on_endpoint_read = self._on_read

    def send(self, data):
        """Queue `data` for the firmware."""
        self._queue += data
        self._kick_off()

    @property
    def pending(self):
        """Bytes that the firmware has not taken yet."""
        return len(self._queue)

    def _connect(self):
        self.connected = True

    def _on_read(self, endpoint, size):
        if endpoint == 0 or endpoint != self._out_endpoint:
            self._control_read(endpoint, size)
            return
        self._armed = size
        self._kick_off()

    def _kick_off(self):
        if self._armed is not None and self._queue and not self._kicking:
            self._kicking = True
            self._kick.schedule(_OUT_DELAY_NS)

    def _fill(self):
        self._kicking = False
        if self._armed is None or not self._queue:
            return
        size = min(self._armed, _PACKET)
        packet, self._armed = bytes(self._queue[:size]), None
        del self._queue[:size]
        self.usb.endpoint_read_done(self._out_endpoint, packet)

    def _on_controller_reset(self):
        super()._on_controller_reset()
        self.connected = False
        self._armed = None
        self._queue.clear()
        self._kick.cancel()
        self._kicking = False


def mend(mcu):
    """Put the controller into the chip; returns it."""
    mcu.usb_ctrl.rp2040 = None  # the old one lives on in its own alarms: without the chip
    mcu.usb_ctrl = mcu.peripherals[USB_BASE] = UsbController(mcu)
    return mcu.usb_ctrl
