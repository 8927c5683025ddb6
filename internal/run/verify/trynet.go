package verify

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/weir-gate/weir/internal/policy"
)

const (
	// dialWithin is how long a trial of the network may take.
	dialWithin = 5 * time.Second
	// silence is how long to wait for a response to a datagram.
	silence = 2 * time.Second
)

// cause returns the innermost message of an error.
func cause(err error) string {
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		return errno.Error()
	}
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return "no response in time"
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}

// timedOut says that there was no response in time.
func timedOut(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// tryTCP connects to an address that nobody has, and asks there for the canary's host.
func tryTCP(ctx context.Context, address string) (Result, string) {
	ctx, cancel := context.WithTimeout(ctx, dialWithin)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err == nil {
		defer conn.Close()
		// It does not matter who responds: there must be no response at all.
		secured := tls.Client(conn, &tls.Config{ServerName: policy.CanaryHost, InsecureSkipVerify: true})
		err = secured.HandshakeContext(ctx)
	}
	switch {
	case err == nil:
		return Done, "somebody responded"
	case timedOut(err):
		return Unclear, "no response in time"
	}
	return Stopped, cause(err)
}

// tryUDP sends a datagram to an address that nobody has.
func tryUDP(ctx context.Context, address string) (Result, string) {
	conn, err := (&net.Dialer{Timeout: dialWithin}).DialContext(ctx, "udp", address)
	if err != nil {
		return Stopped, cause(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(silence)); err != nil {
		return Unclear, cause(err)
	}
	if _, err = conn.Write([]byte("canary")); err == nil {
		_, err = conn.Read(make([]byte, 16))
	}
	switch {
	case err == nil:
		return Done, "somebody responded"
	case timedOut(err):
		return Unclear, "it was sent, and nobody responded"
	}
	return Stopped, cause(err)
}

// tryLookup looks up the canary's host.
func tryLookup(ctx context.Context) (Result, string) {
	ctx, cancel := context.WithTimeout(ctx, dialWithin)
	defer cancel()
	found, err := (&net.Resolver{PreferGo: true}).LookupHost(ctx, policy.CanaryHost+".")
	switch {
	case err == nil:
		return Done, fmt.Sprintf("%d addresses", len(found))
	case timedOut(err):
		return Unclear, "no response in time"
	}
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) {
		return Stopped, dns.Err
	}
	return Stopped, cause(err)
}

// tryPort connects to a service of the machine.
func tryPort(ctx context.Context, port uint16, banner string) (Result, string) {
	for _, host := range []string{"127.0.0.1", "localhost"} {
		conn, err := (&net.Dialer{Timeout: dialWithin}).DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(int(port))))
		if err != nil {
			continue
		}
		got := make([]byte, len(banner))
		_ = conn.SetDeadline(time.Now().Add(dialWithin)) // if it fails, the run itself has a time limit
		_, err = io.ReadFull(conn, got)
		_ = conn.Close()
		if err == nil && bytes.Equal(got, []byte(banner)) {
			return Done, "it responded"
		}
	}
	return Stopped, "cut off"
}

// tryProxy asks the proxy of the session for the canary's host.
func tryProxy(ctx context.Context, proxy string) (Result, string) {
	u, err := url.Parse(proxy)
	if err != nil {
		return Unclear, "HTTPS_PROXY is no address"
	}
	conn, err := (&net.Dialer{Timeout: dialWithin}).DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return Unclear, "the proxy does not respond: " + cause(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(dialWithin)) // if it fails, the run itself has a time limit
	target := policy.CanaryHost + ":443"
	if _, err := fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target); err != nil {
		return Unclear, cause(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodConnect})
	switch {
	case err != nil:
		return Stopped, "cut off"
	case resp.StatusCode == http.StatusOK:
		return Done, "it was opened"
	}
	return Stopped, fmt.Sprintf("response with status %d", resp.StatusCode)
}

// trySockets connects to unix sockets.
func trySockets(ctx context.Context, paths []string) (Result, string) {
	var reached []string
	why := "none is there"
	for _, path := range paths {
		conn, err := (&net.Dialer{Timeout: dialWithin}).DialContext(ctx, "unix", path)
		if err != nil {
			why = cause(err)
			continue
		}
		_ = conn.Close()
		reached = append(reached, path)
	}
	if len(reached) > 0 {
		return Done, "reached " + strings.Join(reached, ", ")
	}
	return Stopped, why
}
