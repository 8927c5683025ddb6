package webhook

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	for _, text := range []string{
		"127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::", "169.254.169.254", "fe80::1", "fe80::1%eth0", "::ffff:127.0.0.1",
		"::ffff:169.254.169.254", "::ffff:0.0.0.0", "ff02::1", "224.0.0.1", "fd00:ec2::254", "fd00:ec2::254%eth0",
	} {
		if !isNear(netip.MustParseAddr(text)) {
			t.Errorf("%s is not near", text)
		}
	}
	for _, text := range []string{"10.0.0.1", "192.168.1.1", "8.8.8.8", "2001:db8::1", "fd00::1"} {
		if isNear(netip.MustParseAddr(text)) {
			t.Errorf("%s is near", text)
		}
	}
	for host, want := range map[string]bool{
		"127.0.0.1": true, "localhost": true, "LOCALHOST.": true, "::1": true, "169.254.1.1": true,
		"hooks.example": false, "localhost.example": false, "10.0.0.1": false, "127.1": false, "": false,
	} {
		if got := namesNear(host); got != want {
			t.Errorf("%q names a near address: %v", host, got)
		}
	}
}

// A name that leads to this machine is refused when it is connected to; the address itself is not.
func TestNamesThatLeadHere(t *testing.T) {
	reached := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]bool{"hooks.example": false, "127.0.0.1": true, "localhost": true} {
		reached = false
		transport := newTransport(host)
		// The name is resolved by whoever owns it: here it leads to the server of the test.
		conn, err := transport.DialContext(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", port))
		if err == nil {
			conn.Close()
		}
		if got := err == nil; got != want || !want && !errors.Is(err, errNear) {
			t.Errorf("%s: %v", host, err)
		}
		resp, err := (&http.Client{Transport: transport}).Get(server.URL)
		if err == nil {
			resp.Body.Close()
		}
		if reached != want {
			t.Errorf("%s: reached %v, %v", host, reached, err)
		}
		transport.CloseIdleConnections()
	}
}

// Neither proxies of the environment nor redirects lead elsewhere.
func TestNoProxy(t *testing.T) {
	if newTransport("hooks.example").Proxy != nil {
		t.Error("it asks for a proxy")
	}
}
