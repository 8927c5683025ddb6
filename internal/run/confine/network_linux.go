package confine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"syscall"

	"github.com/mdlayher/netlink"
	"golang.org/x/sys/unix"
)

// The addresses of the namespace besides loopback. Some programs look for an address before they try to connect. They are from
// ranges that no machine uses.
var (
	ownIPv4 = netip.MustParseAddr("192.0.2.1")
	ownIPv6 = netip.MustParseAddr("2001:db8::1")
)

// outlets are the sockets inside to which everything is redirected, and the files to hand out.
type outlets struct {
	tcp4, tcp6, dns4, dns6 uint16 // ports; those of IPv6 are 0 if there is no IPv6
	doors                  []door
	files                  []*os.File
}

func (o *outlets) add(d door, f *os.File) {
	o.doors = append(o.doors, d)
	o.files = append(o.files, f)
}

// openNetwork sets up the empty network: all addresses become the namespace's own, and everything sent to them arrives at the
// outlets.
func openNetwork(o order) (*outlets, error) {
	loopback, err := net.InterfaceByName("lo")
	if err != nil {
		return nil, fmt.Errorf("find the loopback interface: %w", err)
	}
	conn, err := netlink.Dial(unix.NETLINK_ROUTE, nil)
	if err != nil {
		return nil, fmt.Errorf("reach the network of the namespace: %w", err)
	}
	defer conn.Close() // nothing more is written to it
	l := link{conn: conn, index: uint32(loopback.Index)}
	if err := l.up(); err != nil {
		return nil, fmt.Errorf("start the loopback interface: %w", err)
	}
	out := new(outlets)
	if err := out.listen(o.Ports); err != nil {
		return nil, err
	}
	if o.Socket != "" {
		f, err := listenAbstract(o.Socket)
		if err != nil {
			return nil, fmt.Errorf("listen at the socket of the session: %w", err)
		}
		out.add(door{Kind: doorSocket}, f)
	}
	if err := l.own(netip.IPv4Unspecified(), ownIPv4); err != nil {
		return nil, fmt.Errorf("make all addresses local: %w", err)
	}
	if out.tcp6 != 0 {
		source := ownIPv6
		if !o.IPv6 {
			// This machine has no connections over IPv6. With an IPv6 address, programs would prefer them.
			source = netip.Addr{}
		}
		if err := l.own(netip.IPv6Unspecified(), source); err != nil {
			return nil, fmt.Errorf("make all addresses of IPv6 local: %w", err)
		}
	}
	return out, redirect(out)
}

// link is the loopback interface.
type link struct {
	conn  *netlink.Conn
	index uint32
}

func (l link) up() error {
	head := make([]byte, unix.SizeofIfInfomsg)
	binary.NativeEndian.PutUint32(head[4:], l.index)
	binary.NativeEndian.PutUint32(head[8:], unix.IFF_UP)
	binary.NativeEndian.PutUint32(head[12:], unix.IFF_UP)
	return l.do(unix.RTM_NEWLINK, head, nil)
}

// own makes all addresses of a family the interface's own. source is the source address of connections; the zero value: loopback.
func (l link) own(all, source netip.Addr) error {
	family, bits := byte(unix.AF_INET), byte(all.BitLen())
	if all.Is6() {
		family = unix.AF_INET6
	}
	if source.IsValid() {
		head := make([]byte, unix.SizeofIfAddrmsg)
		head[0], head[1], head[2] = family, bits, unix.IFA_F_NODAD
		binary.NativeEndian.PutUint32(head[4:], l.index)
		err := l.do(unix.RTM_NEWADDR, head, func(ae *netlink.AttributeEncoder) {
			ae.Bytes(unix.IFA_LOCAL, source.AsSlice())
			ae.Bytes(unix.IFA_ADDRESS, source.AsSlice())
		})
		if err != nil {
			return err
		}
	}
	head := make([]byte, unix.SizeofRtMsg)
	head[0], head[4], head[5], head[6], head[7] = family, unix.RT_TABLE_LOCAL, unix.RTPROT_STATIC, unix.RT_SCOPE_HOST, unix.RTN_LOCAL
	return l.do(unix.RTM_NEWROUTE, head, func(ae *netlink.AttributeEncoder) {
		ae.Uint32(unix.RTA_OIF, l.index)
		if source.IsValid() {
			ae.Bytes(unix.RTA_PREFSRC, source.AsSlice())
		}
	})
}

func (l link) do(kind netlink.HeaderType, head []byte, attributes func(*netlink.AttributeEncoder)) error {
	flags := netlink.Request | netlink.Acknowledge
	if attributes != nil {
		ae := netlink.NewAttributeEncoder()
		attributes(ae)
		encoded, err := ae.Encode()
		if err != nil {
			return err
		}
		head = append(head, encoded...)
		flags |= netlink.Create | netlink.Excl
	}
	_, err := l.conn.Execute(netlink.Message{Header: netlink.Header{Type: kind, Flags: flags}, Data: head})
	return err
}

// listen opens the outlets. Each is bound to the address to which packets are redirected, because responses must come from there.
func (out *outlets) listen(ports []uint16) error {
	ipv6 := true
	if f, err := listenTCP("[::1]", 0); errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.EAFNOSUPPORT) {
		ipv6 = false
	} else if err != nil {
		return err
	} else if err := f.Close(); err != nil {
		return err
	}
	hosts := []string{"127.0.0.1"}
	if ipv6 {
		hosts = append(hosts, "[::1]")
	}
	for _, port := range ports {
		for _, host := range hosts {
			f, err := listenTCP(host, port)
			if err != nil {
				return fmt.Errorf("listen on port %d: %w", port, err)
			}
			out.add(door{doorLoopback, port}, f)
		}
	}
	for i, host := range hosts {
		tcp, err := out.claim(doorTCP, host, listenTCP)
		if err != nil {
			return err
		}
		dns, err := out.claim(doorDNS, host, listenUDP)
		if err != nil {
			return err
		}
		if i == 0 {
			out.tcp4, out.dns4 = tcp, dns
		} else {
			out.tcp6, out.dns6 = tcp, dns
		}
	}
	return nil
}

// Outlets get the highest free port: programs do not choose such ports, and the kernel gives none of them to connections.
const (
	highestPort = 65535
	lowestPort  = 61000
)

// claim opens an outlet on a free port.
func (out *outlets) claim(kind doorKind, host string, listen func(string, uint16) (*os.File, error)) (uint16, error) {
	for port := uint16(highestPort); port >= lowestPort; port-- {
		f, err := listen(host, port)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return 0, err
		}
		out.add(door{Kind: kind}, f)
		return port, nil
	}
	return 0, fmt.Errorf("no port of %s is free", host)
}

func listenTCP(host string, port uint16) (*os.File, error) {
	var config net.ListenConfig
	// The original destination is known only for plain TCP. Clients that offer multipath TCP fall back to plain TCP.
	config.SetMultipathTCP(false)
	l, err := config.Listen(context.Background(), "tcp", fmt.Sprintf("%s:%d", host, port))
	if err != nil {
		return nil, err
	}
	f, err := l.(*net.TCPListener).File()
	return f, errors.Join(err, l.Close())
}

func listenUDP(host string, port uint16) (*os.File, error) {
	c, err := net.ListenPacket("udp", fmt.Sprintf("%s:%d", host, port))
	if err != nil {
		return nil, err
	}
	f, err := c.(*net.UDPConn).File()
	return f, errors.Join(err, c.Close())
}

// listenAbstract listens on an abstract unix socket. Its name is free again when the last copy of the file is closed.
func listenAbstract(name string) (*os.File, error) {
	l, err := net.Listen("unix", "@"+name)
	if err != nil {
		return nil, err
	}
	f, err := l.(*net.UnixListener).File()
	return f, errors.Join(err, l.Close())
}
