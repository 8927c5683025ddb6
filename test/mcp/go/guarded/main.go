// Command guarded is an MCP server over https that lets in only who brings the credential that the path asks for. It prints where
// it listens and the fingerprint of its certificate, and runs until its input ends.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	certificate, err := selfSigned()
	if err != nil {
		return fmt.Errorf("make a certificate: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: guard(), TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}},
		ReadHeaderTimeout: time.Minute,
	}
	go server.ServeTLS(listener, "", "") // it ends with the program
	err = json.NewEncoder(os.Stdout).Encode(map[string]string{
		"url":         "https://" + listener.Addr().String(),
		"fingerprint": fmt.Sprintf("sha256:%x", sha256.Sum256(certificate.Certificate[0])),
	})
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func selfSigned() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"another.example"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}

// The credentials that are taken.
const (
	secret   = "good"
	issued   = "issued-by-the-token-endpoint"
	callers  = "Bearer of-the-caller"
	clientID = "weir test"
)

// guards say by path whether a request brings what is asked for.
var guards = map[string]func(*http.Request) bool{
	"none":   func(r *http.Request) bool { return anonymous(r) },
	"bearer": func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer "+secret },
	"basic": func(r *http.Request) bool {
		name, password, _ := r.BasicAuth()
		return name == "ann" && password == secret
	},
	"header": func(r *http.Request) bool { return r.Header.Get("X-Key") == secret && anonymous(r) },
	"query":  func(r *http.Request) bool { return r.URL.Query().Get("key") == secret && anonymous(r) },
	"cookie": func(r *http.Request) bool {
		return r.Header.Get("Cookie") == "key="+secret && r.Header.Get("Authorization") == ""
	},
	"passthrough": func(r *http.Request) bool { return r.Header.Get("Authorization") == callers },
	"oauth":       func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer "+issued },
}

// anonymous says that a request brings none of the caller's credentials.
func anonymous(r *http.Request) bool {
	return r.Header.Get("Authorization") == "" && (r.Header.Get("Cookie") == "" || strings.HasPrefix(r.Header.Get("Cookie"), "key=")) &&
		r.Header.Get("X-Weir-Key") == ""
}

func guard() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "guarded", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "greet", Description: "Greets"},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "welcome"}}}, nil, nil
		})
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /token", giveToken)
	mux.HandleFunc("/{kind}/mcp", func(w http.ResponseWriter, r *http.Request) {
		if allowed := guards[r.PathValue("kind")]; allowed == nil || !allowed(r) {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
	return mux
}

// giveToken is a token endpoint for the client credentials grant.
func giveToken(w http.ResponseWriter, r *http.Request) {
	id, password, _ := r.BasicAuth()
	if id != url.QueryEscape(clientID) || password != secret || r.PostFormValue("grant_type") != "client_credentials" ||
		!strings.HasSuffix(r.PostFormValue("resource"), "/oauth/mcp") {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":"invalid_client"}`)
		return
	}
	fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":3600}`, issued)
}
