package outgoing

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// TestCredentialsDoNotComeBack has a server repeat what it was sent, in all ways in which servers write texts.
func TestCredentialsDoNotComeBack(t *testing.T) {
	const secret = "s3cret-0123456789/abc"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			fmt.Fprintf(w, `{"access_token":%q,"token_type":"bearer"}`, "token-"+secret)
			return
		}
		sent := r.Header.Get("Authorization") + r.Header.Get("X-Api-Key") + r.Header.Get("Cookie") + r.URL.RawQuery
		w.Header().Set("X-Echo", sent)
		w.WriteHeader(http.StatusBadRequest)
		for i := range len(sent) {
			_, _ = io.WriteString(w, sent[i:i+1])
			w.(http.Flusher).Flush()
		}
		_, password, _ := r.BasicAuth()
		fmt.Fprintf(w, ` %q %s %s`, sent, url.QueryEscape(sent), password)
		_, _ = io.WriteString(w, " "+strings.ReplaceAll(sent+password, "/", `\/`))
	}))
	t.Cleanup(server.Close)
	for name, auth := range map[string]Auth{
		"bearer": {Type: AuthBearer, Token: secret},
		"basic":  {Type: AuthBasic, Username: "ann", Password: secret},
		"header": {Type: AuthAPIKey, Value: secret},
		"query":  {Type: AuthAPIKey, In: InQuery, Name: "key", Value: secret},
		"cookie": {Type: AuthAPIKey, In: InCookie, Name: "key", Value: secret},
		"oauth":  {Type: AuthOAuth, TokenURL: server.URL + "/token", ClientID: "me", ClientSecret: secret},
	} {
		c := newSender(t, Config{URL: parse(t, server.URL+"/mcp"), Auth: auth})
		resp, err := c.Do(request(t, http.MethodPost, server.URL+"/mcp", "{}"))
		expect.OK(t, err)
		body, err := io.ReadAll(resp.Body)
		expect.OK(t, err)
		basic := base64.StdEncoding.EncodeToString([]byte("ann:" + secret))
		got := fmt.Sprint(resp.Header) + string(body)
		expect.Text(t, got, name, "!0123456789", "!"+basic, "[redacted]")
		expect.Is(t, resp.Body.Close(), nil)
	}
}
