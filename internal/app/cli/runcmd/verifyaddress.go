package runcmd

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
)

// addressOf returns the address of the running weir, with the user's key.
func addressOf(response control.SessionResponse, cfg *config.Config) (string, error) {
	u, err := url.Parse(response.Address)
	if _, socket := strings.CutPrefix(response.Address, unixScheme); socket {
		u = &url.URL{Scheme: "http", Host: "localhost"} // httpClient connects to the socket, whatever the address is
	}
	if err != nil || u.Host == "" {
		return "", errors.New("the running weir has another version, and does not say where it listens; restart it")
	}
	if at, err := netip.ParseAddrPort(u.Host); err == nil && at.Addr().IsUnspecified() {
		u.Host = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port()).String()
	}
	key, err := clientKey(cfg)
	if err != nil {
		return "", err
	}
	address := u.Scheme + "://" + u.Host
	if key != "" {
		address += "/k/" + url.PathEscape(key)
	}
	return address, nil
}

// unixScheme begins the address of a weir that listens on a unix socket.
const unixScheme = "unix:"

// httpClient returns a client for a weir of this machine. It uses no proxy, and trusts weir's own certificate.
func httpClient(cfg *config.Config) (*http.Client, error) {
	transport := &http.Transport{Proxy: nil, DisableCompression: true}
	if path, socket := cfg.Socket(); socket {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		}
	}
	if cfg.TLS.Cert != "" {
		own, err := os.ReadFile(cfg.TLS.Cert)
		if err != nil {
			return nil, fmt.Errorf("read tls.cert: %w", err)
		}
		pair, err := tls.LoadX509KeyPair(cfg.TLS.Cert, cfg.TLS.Key)
		if err != nil {
			return nil, fmt.Errorf("load tls.cert and tls.key: %w", err)
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(own) {
			return nil, errors.New("tls.cert is not a PEM certificate; correct the path in weir.yaml")
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
		if leaf := pair.Leaf; leaf != nil && len(leaf.DNSNames) > 0 {
			transport.TLSClientConfig.ServerName = leaf.DNSNames[0] // the address on this machine may not be in the certificate
		}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}
