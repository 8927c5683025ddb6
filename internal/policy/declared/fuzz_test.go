package declared

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// Whatever a declaration and its variables hold, an error of Expand repeats nothing of the variables, and what it returns fits.
func FuzzExpand(f *testing.F) {
	f.Add("https://${A}/x", "hunter2secret", "${A}")
	f.Add("${A}", "https://ann:hunter2secret@h/", "x")
	f.Add("http://${A}/x", "127.0.0.1", "${A}")
	f.Add("https://h/x?q=1", "a\nb-hunter2secret", "a${A}b$${A}")
	f.Add("https://h:${A}/x", "99999hunter2", "${B}")
	f.Add("https://[${A}]/", "::1%25hunter2", "${A")
	f.Fuzz(func(t *testing.T, url, value, token string) {
		quote := func(s string) string {
			out, err := jsontext.AppendQuote(nil, s)
			if err != nil {
				return `"x"`
			}
			return string(out)
		}
		root, report := yamlfile.Parse("p", []byte(`{"servers":[{"id":"w","type":"http","url":`+quote(url)+`,"auth":{"type":"bearer","token":`+quote(token)+`}}]}`))
		if root == nil {
			return
		}
		servers := Read(root.Get("servers"), report)
		if report.Err() != nil {
			return
		}
		s, err := servers[0].Expand(func(name string) (string, bool) { return value, name == "A" })
		if err != nil {
			if len(value) > 8 && !strings.Contains("the variable is not set; set it before weir starts", value) && strings.Contains(err.Error(), value) {
				t.Errorf("%q is repeated: %v", value, err)
			}
			return
		}
		if checkURL(s.URL) != nil || inTheClear(s.URL) || s.Auth.Token == "" || !printable(s.Auth.Token) {
			t.Errorf("expanded to %+v", s)
		}
		if strings.Contains(s.Address(), "?") {
			t.Errorf("the address is %s", s.Address())
		}
	})
}
