package gateway

import (
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/intake/admission"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Clients learn how a server is protected from weir, as if weir were it.
func TestProtectedResource(t *testing.T) {
	const text = `{"resource": "https://up.example/mcp", "authorization_servers": ["https://login.example"]}`
	for name, tt := range map[string]struct {
		at, media, text string
		passthrough     bool
		status          int
		want            string
	}{
		"at its path":     {wellKnown + "/upstream", mediaJSON, text, true, 200, `/k/ann/mcp/up", "authorization_servers": ["https://login.example"]}`},
		"at the root":     {wellKnown, mediaJSON, text, true, 200, `/k/ann/mcp/up", "authorization_servers"`},
		"no resource":     {wellKnown, mediaJSON, `{}`, true, 200, `{"resource":"http`},
		"nowhere":         {"/other", mediaJSON, text, true, 404, "-32600"},
		"not JSON":        {wellKnown, "text/html", text, true, 404, "-32600"},
		"broken":          {wellKnown, mediaJSON, `{"SECRET"`, true, 502, "-32603"},
		"no object":       {wellKnown, mediaJSON, `["SECRET"]`, true, 502, "-32603"},
		"twice":           {wellKnown, mediaJSON, `{"resource":1,"resource":2}`, true, 502, "-32603"},
		"too large":       {wellKnown, mediaJSON, `{"x":"` + strings.Repeat("SECRET", maxMetadata) + `"}`, true, 502, "-32603"},
		"own credentials": {wellKnown, mediaJSON, text, false, 404, "-32600"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answer: func(w http.ResponseWriter, r *http.Request, body string) {
				if r.URL.Path == tt.at && r.Header.Get("Authorization") == "" {
					says(200, tt.media, tt.text)(w, r, body)
					return
				}
				w.WriteHeader(http.StatusNotFound)
			}}
			server := remoteServer(t, "up", s)
			server.Passthrough = tt.passthrough
			admit, err := admission.New(admission.Config{Clients: []admission.Client{{Key: "ann"}}})
			expect.OK(t, err)
			b := newBench(t, Config{Admission: admit}, server).serve()
			a := b.whole(question{method: http.MethodGet, path: wellKnown + "/k/ann/mcp/up", header: map[string]string{"Authorization": "Bearer x"}})
			expect.Equal(t, a.status, tt.status, "%+v", a)
			expect.Text(t, a.body, "", tt.want, "!SECRET", "!up.example")
			b.whole(question{method: http.MethodGet, path: wellKnown + "/mcp/up"}).is(t, "nobody", http.StatusUnauthorized)
			if a := b.whole(question{method: http.MethodGet, path: wellKnown}); a.status < 400 {
				t.Errorf("nothing: %+v", a)
			}
		})
	}
}
