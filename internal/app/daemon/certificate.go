package daemon

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
)

// A liveCertificate is the certificate of the doors. When its files change it is read again; connections that are open keep the old one.
type liveCertificate struct {
	cert, key string // paths
	log       *slog.Logger
	current   atomic.Pointer[tls.Certificate]
	files     *watched
	// onChange is called with a new certificate; nil: nothing is called.
	onChange func(*tls.Certificate)
}

// ServerTLS loads the certificate that a configuration names; nil if it names none.
func ServerTLS(cfg *config.Config) (*tls.Config, error) {
	live, err := newCertificate(cfg)
	if live == nil || err != nil {
		return nil, err
	}
	return live.config(), nil
}

// newCertificate loads the certificate that a configuration names; nil if it names none.
func newCertificate(cfg *config.Config) (*liveCertificate, error) {
	if cfg.TLS.Cert == "" {
		return nil, nil
	}
	l := &liveCertificate{cert: cfg.TLS.Cert, key: cfg.TLS.Key, files: watch(cfg.TLS.Cert, cfg.TLS.Key)}
	return l, l.load()
}

func (l *liveCertificate) load() error {
	cert, err := tls.LoadX509KeyPair(l.cert, l.key)
	if err != nil {
		return fmt.Errorf("load tls.cert and tls.key: %w; they must be a certificate and its key in PEM", err)
	}
	l.current.Store(&cert)
	return nil
}

// config is for a server: each new connection gets the current certificate.
func (l *liveCertificate) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return l.current.Load(), nil },
	}
}

// run reads the certificate again when its files change, until ctx ends. One that cannot be loaded leaves the old one in force.
func (l *liveCertificate) run(ctx context.Context, every time.Duration) {
	l.files.follow(ctx, every, func() {
		if err := l.load(); err != nil {
			l.log.Error("the new certificate cannot be loaded; the old one stays in force", "err", err)
			return
		}
		cert := l.current.Load()
		if l.onChange != nil {
			l.onChange(cert)
		}
		if cert.Leaf != nil {
			l.log.Info("certificate loaded", "file", l.cert, "expires", cert.Leaf.NotAfter)
		}
	})
}

// openCertificate loads the certificate of the doors, if there is one.
func (d *Daemon) openCertificate() (err error) {
	if d.certificate, err = newCertificate(d.cfg.Config); err != nil || d.certificate == nil {
		return err
	}
	d.certificate.log, d.tls = d.cfg.Log, d.certificate.config()
	return nil
}

// certificateHosts are the host names under which clients may reach a weir with this certificate.
func certificateHosts(c *tls.Certificate) []string {
	if c.Leaf == nil {
		return nil
	}
	leaf := c.Leaf
	hosts := slices.Clone(leaf.DNSNames)
	for _, ip := range leaf.IPAddresses {
		hosts = append(hosts, ip.String())
	}
	return hosts
}
