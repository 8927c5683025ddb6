package proxy

import (
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/intake/admission"
)

// Who sees a page that is not open: whoever has its token; without a token, whoever reaches a door without clients.
func TestPages(t *testing.T) {
	const key, token = "0123456789abcdef-agent", "0123456789abcdef-scraper"
	for name, c := range map[string]struct {
		clients, token bool
		header         []string
		want           int
		says           string
	}{
		"nobody is known":             {false, false, nil, 200, "seen"},
		"no key":                      {true, false, nil, 403, "metrics.token"},
		"the key of a client":         {true, false, []string{"X-Weir-Key", key}, 403, "set metrics.token in weir.yaml"},
		"the key as a token":          {true, false, []string{"Authorization", "Bearer " + key}, 403, "set metrics.token in weir.yaml"},
		"the token":                   {true, true, []string{"Authorization", "Bearer " + token}, 200, "seen"},
		"the token, another case":     {true, true, []string{"Authorization", "bearer " + token}, 200, "seen"},
		"the token, where nobody is":  {false, true, []string{"Authorization", "Bearer " + token}, 200, "seen"},
		"no token":                    {true, true, nil, 401, "send it as a bearer token"},
		"no token, where nobody is":   {false, true, nil, 401, "send it as a bearer token"},
		"a key where there is one":    {true, true, []string{"X-Weir-Key", key}, 401, "send it as a bearer token"},
		"the token as a key":          {true, true, []string{"X-Weir-Key", token}, 401, "send it as a bearer token"},
		"the token in another scheme": {true, true, []string{"Authorization", "Basic " + token}, 401, "send it as a bearer token"},
		"the token bare":              {true, true, []string{"Authorization", token}, 401, "send it as a bearer token"},
	} {
		t.Run(name, func(t *testing.T) {
			page := Page{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("seen")) })}
			if c.token {
				page.Token = token
			}
			b := newBench(t, http.NotFound, func(cfg *Config) {
				cfg.Pages = map[string]Page{"metrics": page}
				if c.clients {
					cfg.Admission = admits(t, admission.Client{Key: key})
				}
			})
			r := b.do("GET", "/metrics", "", c.header...)
			if r.StatusCode != c.want || !strings.Contains(r.body, c.says) || c.want != 200 && strings.Contains(r.body, "seen") {
				t.Errorf("%d %s", r.StatusCode, r.body)
			}
			if r := b.do("GET", "/healthz", ""); r.StatusCode != 200 {
				t.Errorf("healthz says %d", r.StatusCode)
			}
		})
	}
}
