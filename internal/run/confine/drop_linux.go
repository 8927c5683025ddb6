package confine

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"time"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// dropSnap is how many bytes of a datagram are logged: enough for the headers.
const dropSnap = 128

// The kernel's interface for logs of packets, from linux/netfilter/nfnetlink_log.h.
const (
	logPacket    = unix.NFNL_SUBSYS_ULOG << 8
	logConfig    = unix.NFNL_SUBSYS_ULOG<<8 | 1
	logCommand   = 1 // NFULA_CFG_CMD
	logMode      = 2 // NFULA_CFG_MODE
	logThreshold = 5 // NFULA_CFG_QTHRESH
	logBind      = 1 // NFULNL_CFG_CMD_BIND
	logCopy      = 2 // NFULNL_COPY_PACKET
	logPayload   = 9 // NFULA_PAYLOAD
)

// openDropLog opens the socket at which the kernel reports dropped datagrams. To open it needs the right to administer the network;
// to read from it needs none.
func openDropLog() (*os.File, error) {
	conn, err := netlink.Dial(unix.NETLINK_NETFILTER, nil)
	if err != nil {
		return nil, err
	}
	defer conn.Close() // the copy that is handed out stays open
	ae := netlink.NewAttributeEncoder()
	ae.Bytes(logCommand, []byte{logBind})
	ae.Bytes(logMode, []byte{0, 0, 0, dropSnap, logCopy, 0})
	ae.Bytes(logThreshold, []byte{0, 0, 0, 1}) // report each at once
	attributes, err := ae.Encode()
	if err != nil {
		return nil, err
	}
	_, err = conn.Execute(netlink.Message{
		Header: netlink.Header{Type: logConfig, Flags: netlink.Request | netlink.Acknowledge},
		Data:   append([]byte{unix.AF_UNSPEC, unix.NFNETLINK_V0, 0, dropGroup}, attributes...),
	})
	if err != nil {
		return nil, err
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	var copied int
	var failed error
	if err := raw.Control(func(fd uintptr) { copied, failed = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	return os.NewFile(uintptr(copied), "log of datagrams"), nil
}

// maxTold is how many reports can wait to be received.
const maxTold = 64

// lastTold is how long it may take to read the kernel's last reports, at the end.
const lastTold = 30 * time.Millisecond

// tellDropped forwards the kernel's reports, until the read deadline of the log.
func tellDropped(log *os.File) <-chan Datagram {
	told := make(chan Datagram, maxTold)
	go func() {
		defer close(told)
		defer log.Close()
		buffer := make([]byte, 64<<10)
		for {
			n, err := log.Read(buffer)
			if errors.Is(err, unix.ENOBUFS) || errors.Is(err, unix.EINTR) {
				continue // the kernel had more reports than the buffer could hold
			}
			if err != nil {
				return
			}
			for _, d := range readDropped(buffer[:n]) {
				select {
				case told <- d:
				default:
				}
			}
		}
	}()
	return told
}

// readDropped parses the datagrams in a message of the log. What cannot be parsed is left out: the program chose its content.
func readDropped(message []byte) []Datagram {
	var found []Datagram
	for len(message) >= unix.SizeofNlMsghdr {
		length := int(binary.NativeEndian.Uint32(message))
		if length < unix.SizeofNlMsghdr || length > len(message) {
			break
		}
		body := message[unix.SizeofNlMsghdr:length]
		// Four bytes come before the attributes.
		if binary.NativeEndian.Uint16(message[4:]) == logPacket && len(body) >= 4 {
			if d, ok := readLogged(body[4:]); ok {
				found = append(found, d)
			}
		}
		message = message[min((length+3)&^3, len(message)):]
	}
	return found
}

func readLogged(attributes []byte) (Datagram, bool) {
	ad, err := netlink.NewAttributeDecoder(attributes)
	if err != nil {
		return Datagram{}, false
	}
	for ad.Next() {
		if ad.Type() == logPayload {
			return readDatagram(ad.Bytes())
		}
	}
	return Datagram{}, false
}

// readDatagram parses the headers of a UDP packet.
func readDatagram(packet []byte) (d Datagram, ok bool) {
	if len(packet) == 0 {
		return Datagram{}, false
	}
	var source, destination netip.Addr
	var header int
	switch {
	case packet[0]>>4 == 4 && len(packet) >= 20 && packet[9] == unix.IPPROTO_UDP:
		header = int(packet[0]&0x0f) * 4
		if header < 20 {
			return Datagram{}, false
		}
		source, destination = netip.AddrFrom4([4]byte(packet[12:16])), netip.AddrFrom4([4]byte(packet[16:20]))
	case packet[0]>>4 == 6 && len(packet) >= 40 && packet[6] == unix.IPPROTO_UDP:
		header = 40
		source, destination = netip.AddrFrom16([16]byte(packet[8:24])).Unmap(), netip.AddrFrom16([16]byte(packet[24:40])).Unmap()
	default:
		return Datagram{}, false
	}
	if len(packet) < header+4 {
		return Datagram{}, false
	}
	ports := packet[header:]
	return Datagram{
		Source:      netip.AddrPortFrom(source, binary.BigEndian.Uint16(ports)),
		Destination: netip.AddrPortFrom(destination, binary.BigEndian.Uint16(ports[2:])),
	}, true
}
