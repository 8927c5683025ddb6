package daemon

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/intake/ingress"
)

// listen opens the port or the socket. If it is taken, the error says what to do.
func listen(c *config.Config) (net.Listener, error) {
	if path, socket := c.Socket(); socket {
		return listenUnix(path, c.Ingress.SocketMode)
	}
	l, err := net.Listen("tcp", c.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("listen on %s: the port is in use; weir may be running already; else set listen to another port", c.Listen)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; correct listen in weir.yaml", c.Listen, err)
	}
	return l, nil
}

// socketAnswers is how long a program may take to accept a connection at a socket that is there already.
const socketAnswers = time.Second

// listenUnix opens a unix socket. It removes that of a weir that was killed, and nothing else.
func listenUnix(path string, mode fs.FileMode) (net.Listener, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w; correct listen in weir.yaml", path, err)
	case info.Mode()&fs.ModeSocket == 0:
		return nil, fmt.Errorf("listen on %s: there is a file that is no socket; move it away, or set listen to another path", path)
	default:
		if c, err := net.DialTimeout("unix", path, socketAnswers); err == nil || !errors.Is(err, syscall.ECONNREFUSED) {
			if err == nil {
				_ = c.Close() // only that somebody accepts it counts
			}
			return nil, fmt.Errorf("listen on %s: the socket is in use; weir may be running already; else set listen to another path", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("listen on %s: remove the socket of a weir that was killed: %w", path, err)
		}
	}
	l, err := net.Listen("unix", path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("listen on %s: the folder does not exist; create it, or set listen to another path", path)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; correct listen in weir.yaml", path, err)
	}
	if err := os.Chmod(path, mode); err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", path, err), l.Close())
	}
	return l, nil
}

// Address is where the daemon listens: host and port, or unix: and the path of a socket.
func (d *Daemon) Address() string {
	if at, socket := d.listener.Addr().(*net.UnixAddr); socket {
		return "unix:" + at.Name
	}
	return d.listener.Addr().String()
}

// LocalBase returns weir's own address on this machine.
func (d *Daemon) LocalBase() string {
	if _, socket := d.listener.Addr().(*net.UnixAddr); socket {
		return d.Address()
	}
	if d.tls != nil {
		return "https://" + d.Address()
	}
	return "http://" + d.Address()
}

// Base is the address that clients use.
func (d *Daemon) Base() string {
	if advertised := d.cfg.Config.Ingress.Advertise; advertised != nil {
		return advertised.String()
	}
	return d.LocalBase()
}

// openAdmission sets up who may use the doors.
func (d *Daemon) openAdmission() (err error) {
	c := d.cfg.Config
	own := c.Ingress.Hosts
	if _, socket := c.Socket(); !socket {
		host, _, err := net.SplitHostPort(c.Listen)
		if err != nil {
			return fmt.Errorf("read listen: %w", err)
		}
		own = append(own, host)
	}
	if c.Ingress.Advertise != nil {
		own = append(own, c.Ingress.Advertise.Hostname())
	}
	hosts := own
	if d.certificate != nil {
		d.certificate.onChange = func(c *tls.Certificate) { d.admission.ReplaceHosts(append(certificateHosts(c), own...)) }
		hosts = append(certificateHosts(d.certificate.current.Load()), own...)
	}
	d.admission, err = admission.New(admission.Config{Clients: admitted(c.Clients), Closed: c.ClientFiles != "", Hosts: hosts})
	return err
}

// ingress returns what stands between clients and the doors; nil: nothing.
func (d *Daemon) ingress() *ingress.Ingress {
	i := d.cfg.Config.Ingress
	return ingress.New(ingress.Config{
		Trusted: i.Trusted, TrustsSocket: i.TrustsSocket, Header: string(i.Header), ProxyProtocol: i.ProxyProtocol, EndsTLS: i.EndsTLS,
		Log: d.cfg.Log,
	})
}
