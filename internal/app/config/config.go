// Package config reads weir.yaml: strict, with every default beside its field.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"time"

	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/policy"
)

// Enforcement says how far the policy is enforced.
type Enforcement string

// The ways to enforce.
const (
	Enforce Enforcement = "enforce"
	Shadow  Enforcement = "shadow"  // verdicts become audit, and the record says what they would have been
	Observe Enforcement = "observe" // forward first, read after; nothing is changed, delayed or refused
)

// OnDeny says what becomes of a refused call.
type OnDeny string

// What can become of a refused call.
const (
	Replace OnDeny = "replace" // a notice takes its place
	Drop    OnDeny = "drop"    // it vanishes
)

// Inbound says what becomes of a request that offers a refused tool.
type Inbound string

// What can become of such a request.
const (
	Block Inbound = "block" // it is refused
	Strip Inbound = "strip" // it goes on without the tool
)

// A Config is what one weir runs by.
type Config struct {
	Listen      string      // default 127.0.0.1:4141; beyond loopback only with clients and TLS
	TLS         TLS         // default none
	Enforcement Enforcement // default enforce
	Proxy       Proxy
	Upstreams   map[string]Upstream // by name; those that are built in are always there
	Clients     []Client            // default none: everyone who reaches the address, as nobody in particular
	Policy      Policy              // default policy.yaml in the state folder
	OnDeny      OnDeny              // default replace
	Inbound     Inbound             // default block
	Prices      string              // path of a table of prices that goes ahead of the built-in one; default none
	Store       Store               // default weir.db in the state folder
	Audit       Audit
	Bodies      Bodies
	Bounds      Bounds
	Metrics     Metrics
	OTLP        OTLP // default none
	Webhooks    []Webhook
	Egress      Egress
}

// TLS names the server's certificate. Both are set, or neither.
type TLS struct {
	Cert string // path of the PEM certificate chain
	Key  string // path of the PEM private key
}

// An Upstream is a model API behind weir.
type Upstream struct {
	URL *url.URL // what the path after the upstream's name is appended to
	Key string   // injected into requests in place of the agent's own; "": the agent's own passes
	// Changes lets clients change the models of a model server: pull, create, copy, push, delete.
	Changes bool
}

// A Client is one who may use this weir, and who that is.
type Client struct {
	Key      string // the secret that the client shows
	Name     string // what policies call the key; may be ""
	Employee string
	Team     string
	Org      string
	// SessionHeader is the header in which the client names the session of a request; "": it names none.
	SessionHeader string
}

// Policy says where the policy is. One field is set.
type Policy struct {
	Path   string
	Inline *policy.Policy
}

// Bounds are the sizes and times that weir allows.
type Bounds struct {
	Frame         int64         // bytes of one frame; default 16 MiB
	Arguments     int64         // bytes of arguments of one call; default 8 MiB
	WarnArguments int64         // bytes of arguments past which the record has a warning; default 1 MiB
	HeldClient    int64         // bytes of memory that one client may have held; 0: half of HeldTotal
	HeldTotal     int64         // bytes of memory that all clients together may have held; 0: by the machine's memory
	Hold          time.Duration // how long one call may be held; default 10 minutes
}

// builtIn are the upstreams that need no declaration, with their addresses.
var builtIn = endpoint.BuiltIn()

func builtInUpstreams() map[string]Upstream {
	all := make(map[string]Upstream, len(builtIn))
	for name, address := range builtIn {
		u, err := url.Parse(address)
		if err != nil {
			panic("the address of " + name + " is no URL") // it is part of the program, and tested
		}
		all[name] = Upstream{URL: u}
	}
	return all
}

// Default is the configuration without a file. Policy and store are in stateDir.
func Default(stateDir string) *Config {
	return &Config{
		Listen:      "127.0.0.1:4141",
		Enforcement: Enforce,
		Proxy:       Proxy{Mode: Embedded},
		Upstreams:   builtInUpstreams(),
		Policy:      Policy{Path: filepath.Join(stateDir, "policy.yaml")},
		OnDeny:      Replace,
		Inbound:     Block,
		Store:       Store{URL: "sqlite://" + filepath.Join(stateDir, "weir.db")},
		Audit:       defaultAudit(stateDir),
		Bodies:      defaultBodies(),
		Metrics:     Metrics{Enabled: true},
		Egress:      defaultEgress(),
		Bounds: Bounds{
			Frame: 16 * mib, Arguments: 8 * mib, WarnArguments: 1 * mib, Hold: 10 * time.Minute,
		},
	}
}

// SetListen changes the address, if the rest of the configuration allows it.
func (c *Config) SetListen(address string) error {
	if err := c.checkListen(address); err != nil {
		return err
	}
	c.Listen = address
	return nil
}

// checkListen says why the address cannot be listened on. What it says holds nothing of the address: it may come from a
// variable.
func (c *Config) checkListen(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return errors.New("this is not an address; write host:port, such as 127.0.0.1:4141")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return errors.New("the port is not a number from 0 to 65535; write host:port, such as 127.0.0.1:4141")
	}
	if isLoopback(host) {
		return nil
	}
	missing := ""
	switch {
	case len(c.Clients) == 0 && c.TLS == TLS{}:
		missing = "clients and tls"
	case len(c.Clients) == 0:
		missing = "clients"
	case c.TLS == TLS{}:
		missing = "tls"
	default:
		return nil
	}
	return fmt.Errorf("the address can be reached from other machines; add %s, or listen on 127.0.0.1", missing)
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
