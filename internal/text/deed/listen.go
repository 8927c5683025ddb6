package deed

import (
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// listening are the ends at which a line awaits connections. Those that only this machine can reach are not for others.
func listening(l *line) []end {
	if !listens(l) {
		return nil
	}
	if isNetcat(l.name) {
		l.ends = nil
	}
	if isBoundHere(l) {
		return []end{{here: true}}
	}
	return []end{{listens: true}}
}

func isNetcat(name string) bool { return name == "nc" || name == "ncat" || name == "netcat" }

// listens reports whether a line awaits connections.
func listens(l *line) bool {
	switch l.name {
	case "nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "pwncat", "rcat":
		return l.has("-l", "--listen") == truth.Yes
	case "php":
		return l.has("-S") == truth.Yes
	case "ssh", "autossh":
		return l.has("-R", "-D", "-L", "-w") == truth.Yes
	case "http-server", "serve", "ngrok", "cloudflared", "localtunnel", "lt", "gs-netcat", "chisel", "darkhttpd", "sshd",
		"dropbear", "rinetd",
		"ttyd", "gotty", "tmate", "code-server",
		"dnscat2", "dnscat", "telnetd", "in.telnetd", "utelnetd", "rshd", "in.rshd", "rexecd", "sshx", "upterm", "wetty", "shellinaboxd",
		"tty-share", "teleconsole", "reverse-ssh", "websocketd", "tcpserver", "tcpsvd", "udpsvd", "s6-tcpserver", "s6-tcpserver4",
		"s6-tcpserver6", "micro-inetd", "faucet", "systemd-socket-activate", "villain", "pupysh", "pwncat-cs", "gsocket", "icmpsh",
		"rpyc_classic.py", "rpyc_classic", "mosh-server", "x11vnc", "wayvnc", "vncserver", "tightvncserver", "x0vncserver", "openvscode-server",
		"webssh", "wssh", "xinetd", "inetd", "hoaxshell", "xpra", "kasmvncserver", "butterfly.server.py":
		return l.has("--help", "--version", "-localhost", "-kill") != truth.Yes
	case "caddy":
		return !hasWord(l.first(), "validate", "fmt", "adapt", "version", "list-modules", "hash-password", "stop")
	case "jupyter", "jupyter-lab", "jupyter-notebook", "marimo", "theia":
		given := l.values("--ip", "--NotebookApp.ip", "--ServerApp.ip", "--host", "--hostname")
		return slices.ContainsFunc(given, func(w shell.Word) bool { return !isLoopbackWord(w) })
	case "dbclient", "plink", "slogin":
		return l.has("-R") == truth.Yes
	case "websocat":
		awaits := func(it item) bool { return containsAny(it.word.Text, "ws-l:", "tcp-l:", "ws-listen:", "tcp-listen:") }
		return l.has("-s", "--server-mode") == truth.Yes || slices.ContainsFunc(l.items, awaits)
	case "code", "code-insiders", "openssl":
		return hasWord(l.first(), "tunnel", "s_server", "serve-web")
	case "kubectl", "oc":
		return hasWord(l.first(), "port-forward", "proxy")
	}
	m := l.module()
	return m != nil && (m.name == "http.server" || m.name == "SimpleHTTPServer" || m.name == "pyftpdlib")
}

func hasWord(words []shell.Word, texts ...string) bool {
	return slices.ContainsFunc(words, func(w shell.Word) bool { return slices.Contains(texts, w.Text) })
}

// bindOptions have the address at which a server awaits connections.
var bindOptions = map[string][]string{
	"php":              {"-S"},
	"http.server":      {"-b", "--bind"},
	"SimpleHTTPServer": {},
	"pyftpdlib":        {"-i", "--interface"},
	"http-server":      {"-a"},
	"serve":            {"-l", "--listen"},
	"darkhttpd":        {"--addr"},
	"caddy":            {"--listen", "-l"},
	"ttyd":             {"-i", "--interface"},
	"gotty":            {"-a", "--address"},
	"code-server":      {"--bind-addr", "--host"},
	"x11vnc":           {"-listen"},
	"vncserver":        {"-interface"},
	"openssl":          {"-accept"},
}

// isBoundHere reports whether a server surely is at addresses that only this machine can reach.
func isBoundHere(l *line) bool {
	if m := l.module(); m != nil {
		l = m
	}
	addresses := l.values(bindOptions[l.name]...)
	if isNetcat(l.name) && l.has("-e", "-c", "--exec", "--sh-exec") != truth.Yes {
		addresses = l.operands()
		addresses = addresses[:min(len(addresses), 1)]
	}
	for _, w := range addresses {
		if !isLoopbackWord(w) {
			return false
		}
	}
	return len(addresses) > 0
}

// isLoopbackWord reports an address of this machine for itself. One that stands for all addresses is for others, too.
func isLoopbackWord(w shell.Word) bool {
	if scheme := strings.Index(w.Text, "://"); scheme >= 0 {
		w = w.From(scheme + len("://"))
	}
	if w.Text == "lo" || w.Text == "lo0" {
		return w.Known
	}
	found := ends(w, "")
	for _, e := range found {
		if e.host.Partial || !e.host.Addr.IsLoopback() && e.host.Name != "localhost" {
			return false
		}
	}
	return w.Known && len(found) > 0
}
