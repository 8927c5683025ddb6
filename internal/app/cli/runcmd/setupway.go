package runcmd

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/app/cli/exit"
	"github.com/weir-gate/weir/internal/app/cli/inuse"
	"github.com/weir-gate/weir/internal/app/cli/running"
	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/policy/declared"
	"github.com/weir-gate/weir/internal/run/agent"
	"github.com/weir-gate/weir/internal/text/envtext"
)

// A setupWay is the weir through which a client is routed permanently.
type setupWay struct {
	weir  agent.Weir
	shown string // its address, without a key
	notes []string
}

// way returns the weir that the configuration describes.
func (f *setupFlags) way() (setupWay, error) {
	cfg, err := inuse.Config(f.config)
	if err != nil {
		return setupWay{}, err
	}
	if cfg.Proxy.Mode == config.Disabled {
		return setupWay{}, exit.WrongInput(errors.New("proxy.mode is disabled, so this weir serves no models; change it in weir.yaml"))
	}
	rules, _, err := (&inuse.PolicyFlags{Config: f.config}).Load()
	if err != nil {
		return setupWay{}, err
	}
	way := setupWay{}
	if way.shown, err = serveAddress(cfg); err != nil {
		return setupWay{}, exit.WrongInput(err)
	}
	key, err := clientKey(cfg)
	if err != nil {
		return setupWay{}, exit.WrongInput(err)
	}
	way.weir = agent.Weir{Base: way.shown, Upstreams: map[string]string{}, Served: servedBy(rules)}
	if key != "" {
		way.weir.Base += "/k/" + url.PathEscape(key)
		way.notes = append(way.notes, "your key (WEIR_KEY) is written into the client's settings; whoever can read them can use weir as you")
	}
	for name, u := range cfg.Upstreams {
		way.weir.Upstreams[name] = u.URL.String()
	}
	if cfg.TLS.Cert != "" && cfg.Ingress.Advertise == nil {
		way.notes = append(way.notes, "weir uses TLS with the certificate "+
			cfg.TLS.Cert+"; the client must trust it, and it must be valid for the address")
	}
	if way.weir.Program, err = os.Executable(); err != nil {
		return setupWay{}, fmt.Errorf("find weir's own program: %w", err)
	}
	if inTemporaryFolder(way.weir.Program) {
		way.notes = append(way.notes, "weir's program is "+
			way.weir.Program+", which looks temporary; wrapped MCP servers do not start once it is gone; "+
			"install weir, and run setup with that program")
	}
	return way, nil
}

// serveAddress returns the address of weir serve for a client: the advertised one, else the one on this machine.
func serveAddress(cfg *config.Config) (string, error) {
	base := cfg.ClientBase()
	switch {
	case base == "":
		return "", errors.New("weir listens on a unix socket, which clients cannot use; " +
			"set ingress.advertise to the address at which they reach it")
	case cfg.Ingress.Advertise == nil && strings.HasSuffix(base, ":0"):
		return "", errors.New("listen has port 0, which means another port at each start; write a fixed port in weir.yaml")
	}
	return base, nil
}

// clientKey returns the key that the client will send; "": weir has no clients.
func clientKey(cfg *config.Config) (string, error) {
	if !cfg.ForClients() {
		return "", nil
	}
	key := os.Getenv(running.KeyVariable)
	if key == "" {
		return "", errors.New("this weir has clients; set WEIR_KEY to your key")
	}
	for _, c := range cfg.Clients {
		if c.Has(key) {
			return key, nil
		}
	}
	return "", errors.New("WEIR_KEY is not the key of a client of this weir; correct it")
}

// servedBy finds declared MCP servers by their addresses; nil: weir's gateway serves none.
func servedBy(p *policy.Policy) func(address string) (string, bool) {
	if p.MCP() == nil {
		return nil
	}
	ids := map[string]string{}
	for _, s := range p.MCP().Servers {
		if s.Type != declared.HTTP && s.Type != declared.SSE {
			continue
		}
		// If variables of an address are not set here, no client can have that address.
		if address, err := envtext.Expand(s.URL, os.LookupEnv); err == nil {
			ids[strings.TrimSuffix(address, "/")] = s.ID
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return func(address string) (string, bool) {
		id, ok := ids[strings.TrimSuffix(address, "/")]
		return id, ok
	}
}

// inTemporaryFolder says that a program is in a folder for temporary builds and downloads.
func inTemporaryFolder(program string) bool {
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return true
	}
	temporary, err := filepath.EvalSymlinks(os.TempDir())
	if err != nil {
		return false
	}
	below, err := filepath.Rel(temporary, program)
	return err == nil && filepath.IsLocal(below)
}
