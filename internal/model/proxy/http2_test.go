package proxy

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/weir-gate/weir/internal/weirtest/expect"
)

// Clients of Amazon's services speak HTTP/2 without TLS where others would speak HTTP/1.1. They get the same: the refused call
// does not come, and a response that breaks off is a broken one.
func TestPlainHTTP2(t *testing.T) {
	cut := make(chan struct{})
	b := newBench(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("cut") {
			_, _ = io.WriteString(w, messageStart)
			_ = http.NewResponseController(w).Flush()
			<-cut
			panic(http.ErrAbortHandler)
		}
		responding(200, deniedStream, "Content-Type", "text/event-stream")(w, r)
	})
	var protocols http.Protocols
	protocols.SetUnencryptedHTTP2(true)
	client := &http.Client{Transport: &http.Transport{Protocols: &protocols}}
	address := b.weir.URL + "/anthropic/v1/messages"

	resp, err := client.Post(address, "application/json", strings.NewReader(`{"stream":true}`))
	expect.OK(t, err)
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || resp.ProtoMajor != 2 || resp.StatusCode != 200 || !strings.Contains(string(body), "was refused") {
		t.Errorf("%v: %s, %d: %s", err, resp.Proto, resp.StatusCode, body)
	}
	b.mustNotLeak(reply{Response: resp, body: string(body)})

	resp, err = client.Post(address+"?cut", "application/json", strings.NewReader(`{"stream":true}`))
	expect.OK(t, err)
	close(cut)
	if body, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("a response that broke off reads as a whole one: %s", body)
	}
	resp.Body.Close()
	client.CloseIdleConnections()
}

// A request that is signed for weir's own address is no use to Amazon. It is told so, unless the upstream has a key.
func TestSignedRequests(t *testing.T) {
	for _, tt := range []struct {
		host, authorization, query string
		signed                     bool
	}{
		{"bedrock-runtime.eu-west-1.amazonaws.com", "AWS4-HMAC-SHA256 Credential=x", "", true},
		{"bedrock-runtime.eu-west-1.amazonaws.com", "", "?X-Amz-Signature=1", true},
		{"bedrock-runtime.cn-north-1.amazonaws.com.cn", "AWS4-ECDSA-P256-SHA256 x", "", true},
		{"bedrock-runtime.eu-west-1.amazonaws.com", "Bearer x", "", false},
		{"bedrock-runtime.eu-west-1.amazonaws.com", "", "", false},
		{"gateway.example", "AWS4-HMAC-SHA256 Credential=x", "", false},
	} {
		r, err := http.NewRequest("POST", "http://h/model/m/converse"+tt.query, nil)
		expect.OK(t, err)
		if tt.authorization != "" {
			r.Header.Set("Authorization", tt.authorization)
		}
		expect.Equal(t, signedForAnother(r, tt.host), tt.signed, "%s with %q %s", tt.host, tt.authorization, tt.query)
	}
}
