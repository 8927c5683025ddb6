package daemon

import (
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/app/control"
	"github.com/weir-gate/weir/internal/judge"
	"github.com/weir-gate/weir/internal/policy"
	"github.com/weir-gate/weir/internal/record/checkpoint"
	"github.com/weir-gate/weir/internal/record/store"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// respond returns the response to a request for a session.
func (s *sessions) respond(opened *session, port uint16) control.SessionResponse {
	c := s.d.cfg.Config
	a := control.SessionResponse{
		Port: port, Address: s.d.LocalBase(), Policy: opened.policy.Load().Version(), Source: opened.source, Rules: opened.policy.Load().Len(),
		Enforcement: string(c.Enforcement), ProxyMode: string(c.Proxy.Mode),
		Upstreams: map[string]string{}, Servers: declaredAddresses(s.d.policy.current()), Sockets: c.Egress.Sockets,
		Hide: s.d.privateFiles(), Fix: s.d.fixedFiles(opened), Secrets: s.d.secretVariables(opened),
	}
	if in := s.d.policy.inForce(); in.Version == a.Policy {
		a.PolicyTrouble = in.Trouble
	}
	if opened.sources != nil {
		a.Fixed = control.NewPolicyText(opened.source, *opened.sources)
	}
	for name, u := range c.Upstreams {
		a.Upstreams[name] = u.URL.String()
	}
	for _, r := range c.Egress.Loopback {
		a.Loopback = append(a.Loopback, control.PortRange{First: r.First, Last: r.Last})
	}
	for port := range opened.loopback {
		a.Loopback = append(a.Loopback, control.PortRange{First: port, Last: port})
	}
	return a
}

// declaredAddresses returns the ids of the network servers that a policy declares, by their addresses.
func declaredAddresses(p *policy.Policy) map[string]string {
	out := map[string]string{}
	if block := p.MCP(); block != nil {
		for _, written := range block.Servers {
			if s, err := written.Expand(os.LookupEnv); err == nil && s.URL != "" {
				out[s.URL] = s.ID
			}
		}
	}
	return out
}

// privateFiles returns the files that programs of sessions must not see: the state folder, the record, the key that signs it, and
// the configuration, which has secrets. A folder with only such files is hidden as a whole, because more of them may be added.
func (d *Daemon) privateFiles() []string {
	c := d.cfg.Config
	files := []string{d.cfg.ConfigPath, c.Audit.Key, c.Audit.Secret, c.TLS.Key, c.ClientFiles}
	files = append(files, c.KeyFiles()...)
	if c.Audit.Key != "" {
		files = append(files, checkpoint.Witness{KeyPath: c.Audit.Key}.Path())
	}
	files = absolute(append(files, store.URL(c.Store.URL).Files()...))
	folders := []string{d.cfg.StateDir}
	if d.cfg.StateDir != "" {
		if socket, err := control.Path(d.cfg.StateDir); err == nil {
			folders = append(folders, filepath.Dir(socket))
		}
	}
	return append(absolute(folders), wholeFolders(files, append(files, absolute([]string{d.cfg.Policy.Path})...))...)
}

// wholeFolders returns the files, and those of their folders that contain only known files.
func wholeFolders(files, known []string) (out []string) {
	for _, f := range files {
		if dir := filepath.Dir(f); dir != configDir() && holdsOnly(dir, known) && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
		out = append(out, f)
	}
	return out
}

// holdsOnly says whether a folder contains only these files.
func holdsOnly(dir string, files []string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) == 0 {
		return false
	}
	return !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !slices.Contains(files, filepath.Join(dir, e.Name())) })
}

// configDir returns the configuration folder; "": there is none. It creates a missing folder, so that nobody else can.
func configDir() string {
	dir, err := config.ConfigDir(os.LookupEnv)
	if err != nil || os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// fixedFiles returns the files that programs of sessions must not change: policies, prices, certificates, and the whole
// configuration folder, because a file that an editor replaces is no longer protected.
func (d *Daemon) fixedFiles(opened *session) []string {
	files := absolute(slices.Concat(d.policyFiles(opened), []string{d.cfg.Config.Prices, d.cfg.Config.TLS.Cert}, d.cfg.Config.CAFiles()))
	private := d.privateFiles()
	out := append(absolute([]string{configDir()}), wholeFolders(files, files)...)
	return slices.DeleteFunc(out, func(f string) bool { return slices.Contains(private, f) })
}

// policyFiles returns the files of the policies, and the folders in which another file would belong to one.
func (d *Daemon) policyFiles(opened *session) []string {
	out := []string{d.cfg.Policy.Path, opened.source}
	for _, s := range []*policy.Sources{d.policy.sources.Load(), opened.sources} {
		if s == nil {
			continue
		}
		for _, t := range slices.Concat(s.Files, s.Bases) {
			out = append(out, t.Name)
		}
	}
	return out
}

// absolute returns the absolute form of the paths that are not empty.
func absolute(paths []string) []string {
	var out []string
	for _, path := range paths {
		if path == "" {
			continue
		}
		if full, err := filepath.Abs(path); err == nil && !slices.Contains(out, full) {
			out = append(out, full)
		}
	}
	return out
}

// variable finds the environment variables that a text uses.
var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// plain are variables that programs need, and that are never secret.
var plain = []string{"HOME", "PATH", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "PWD", "TMPDIR", "HOSTNAME"}

// secretVariables returns the variables that the configuration and the policies use: they are for weir, not for agents.
func (d *Daemon) secretVariables(opened *session) []string {
	var out []string
	var texts [][]byte
	for _, s := range []*policy.Sources{d.policy.sources.Load(), opened.sources} {
		if s == nil {
			continue
		}
		for _, t := range slices.Concat(s.Files, s.Bases) {
			texts = append(texts, t.Data)
		}
	}
	if d.cfg.ConfigPath != "" {
		if text, err := yamlfile.ReadFile(d.cfg.ConfigPath); err == nil { // it may have changed since weir started
			texts = append(texts, text)
		}
	}
	for _, text := range texts {
		for _, m := range variable.FindAllSubmatch(text, -1) {
			if name := string(m[1]); !slices.Contains(out, name) && !slices.Contains(plain, name) && !strings.HasPrefix(name, "XDG_") {
				out = append(out, name)
			}
		}
	}
	return out
}

// egress returns what happens to connections that no rule matches.
func (d *Daemon) egress() judge.Egress {
	c := d.cfg.Config.Egress
	models := map[string]bool{}
	for _, u := range d.cfg.Config.Upstreams {
		models[strings.ToLower(u.URL.Hostname())] = true
	}
	return judge.Egress{
		Default: policy.Verdict(c.Default), Models: policy.Verdict(c.Models),
		IsModel:  func(host string) bool { return models[host] },
		Loopback: d.declaredPort,
		Own:      d.isOwnPort,
		Server:   d.serverAt,
	}
}

// isOwnPort says whether weir listens on a port.
func (d *Daemon) isOwnPort(port uint16) bool {
	at, ok := d.listener.Addr().(*net.TCPAddr)
	return ok && at.Port == int(port) || d.room.isPort(port)
}

// declaredPort says whether a session may reach a port of the machine.
func (d *Daemon) declaredPort(id string, port uint16) bool {
	in := func(r config.PortRange) bool { return r.First <= port && port <= r.Last }
	if slices.ContainsFunc(d.cfg.Config.Egress.Loopback, in) {
		return true
	}
	found := d.sessions.find(id)
	return found != nil && found.loopback[port]
}

// serverAt finds the MCP server that the policy of a session declares at a host and port.
func (d *Daemon) serverAt(session, host string, port uint16) (id string, ok bool) {
	p := d.sessions.policyOf(session)
	if p == nil {
		p = d.policy.current()
	}
	for at, id := range declaredAddresses(p) {
		u, err := url.Parse(at)
		if err != nil {
			continue
		}
		if strings.EqualFold(u.Hostname(), host) && portOf(u) == port {
			return id, true
		}
	}
	return "", false
}

// portOf returns the port of an address.
func portOf(u *url.URL) uint16 {
	if n, err := strconv.ParseUint(u.Port(), 10, 16); err == nil {
		return uint16(n)
	}
	if u.Scheme == "http" {
		return 80
	}
	return 443
}
