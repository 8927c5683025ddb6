package service

import (
	"fmt"
	"path/filepath"
	"strings"
)

// systemdPlan is for Linux. A service of a person runs in their own manager; one of the machine runs as a user without rights that
// systemd makes for it, with its state in /var/lib/weir.
func systemdPlan(s Spec, configHome string) plan {
	const unit = Name + ".service"
	systemctl := func(args ...string) command {
		if s.System {
			return append(command{"systemctl"}, args...)
		}
		return append(command{"systemctl", "--user"}, args...)
	}
	p := plan{
		manager: "systemd (user)", file: filepath.Join(configHome, "systemd", "user", unit), text: systemdUnit(s), mode: 0o644,
		start:   []command{systemctl("daemon-reload"), systemctl("enable", unit), systemctl("restart", unit)},
		restart: []command{systemctl("restart", unit)},
		stop:    []command{systemctl("stop", unit)},
		gone:    []command{systemctl("disable", "--now", unit)},
		after:   []command{systemctl("daemon-reload")},
		state:   systemctl("show", unit, "--property=ActiveState,SubState,MainPID,ActiveEnterTimestamp,NRestarts"),
		parse:   systemdState,
		logs: func(lines int, follow bool) command {
			c := command{"journalctl", "--user-unit", unit, "--lines", fmt.Sprint(lines), "--no-pager"}
			if s.System {
				c[1] = "--unit"
			}
			if follow {
				c = append(c, "--follow")
			}
			return c
		},
		hint: "It runs while you are logged in. To keep it running after you log out: loginctl enable-linger",
	}
	if s.System {
		p.manager, p.file, p.hint = "systemd", filepath.Join("/etc/systemd/system", unit), ""
	}
	return p
}

// commonUnit holds for both kinds. What a service may not do, the MCP servers that weir starts may not do either, so nothing is in it
// that programs with a compiler of their own need.
const commonUnit = `NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
UMask=0077
LimitNOFILE=65536
`

// systemUnit is for a service of the machine: it sees nobody's home, and can write its own folders only.
const systemUnit = `DynamicUser=yes
StateDirectory=weir
StateDirectoryMode=0700
ConfigurationDirectory=weir
Environment=XDG_STATE_HOME=/var/lib XDG_CONFIG_HOME=/etc
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
RestrictNamespaces=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
CapabilityBoundingSet=
AmbientCapabilities=
RemoveIPC=yes
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
`

func systemdUnit(s Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by weir service install, weir %s. weir service uninstall removes it.\n", s.Version)
	b.WriteString("[Unit]\nDescription=weir, a firewall for the tool calls of AI agents\n")
	if s.System { // the manager of a person knows no network
		b.WriteString("After=network-online.target\nWants=network-online.target\n")
	}
	b.WriteString("\n[Service]\nType=notify\n")
	fmt.Fprintf(&b, "ExecStart=%s\n", systemdWords(append([]string{s.Program}, s.Args...)))
	b.WriteString("ExecReload=/bin/kill -HUP $MAINPID\nRestart=on-failure\nRestartSec=1\nTimeoutStopSec=90\n")
	for _, v := range s.Environment {
		fmt.Fprintf(&b, "Environment=%s\n", systemdWords([]string{v}))
	}
	b.WriteString(commonUnit)
	target := "default.target"
	if s.System {
		b.WriteString(systemUnit)
		target = "multi-user.target"
	}
	fmt.Fprintf(&b, "\n[Install]\nWantedBy=%s\n", target)
	return b.String()
}

// systemdWords quotes words for a unit: a percent sign begins a specifier there, and a dollar sign a variable.
func systemdWords(words []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = escape.Replace(w)
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\;") {
			out[i] = `"` + out[i] + `"`
		}
	}
	return strings.Join(out, " ")
}

// systemdState reads what systemctl show says: a property a line.
func systemdState(said string) (st State) {
	values := map[string]string{}
	for line := range strings.Lines(said) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[name] = value
	}
	st.Says = values["ActiveState"]
	if sub := values["SubState"]; sub != "" {
		st.Says += " (" + sub + ")"
	}
	st.Running = values["ActiveState"] == "active"
	if st.Running {
		st.Since, st.PID = values["ActiveEnterTimestamp"], values["MainPID"]
	}
	if n := values["NRestarts"]; n != "0" {
		st.Restarts = n
	}
	return st
}
