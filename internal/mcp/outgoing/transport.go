package outgoing

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// newTransport returns a transport for one origin. If pin is nil, certificates are checked against the roots.
func newTransport(c Config, origin *url.URL, pin *fingerprint) *http.Transport {
	rule := newAddressRule(origin.Hostname(), c.Allow)
	dialer := &net.Dialer{
		Timeout: c.ConnectTimeout, KeepAlive: 30 * time.Second, Resolver: c.Resolver,
		// Control is called with the resolved address, right before connecting to it.
		Control: func(_, address string, _ syscall.RawConn) error { return rule.checkDialled(address) },
	}
	return &http.Transport{
		Proxy:                  nil, // the proxy's address would be checked instead of the server's
		DialContext:            dialer.DialContext,
		TLSClientConfig:        tlsConfig(c, pin),
		TLSHandshakeTimeout:    c.ConnectTimeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    32,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		ExpectContinueTimeout:  time.Second,
		// Streams may be silent for long; pings detect a dead connection.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
	}
}

// A fingerprint is the SHA-256 of a certificate.
type fingerprint [sha256.Size]byte

func (f fingerprint) String() string { return fingerprintPrefix + hex.EncodeToString(f[:]) }

const fingerprintPrefix = "sha256:"

// parseFingerprint parses a declared fingerprint; nil: none is declared.
func parseFingerprint(text string) (*fingerprint, error) {
	if text == "" {
		return nil, nil
	}
	digits, ok := strings.CutPrefix(text, fingerprintPrefix)
	sum, err := hex.DecodeString(digits)
	if !ok || err != nil || len(sum) != sha256.Size {
		return nil, errors.New("it is not sha256: and 64 hex digits")
	}
	return (*fingerprint)(sum), nil
}

// otherCertificate says which certificate was presented in place of the declared one.
type otherCertificate struct{ presented fingerprint }

func (o *otherCertificate) Error() string {
	return fmt.Sprintf("%v: it presents %v", ErrFingerprint, o.presented)
}

func (o *otherCertificate) Is(target error) bool { return target == ErrFingerprint } // as errors.Is demands

func tlsConfig(c Config, pin *fingerprint) *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.RootCAs}
	if pin == nil {
		return config
	}
	// The pin is stricter than any authority: it must be exactly this certificate, whoever signed it for whatever name. The handshake
	// proves that the server has its key.
	config.InsecureSkipVerify = true
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return errors.New("the server presents no certificate")
		}
		if presented := fingerprint(sha256.Sum256(state.PeerCertificates[0].Raw)); presented != *pin {
			return &otherCertificate{presented}
		}
		return nil
	}
	return config
}
