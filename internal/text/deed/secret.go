package deed

import (
	"slices"
	"strings"

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
	for _, it := range l.items {
		if hasSecret(it.word) && (inAddress(it.word) || inName(it.word)) {
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
