package egress

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// systemNames asks the name servers in a file in the form of resolv.conf. The file is read for each question: it is small, and
// changes when the machine moves to another network.
type systemNames struct {
	file string
	port string // of the name servers
}

// The bounds of values in the file, the same as in other programs that read it.
const (
	maxServers      = 3
	defaultTimeout  = 5 * time.Second
	maxTimeout      = 30 * time.Second
	defaultAttempts = 2
	maxAttempts     = 5
)

// A resolvConf is the content of the file.
type resolvConf struct {
	servers  []netip.Addr
	timeout  time.Duration
	attempts int
}

// readResolvConf parses the text of the file. If it has no server, the machine's own server is used.
func readResolvConf(text string) resolvConf {
	c := resolvConf{timeout: defaultTimeout, attempts: defaultAttempts}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "nameserver":
			if addr, err := netip.ParseAddr(words[1]); err == nil && len(c.servers) < maxServers {
				c.servers = append(c.servers, addr)
			}
		case "options":
			for _, option := range words[1:] {
				c.option(option)
			}
		}
	}
	if len(c.servers) == 0 {
		c.servers = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	return c
}

// option parses one option. Unknown options are ignored: they are about search lists and libraries.
func (c *resolvConf) option(option string) {
	key, value, _ := strings.Cut(option, ":")
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return
	}
	switch key {
	case "timeout":
		c.timeout = min(time.Duration(min(n, 60))*time.Second, maxTimeout)
	case "attempts":
		c.attempts = min(n, maxAttempts)
	}
}

// Exchange asks the servers in the order of the file, until one of them responds.
func (s systemNames) Exchange(ctx context.Context, query []byte) ([]byte, error) {
	text, err := os.ReadFile(s.file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("find the name servers: %w", err)
	}
	conf := readResolvConf(string(text))
	var last error
	for range conf.attempts {
		for _, server := range conf.servers {
			message, err := s.one(ctx, net.JoinHostPort(server.String(), s.port), query, conf.timeout)
			if err == nil {
				return message, nil
			}
			last = fmt.Errorf("ask the name server %v: %w", server, err)
			if ctx.Err() != nil {
				return nil, last
			}
		}
	}
	return nil, last
}

// one asks one server, over TCP if the response is too long for UDP.
func (s systemNames) one(ctx context.Context, server string, query []byte, timeout time.Duration) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	message, err := exchange(ctx, "udp", server, query)
	if err != nil {
		return nil, err
	}
	var p dnsmessage.Parser
	h, err := p.Start(message)
	if err != nil {
		return nil, err
	}
	if h.Truncated {
		if message, err = exchange(ctx, "tcp", server, query); err != nil {
			return nil, err
		}
		if h, err = p.Start(message); err != nil {
			return nil, err
		}
	}
	switch h.RCode {
	case dnsmessage.RCodeSuccess, dnsmessage.RCodeNameError:
		return message, nil
	default: // another server may know
		return nil, fmt.Errorf("it responds with %v", h.RCode)
	}
}

// exchange asks over UDP or TCP. The socket is connected, so that only the server can respond.
func exchange(ctx context.Context, network, server string, query []byte) ([]byte, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, server)
	if err != nil {
		return nil, err
	}
	defer conn.Close() // the response has been read
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if network == "tcp" {
		return exchangeStream(conn, query)
	}
	if _, err := conn.Write(query); err != nil {
		return nil, err
	}
	buf := make([]byte, maxTCP)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return nil, err
		}
		if isAnswer(buf[:n], query) { // anything else does not come from the server, or is late
			return buf[:n], nil
		}
	}
}

// exchangeStream asks over TCP.
func exchangeStream(conn net.Conn, query []byte) ([]byte, error) {
	if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(query))), query...)); err != nil {
		return nil, err
	}
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return nil, err
	}
	message := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, message); err != nil {
		return nil, err
	}
	if !isAnswer(message, query) {
		return nil, errors.New("the response is for another query")
	}
	return message, nil
}
