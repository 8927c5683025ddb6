package deed

import (
	"net/netip"
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// shellOptions give a connection to a program.
var shellOptions = []string{"-e", "-c", "--exec", "--sh-exec", "--lua-exec"}

// givesShell reports whether the connection of a line is the input or output of a shell.
func (f *finder) givesShell(l *line) bool {
	switch l.name {
	case "nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat", "sbd", "powercat":
		if l.has(shellOptions...) != 0 || listens(l) && l.namesShell() {
			return true
		}
	case "socat", "websocat":
		for _, it := range l.items {
			kind, _, _ := strings.Cut(strings.ToLower(it.word.Text), ":")
			if kind == "exec" || kind == "system" || kind == "shell" || l.name == "websocat" && (kind == "sh-c" || kind == "cmd") {
				return true
			}
		}
		return f.fromShell(l)
	case "gs-netcat", "tmate", "ttyd", "gotty", "ztcp", "pwncat", "xterm", "rxvt", "urxvt", "code", "rcat", "pwncat-cs", "gsocket",
		"invoke-powershelltcp", "invoke-powershellicmp", "invoke-powershelludp", "invoke-conptyshell", "invoke-powershelltcponeline",
		"icmpsh", "icmpsh_m.py",
		"rpyc_classic.py", "rpyc_classic", "mosh-server", "x11vnc", "wayvnc", "vncserver", "tightvncserver", "x0vncserver", "kasmvncserver",
		"code-server", "openvscode-server", "butterfly.server.py", "webssh", "wssh", "merlinagent", "hoaxshell", "dropbear", "xinetd", "xpra":
		return true
	case "ssh", "autossh", "dbclient", "plink", "slogin":
		return l.forwardsLogin()
	case "dnscat2", "dnscat", "telnetd", "in.telnetd", "utelnetd", "rshd", "in.rshd", "rexecd", "sshx", "upterm", "wetty", "shellinaboxd",
		"tty-share", "teleconsole", "reverse-ssh", "webshell", "villain", "pupysh":
		return true
	case "websocketd", "tcpserver", "tcpsvd", "udpsvd", "s6-tcpserver", "s6-tcpserver4", "s6-tcpserver6", "micro-inetd", "faucet",
		"systemd-socket-activate", "inetd", "tcploop", "tcpclient", "s6-tcpclient", "s6-tcpclient4", "ucspi-tcp", "tcpconnect",
		"stunnel", "rustcat":
		return l.namesShell()
	case "jupyter", "jupyter-lab", "jupyter-notebook", "marimo", "theia":
		return len(l.ends) > 0
	case "exec":
		return len(deviceEnds(l)) > 0
	case "telnet", "openssl":
	default:
		return shells[l.name] && len(deviceEnds(l)) > 0
	}
	return f.fromShell(l)
}

// forwardsLogin reports a login of another machine that leads its port back to the logins of this one, or to all that it reaches.
func (l *line) forwardsLogin() bool {
	forwards := l.values("-R")
	for _, w := range l.values("-o") {
		if name := "remoteforward"; len(w.Text) > len(name) && strings.EqualFold(w.Text[:len(name)], name) {
			ends := strings.Fields(w.Text[len(name)+1:])
			forwards = append(forwards, shell.Word{Text: strings.Join(ends, ":")})
		}
	}
	for _, w := range forwards {
		parts := strings.Split(w.Text, ":")
		if port := parts[len(parts)-1]; len(parts) > 2 && loginPorts[port] || len(parts) == 1 {
			return true
		}
	}
	return false
}

// loginPorts are those where machines let somebody in.
var loginPorts = wordSet("22 2222 23 3389 5900 5985 5986")

// display is where a terminal is shown, if its environment says another machine.
func (l *line) display() []end {
	if l.name != "xterm" && l.name != "rxvt" && l.name != "urxvt" {
		return nil
	}
	for _, set := range l.c.Assigns {
		if to, ok := strings.CutPrefix(set.Text, "DISPLAY="); ok && strings.Index(to, ":") > 0 {
			host, _, _ := strings.Cut(to, ":")
			return []end{{host: address.Host{Name: host}, port: "6000"}}
		}
	}
	return nil
}

// strangerShell is the end to which a program of which nothing is known seems to give a shell: its words name a shell, and an address
// and a port beside each other.
func strangerShell(l *line) []end {
	entry, _ := program.Lookup(l.name)
	if _, known := hostRows()[l.name]; known || silent[l.name] || entry != program.Unknown || !l.namesShell() {
		return nil
	}
	for i := 0; i+1 < len(l.items); i++ {
		host, port := l.items[i].word, l.items[i+1].word.Text
		if _, err := netip.ParseAddr(host.Text); (err == nil || looksLikeHost(host.Text)) && isPortNumber(port) {
			out := ends(host, port)
			for i := range out {
				out[i].shell = true
			}
			return out
		}
	}
	return nil
}

func isPortNumber(text string) bool {
	return text != "" && len(text) <= 5 && strings.Trim(text, "0123456789") == ""
}

// namesShell reports whether a word of a line is a shell.
func (l *line) namesShell() bool {
	for _, it := range l.items {
		if name := programName(it.word.Text); shells[name] && name != "." && name != "source" && name != "eval" {
			return true
		}
	}
	return false
}

// fromShell reports whether the input of a line is what a shell outputs, so that the other end commands it.
func (f *finder) fromShell(l *line) bool {
	for _, i := range l.c.InputFrom {
		if from := f.lines[i]; from != nil && shells[from.name] && from.name != "eval" && from.code(true).input {
			return true
		}
	}
	return false
}
