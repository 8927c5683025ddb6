package deed

import (
	"regexp"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
	"github.com/weir-gate/weir/internal/text/shell"
)

// prints are the programs that output their words.
var prints = wordSet("echo printf print write-output")

// hasSecret reports a word with a secret of the environment in it.
func hasSecret(w shell.Word) bool {
	return slices.ContainsFunc(w.Pieces(), func(p shell.Piece) bool { return p.Kind == shell.Secret })
}

// dataOptions have what a request sends. In headers and logins, secrets are where they belong.
var dataOptions = []string{
	"-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "-F", "--form", "--form-string", "-Body",
	"--post-data", "--body-data", "-A", "--user-agent", "-U", "-e", "--referer", "--url-query",
}

// tellsSecret reports that a line which connects has a secret of the environment in an address, in the name of a host, or in what it
// sends.
func (l *line) tellsSecret() bool {
	if requesters[l.name] && slices.ContainsFunc(l.values(dataOptions...), hasSecret) {
		return true
	}
	if program.LookupClient(l.name) != nil && l.isAway() && slices.ContainsFunc(l.values(statementOptions...), hasSecret) {
		return true
	}
	for _, it := range l.items {
		if hasSecret(it.word) && (inAddress(it.word) || inName(it.word)) || namesWindowsSecret(it.word) {
			return true
		}
	}
	return false
}

// statementOptions have what clients of databases send.
var statementOptions = []string{"-e", "--execute", "-c", "--command", "--eval", "-q", "--query", "-Q"}

// isAway reports a line that leads to another machine.
func (l *line) isAway() bool {
	return slices.ContainsFunc(l.ends, func(e end) bool { return !e.local() && !e.here })
}

// windowsVariables match the variables of cmd.
var windowsVariables = regexp.MustCompile(`%([A-Za-z_]\w{2,})%`)

// namesWindowsSecret reports an address or the name of a host with a variable of cmd in it that holds a secret. In the login of a URL,
// and in a header, it is where it belongs.
func namesWindowsSecret(w shell.Word) bool {
	if len(w.Text) > maxUnknown {
		return false
	}
	for _, at := range windowsVariables.FindAllStringSubmatchIndex(w.Text, 4) {
		before, after := w.Text[:at[0]], w.Text[at[1]:]
		_, path, isURL := strings.Cut(before, "://")
		inPath := isURL && strings.ContainsAny(path, "/?")
		inHost := before == "" && strings.HasPrefix(after, ".") && looksLikeHost(after[1:])
		if program.SecretVariable(w.Text[at[2]:at[3]]) && (inPath || inHost) {
			return true
		}
	}
	return false
}

// requesters are the clients whose options these are.
var requesters = wordSet("curl curlie wget wget2 invoke-webrequest iwr invoke-restmethod irm")

// inAddress reports a secret behind the host of a URL. Before it, it is the login.
func inAddress(w shell.Word) bool {
	authority, path := false, false
	for _, p := range w.Pieces() {
		switch {
		case p.Kind == shell.Secret && path:
			return true
		case p.Kind != shell.Literal:
		default:
			text := p.Text
			if _, rest, ok := strings.Cut(text, "://"); ok && !authority {
				authority, text = true, rest
			}
			path = path || authority && strings.ContainsAny(text, "/?")
		}
	}
	return false
}

// inName reports a secret that is the begin of the name of a host.
func inName(w shell.Word) bool {
	pieces := w.Pieces()
	for i := range pieces[:len(pieces)-1] {
		next := pieces[i+1]
		if pieces[i].Kind == shell.Secret && next.Kind == shell.Literal && strings.HasPrefix(next.Text, ".") && looksLikeHost(next.Text[1:]) {
			return true
		}
	}
	return false
}
