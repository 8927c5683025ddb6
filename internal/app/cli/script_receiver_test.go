package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// receiver starts a server that takes whatever is posted to it and puts its address into $RECEIVER. From then on there is one
// command more: received TEXT waits until a request held a text.
func receiver(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 0, "receiver")
	var mu sync.Mutex
	var requests strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is there counts
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintf(&requests, "%s %s\n%v\n%s\n\n", r.Method, r.URL.Path, r.Header, body)
	}))
	ts.Defer(server.Close)
	ts.Setenv("RECEIVER", server.URL)
	all := func() string {
		mu.Lock()
		defer mu.Unlock()
		return requests.String()
	}
	ts.SetCmd("received", func(ts *testscript.TestScript, neg bool, args []string) {
		usage(ts, len(args) == 1, "[!] received TEXT")
		if neg {
			if strings.Contains(all(), args[0]) {
				ts.Fatalf("received:\n%s", all())
			}
			return
		}
		retry(func() bool { return strings.Contains(all(), args[0]) }, func() { ts.Fatalf("received:\n%s", all()) })
	})
}
