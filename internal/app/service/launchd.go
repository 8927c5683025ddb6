package service

import (
	"fmt"
	"path/filepath"
	"strings"
)

// launchdLabel is the name of the service for launchd.
const launchdLabel = "io.github.weir-gate.weir"

// launchdPlan is for macOS.
func launchdPlan(s Spec, home string, uid int) plan {
	domain, file := fmt.Sprint("gui/", uid), filepath.Join(home, "Library", "LaunchAgents", launchdLabel+".plist")
	if s.System {
		domain, file = "system", filepath.Join("/Library/LaunchDaemons", launchdLabel+".plist")
	}
	target := domain + "/" + launchdLabel
	log := filepath.Join(s.StateDir, "service.log")
	return plan{
		manager: "launchd", file: file, text: launchdPlist(s, log), mode: 0o644,
		// The one that is there, if any, goes first: launchd does not read a changed file by itself. It fails if there is none.
		start:   []command{{"sh", "-c", "launchctl bootout " + target + " 2>/dev/null; launchctl bootstrap " + domain + " \"$0\"", file}},
		restart: []command{{"launchctl", "kickstart", "-k", target}},
		stop:    []command{{"launchctl", "kill", "SIGTERM", target}},
		gone:    []command{{"launchctl", "bootout", target}},
		state:   command{"launchctl", "print", target},
		parse:   launchdState,
		logs: func(lines int, follow bool) command {
			c := command{"tail", "-n", fmt.Sprint(lines)}
			if follow {
				c = append(c, "-F")
			}
			return append(c, log)
		},
	}
}

// launchdPlist has KeepAlive for failures only: a weir that was stopped stays stopped.
func launchdPlist(s Spec, log string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
`)
	fmt.Fprintf(&b, "<!-- Written by weir service install, weir %s. weir service uninstall removes it. -->\n",
		strings.ReplaceAll(s.Version, "--", "-"))
	b.WriteString("<plist version=\"1.0\">\n<dict>\n")
	fmt.Fprintf(&b, "  <key>Label</key><string>%s</string>\n  <key>ProgramArguments</key>\n  <array>\n", launchdLabel)
	for _, word := range append([]string{s.Program}, s.Args...) {
		fmt.Fprintf(&b, "    <string>%s</string>\n", xmlText(word))
	}
	b.WriteString("  </array>\n  <key>RunAtLoad</key><true/>\n  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>\n")
	b.WriteString("  <key>Umask</key><integer>63</integer>\n  <key>ProcessType</key><string>Interactive</string>\n")
	if len(s.Environment) > 0 {
		b.WriteString("  <key>EnvironmentVariables</key>\n  <dict>\n")
		for _, v := range s.Environment {
			name, value, _ := strings.Cut(v, "=")
			fmt.Fprintf(&b, "    <key>%s</key><string>%s</string>\n", xmlText(name), xmlText(value))
		}
		b.WriteString("  </dict>\n")
	}
	fmt.Fprintf(&b, "  <key>StandardOutPath</key><string>%s</string>\n  <key>StandardErrorPath</key><string>%[1]s</string>\n", xmlText(log))
	b.WriteString("</dict>\n</plist>\n")
	return b.String()
}

var xmlSigns = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func xmlText(s string) string { return xmlSigns.Replace(s) }

// launchdState reads what launchctl print says: lines such as "state = running" and "pid = 12".
func launchdState(said string) (st State) {
	for line := range strings.Lines(said) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " = ")
		switch {
		case name == "state" && st.Says == "":
			st.Says = value
		case name == "pid" && st.PID == "":
			st.PID = value
		}
	}
	st.Running = st.Says == "running"
	return st
}
