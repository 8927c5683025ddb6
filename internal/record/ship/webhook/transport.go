package webhook

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// errNear says that a name resolved to an address of this machine or of its link. Services there often trust everybody who can
// reach them.
var errNear = errors.New("the address is a loopback or link-local one, and the configuration does not name it as such")

// newTransport returns a transport for one host of a configuration. The owner of the name can let it resolve to any address, so
// near addresses are refused unless the host itself is one. The check uses the address that is connected to.
func newTransport(host string) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	if !namesNear(host) {
		dialer.Control = refuseNear
	}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    10 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    2,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// namesNear says whether a host of a URL is a near address itself, or the name localhost.
func namesNear(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && isNear(ip)
}

func refuseNear(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || isNear(at.Addr()) {
		return errNear
	}
	return nil
}

// metadata6 is the IPv6 address of one cloud's metadata service, which gives machines their secrets. Other such addresses are
// link-local.
var metadata6 = netip.MustParseAddr("fd00:ec2::254")

func isNear(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() || ip.IsMulticast() || ip == metadata6
}
