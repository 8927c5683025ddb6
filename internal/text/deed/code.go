package deed

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/address"
)

// maxCode bounds the code that is searched.
const maxCode = 1 << 16

// codes are the words of a line that could be code for its interpreter.
func (l *line) codes() (out []string) {
	name := strings.TrimRight(l.name, "0123456789.-")
	if !interpreters[name] {
		return nil
	}
	for i, it := range l.items {
		text := it.word.Text
		first := i == 0 && !it.option && (name == "awk" || name == "gawk" || name == "mawk")
		given := i > 0 && l.items[i-1].option && takesCode(l.items[i-1].word.Text)
		if first || given || i > 0 && (name == "powershell" || name == "pwsh") {
			out = append(out, text[:min(len(text), maxCode)])
		}
	}
	return out
}

// takesCode reports an option after which code follows.
func takesCode(option string) bool {
	switch strings.ToLower(option) {
	case "--eval", "--print", "--execute", "--run", "-command":
		return true
	}
	return !strings.HasPrefix(option, "--") && strings.ContainsRune("ceErpB", rune(option[len(option)-1]))
}

// codeEnds are the hosts that code connects to: those in URLs, and names in strings of code that opens connections.
func codeEnds(l *line) (out []end) {
	for _, code := range l.codes() {
		if !containsAny(code, netWords...) {
			continue
		}
		hosts := hostsInCode(code)
		if containsAny(code, socketWords...) {
			for _, text := range quoted(code) {
				if looksLikeHost(text) {
					found, _ := address.Hosts(text)
					hosts = append(hosts, found...)
				}
			}
		}
		for _, h := range hosts {
			out = append(out, end{host: h, shell: codeShell(code)})
		}
	}
	return out
}

// netWords are in code that uses the network, socketWords in code that opens connections.
var (
	netWords    = append([]string{"://", "urlopen", "requests.", "fetch(", "http", "WebClient", "/inet/"}, socketWords...)
	socketWords = []string{
		"socket", "Socket", "sockopen", "connect(", "net.", "Net::", "TCPSocket", "TCPClient", "TcpClient", "/inet/", "stream_socket_client",
	}
)

// codeShell reports code that gives a connection to a shell.
func codeShell(code string) bool {
	return containsAny(code, socketWords...) &&
		containsAny(code, "pty.spawn", "dup2", "/bin/sh", "/bin/bash", "exec(", "popen", "spawn(", "subprocess", "cmd.exe", "iex", "getline",
			"system(")
}

// quoted are the strings in code.
func quoted(code string) (out []string) {
	for len(code) > 0 && len(out) < maxSources {
		open := strings.IndexAny(code, "\"'`")
		if open < 0 {
			break
		}
		rest := code[open+1:]
		end := strings.IndexByte(rest, code[open])
		if end < 0 {
			break
		}
		text := rest[:end]
		if device := strings.Split(text, "/"); len(device) > 4 && device[1] == "inet" {
			text = device[4] // of awk
		}
		out = append(out, text)
		code = rest[end+1:]
	}
	return out
}

// hostsInCode are the hosts in the URLs of code.
func hostsInCode(code string) (out []address.Host) {
	hosts, _ := address.Hosts(code)
	for _, h := range hosts {
		if !h.Loose || h.Addr.IsValid() {
			out = append(out, h)
		}
	}
	return out
}

// codeDumps reports code that takes all variables of the environment.
func codeDumps(code string) bool {
	return containsAny(code, "stringify(process.env)", "(os.environ)", "environ.items", "ENV.to_h", "ENV.inspect", "%ENV", "getenv()",
		"str(os.environ")
}

// shellWords give a connection to a program.
var shellOptions = []string{"-e", "-c", "--exec", "--sh-exec", "--lua-exec"}

// givesShell reports whether the connection of a line is the input or output of a shell.
func (f *finder) givesShell(l *line) bool {
	switch l.name {
	case "nc", "ncat", "netcat", "nc.traditional", "nc.openbsd":
		if l.has(shellOptions...) != 0 {
			return true
		}
	case "socat":
		for _, it := range l.items {
			kind, _, _ := strings.Cut(strings.ToLower(it.word.Text), ":")
			if kind == "exec" || kind == "system" || kind == "shell" {
				return true
			}
		}
		return f.fromShell(l)
	case "gs-netcat", "tmate", "ttyd", "gotty", "ztcp", "pwncat":
		return true
	case "exec":
		return len(deviceEnds(l)) > 0
	case "telnet", "openssl":
	default:
		return shells[l.name] && len(deviceEnds(l)) > 0
	}
	return f.fromShell(l)
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
