package deed

import "strings"

// shellOptions give a connection to a program.
var shellOptions = []string{"-e", "-c", "--exec", "--sh-exec", "--lua-exec"}

// givesShell reports whether the connection of a line is the input or output of a shell.
func (f *finder) givesShell(l *line) bool {
	switch l.name {
	case "nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "cryptcat", "sbd", "powercat":
		if l.has(shellOptions...) != 0 {
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
	case "gs-netcat", "tmate", "ttyd", "gotty", "ztcp", "pwncat", "xterm", "code", "rcat":
		return true
	case "dnscat2", "dnscat", "telnetd", "in.telnetd", "utelnetd", "rshd", "in.rshd", "rexecd", "sshx", "upterm", "wetty", "shellinaboxd",
		"tty-share", "teleconsole", "reverse-ssh", "webshell", "villain", "pupysh":
		return true
	case "websocketd", "tcpserver", "tcpsvd", "udpsvd", "s6-tcpserver", "s6-tcpserver4", "s6-tcpserver6", "micro-inetd", "faucet",
		"systemd-socket-activate", "inetd", "tcploop":
		return l.namesShell()
	case "exec":
		return len(deviceEnds(l)) > 0
	case "telnet", "openssl":
	default:
		return shells[l.name] && len(deviceEnds(l)) > 0
	}
	return f.fromShell(l)
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
