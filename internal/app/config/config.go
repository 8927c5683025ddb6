// Package config reads weir.yaml strictly. The comment of each field says its default.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/weir-gate/weir/internal/model/endpoint"
	"github.com/weir-gate/weir/internal/policy"
)

// Enforcement says how strictly the policy is enforced.
type Enforcement string

// The ways to enforce.
const (
	Enforce Enforcement = "enforce"
	Shadow  Enforcement = "shadow"  // every verdict becomes audit, and the record says what it would have been
	Observe Enforcement = "observe" // weir forwards first and reads later; nothing is changed, delayed or refused
)

// OnDeny says what happens to a refused call.
type OnDeny string

// What can happen to a refused call.
const (
	Replace OnDeny = "replace" // a notice replaces it
	Drop    OnDeny = "drop"    // it is removed
)

// Inbound says what happens to a request that offers a refused tool.
type Inbound string

// What can happen to such a request.
const (
	Block Inbound = "block" // it is refused
	Strip Inbound = "strip" // it is forwarded without the tool
)

// A Config is the configuration of one weir.
type Config struct {
	Listen      string        // default 127.0.0.1:4141; beyond loopback only with clients and TLS. Or unix: and the path of a socket
	TLS         TLS           // default none
	Ingress     Ingress       // default: none
	Drain       time.Duration // how long open responses may continue when weir ends; default 30 seconds
	DrainNotice time.Duration // how long weir goes on serving after it says that it is not ready any more; default 0
	Log         Log           // default: text, from info on
	Enforcement Enforcement   // default enforce
	Proxy       Proxy
	Upstreams   map[string]Upstream // by name; the built-in ones are always included
	Outgoing    Outgoing            // how they are reached; default: through the proxy that the environment names
	Clients     []Client            // default none: everyone who reaches the address may use weir, without an identity
	ClientFiles string              // a file, or a folder of files, with more clients; default none
	Policy      Policy              // default policy.yaml in the state folder
	OnDeny      OnDeny              // default replace
	Inbound     Inbound             // default block
	Notice      Notice
	Prices      string // path of a table of prices that overrides the built-in one; default none
	Store       Store  // default weir.db in the state folder
	Audit       Audit
	Bodies      Bodies
	Bounds      Bounds
	Metrics     Metrics
	OTLP        OTLP // default none
	Webhooks    []Webhook
	Egress      Egress
}

// TLS names the server's certificate. Both fields are set, or neither.
type TLS struct {
	Cert string // path of the PEM certificate chain
	Key  string // path of the PEM private key
}

// An Upstream is a model API behind weir.
type Upstream struct {
	URL *url.URL // the path after the upstream's name is appended to this
	Key string   // set in requests in place of the agent's own key; "": the agent's own key is forwarded
	// KeyFile is the file that Key was read from; "": none.
	KeyFile string
	// Changes lets clients change the models of a model server: pull, create, copy, push, delete.
	Changes bool
	// Outgoing is how it is reached, where that differs from Config.Outgoing.
	Outgoing Outgoing
}

// Policy says where the policy is. Exactly one field is set.
type Policy struct {
	Path   string
	Inline *policy.Policy
}

// Bounds are the sizes and times that weir allows.
type Bounds struct {
	Frame         int64         // bytes of one frame; default 16 MiB
	Arguments     int64         // bytes of arguments of one call; default 8 MiB
	WarnArguments int64         // bytes of arguments beyond which the record has a warning; default 1 MiB
	HeldClient    int64         // bytes of memory that weir may hold for one client; 0: half of HeldTotal
	HeldTotal     int64         // bytes of memory that weir may hold for all clients together; 0: depends on the machine's memory
	Hold          time.Duration // how long one call may be held; default 10 minutes
}

// builtIn are the addresses of the upstreams that need no declaration.
var builtIn = endpoint.BuiltIn()

func builtInUpstreams() map[string]Upstream {
	all := make(map[string]Upstream, len(builtIn))
	for name, address := range builtIn {
		u, err := url.Parse(address)
		if err != nil {
			panic("the address of " + name + " is no URL") // it is part of the program, and has a test
		}
		all[name] = Upstream{URL: u}
	}
	return all
}

// Default returns the configuration without a file. Policy and store are in stateDir.
func Default(stateDir string) *Config {
	return &Config{
		Listen:      "127.0.0.1:4141",
		Enforcement: Enforce,
		Proxy:       Proxy{Mode: Embedded},
		Upstreams:   builtInUpstreams(),
		Ingress:     defaultIngress(),
		Outgoing:    defaultOutgoing(),
		Log:         defaultLog(),
		Drain:       usualDrain,
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

// checkListen says why weir cannot listen on the address. The error does not contain the address, which may come from a variable.
func (c *Config) checkListen(address string) error {
	if path, socket := strings.CutPrefix(address, unixPrefix); socket {
		return checkSocket(path)
	}
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
	var missing []string
	if !c.ForClients() {
		missing = append(missing, "clients")
	}
	if (c.TLS == TLS{}) && !c.Ingress.EndsTLS {
		missing = append(missing, "tls")
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the address can be reached from other machines; add %s, or listen on 127.0.0.1", strings.Join(missing, " and "))
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
