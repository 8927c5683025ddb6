package declared

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/envtext"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A problem is what is wrong with a declaration, and how to fix it.
type problem struct{ message, cure string }

var (
	errClear         = problem{"the credential would cross the network in the clear", "use https, or an address of this machine"}
	errNoCertificate = problem{"there is no certificate on plain http", "use https, or remove the key"}
)

// hasVariable says that a text is known only once its variables are replaced.
func hasVariable(text string) bool { return strings.Contains(text, "${") }

// text parses a text that may have variables in it.
func (r reader) text(n *yamlfile.Node, what string) string {
	text, ok := r.String(n, what)
	if !ok || !r.checkVariables(n) {
		return ""
	}
	return text
}

// checkVariables reports a text with wrongly written variables.
func (r reader) checkVariables(n *yamlfile.Node) bool {
	_, err := envtext.Expand(n.Text, anyVariable)
	if err != nil {
		r.addError(n, err)
	}
	return err == nil
}

// anyVariable replaces the environment, which a policy does not know.
func anyVariable(string) (string, bool) { return "x", true }

// addError reports an error that ends with how to fix it.
func (r reader) addError(n *yamlfile.Node, err error) {
	message, cure, _ := strings.Cut(err.Error(), "; ")
	r.Add(n, message, cure)
}

// url parses a URL. A URL with variables is checked again when those are known.
func (r reader) url(n *yamlfile.Node) string {
	text := r.text(n, "a URL")
	if text == "" {
		return ""
	}
	if _, query, _ := strings.Cut(text, "?"); hasVariable(query) {
		r.Add(n, "a variable in the query would be written down", "use auth: {type: api_key, in: query, …}")
		return ""
	}
	if strings.HasPrefix(text, "${") {
		return text
	}
	filled, err := envtext.Expand(text, anyVariable)
	if err == nil {
		err = checkURL(filled)
	}
	if err != nil {
		r.addError(n, err)
		return ""
	}
	return text
}
