package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weir-gate/weir/internal/weirtest/need"
	"github.com/weir-gate/weir/internal/weirtest/notation"
)

// weirBinary is the real weir.
var weirBinary string

func TestMain(m *testing.M) { os.Exit(need.Main(m, &weirBinary)) }

// stage starts an upstream for cells and a weir in front of it, and returns the addresses of both.
func stage(t *testing.T, cells []*cell) (upstreamURL, weirURL string) {
	t.Helper()
	up, err := startUpstream(cells)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(up.close)
	w, err := startWeir(t.TempDir(), weirBinary, up.url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Kill)
	return up.url, w.Base
}

// proxy starts a reverse proxy that hands every body, decompressed, to change; nil: bodies are not touched.
func proxy(t *testing.T, to string, change func(string) string) string {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	p := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host },
		FlushInterval: -1,
	}
	if change != nil {
		p.ModifyResponse = func(r *http.Response) error {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			if body, err = decode(body, r.Header.Get("Content-Encoding")); err != nil {
				return err
			}
			changed := change(string(body))
			r.Header.Del("Content-Encoding")
			r.Header.Del("Content-Length")
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(changed)), int64(len(changed))
			return nil
		}
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil // else net/http guesses one where there is none
		p.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// The part of the matrix that is always played.
func TestSample(t *testing.T) {
	cells := sampled()
	_, weir := stage(t, cells)
	for _, f := range run(t.Context(), cells, weir) {
		if f.fault != none {
			t.Errorf("%s: %s\n%s\n%q", f.fault, f.cell, f.why, f.answer.body)
		}
	}
}

// Without weir, every refused call must be found to leak, and what is let through to be as it was.
func TestBareProxyLeaks(t *testing.T) {
	cells := sampled()
	upstream, _ := stage(t, cells)
	for _, f := range run(t.Context(), cells, proxy(t, upstream, nil)) {
		switch ordinary := f.cell.framing.plain && f.cell.label == &labellings[0]; {
		case !f.cell.verdict.released && f.fault != leaks:
			t.Errorf("%s: a bare proxy does not leak: %q %s", f.cell, f.fault, f.why)
		case f.cell.verdict.released && ordinary && f.fault != none:
			t.Errorf("%s: a bare proxy %s: %s", f.cell, f.fault, f.why)
		}
	}
}

// What comes from weir is changed in ways that must be found.
func TestChangesAreFound(t *testing.T) {
	all := sampled()
	_, weir := stage(t, all)
	number := regexp.MustCompile(`1(e|\\u0065)3`)
	for name, tc := range map[string]struct {
		change   func(string) string
		ofText   bool // it finds nothing to change where there is no text, or where it is escaped
		released bool
		want     fault
	}{
		"a digit of the arguments": {
			change:   inside(func(s string) string { return number.ReplaceAllString(s, "2${1}3") }),
			released: true, want: alters,
		},
		"a letter of the notice": {
			change: inside(func(s string) string { return strings.ReplaceAll(s, "Do not retry", "Do now retry") }),
			want:   breaks,
		},
		"a letter of the text": {
			change: inside(strings.NewReplacer("schön", "schon", "danach", "dabach").Replace),
			ofText: true, want: breaks,
		},
		"no end": {
			change: func(s string) string { return s[:len(s)*9/10] },
			want:   breaks,
		},
		"no end of what is allowed": {
			change:   func(s string) string { return s[:len(s)*9/10] },
			released: true, want: alters,
		},
		"a piece of the arguments": {
			change: func(s string) string { return s + ": " + mark + "\n\n" },
			want:   leaks,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var cells []*cell
			for _, c := range all {
				skip := tc.ofText && (c.endpoint.callOnly || c.framing.name == "escaped letters")
				if c.verdict.released == tc.released && !skip {
					cells = append(cells, c)
				}
			}
			for _, f := range run(t.Context(), cells, proxy(t, weir, tc.change)) {
				if f.fault != tc.want {
					t.Errorf("%s: %q (%s), want %q", f.cell, f.fault, f.why, tc.want)
				}
			}
		})
	}
}

// inside changes a body or, if it is made of messages, what is in them, such that their checksums hold.
func inside(change func(string) string) func(string) string {
	return func(body string) string {
		var changed []byte
		for rest := []byte(body); len(rest) > 0; {
			p, size, err := notation.Unpack(rest)
			if err != nil {
				return change(body)
			}
			p.Payload, rest = []byte(change(string(p.Payload))), rest[size:]
			changed = append(changed, p.Bytes()...)
		}
		if changed == nil {
			return change(body)
		}
		return string(changed)
	}
}

func TestPageIsUpToDate(t *testing.T) {
	var findings []finding
	for _, c := range plan() {
		findings = append(findings, finding{cell: c})
	}
	got, err := os.ReadFile("../../docs/matrix.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page(summed(findings)), string(got)); diff != "" {
		t.Errorf("docs/matrix.md is out of date; run make matrix (-want +got):\n%s", diff)
	}
}

// Every value of every axis meets every row, and every two values that can meet do in every mode of every format.
func TestPlanIsComplete(t *testing.T) {
	met := map[string]bool{}
	for _, c := range plan() {
		values := c.values()
		for i, a := range values {
			met[c.row.String()+c.upstreams()+a] = true
			for _, b := range values[i+1:] {
				met[c.format.name+string(c.mode)+a+b] = true
			}
		}
	}
	for _, r := range rows() {
		lists := r.values()
		for i, list := range lists {
			for _, a := range list {
				if !met[r.String()+r.upstreams()+a] {
					t.Errorf("%s does not meet %s", r, a)
				}
				if !slices.Contains(r.format.modes, r.mode) {
					continue
				}
				for _, b := range slices.Concat(lists[i+1:]...) {
					if !met[r.format.name+string(r.mode)+a+b] {
						t.Errorf("%s, %s: %s does not meet %s", r.format.name, r.mode, a, b)
					}
				}
			}
		}
	}
}

// values are those of a cell, of every axis but its row and route.
func (c *cell) values() []string {
	return []string{
		"asking " + c.asking.name, "framing " + c.framing.name, "label " + c.label.name, "encoding " + c.encoding.name,
		"chunking " + c.chunking.name, "verdict " + c.verdict.name,
	}
}

// values are those that cells of a row can have, in the same order.
func (r row) values() [][]string {
	lists := make([][]string, 6)
	for _, v := range askingsOf(r) {
		lists[0] = append(lists[0], "asking "+v.name)
	}
	for _, v := range framingsOf(r.format, r.mode) {
		lists[1] = append(lists[1], "framing "+v.name)
	}
	for _, v := range labellings {
		lists[2] = append(lists[2], "label "+v.name)
	}
	for _, v := range encodings {
		lists[3] = append(lists[3], "encoding "+v.name)
	}
	for _, v := range chunkingsOf(r.mode) {
		lists[4] = append(lists[4], "chunking "+v.name)
	}
	for _, v := range verdicts {
		lists[5] = append(lists[5], "verdict "+v.name)
	}
	return lists
}

func TestLeaked(t *testing.T) {
	c := ordinaryCell(rows()[0])
	name, notice := c.verdict.tool, c.verdict.notice()
	for body, want := range map[string]bool{
		"nothing":                            false,
		notice:                               false,
		quote(notice):                        false,
		quote(quote(notice)):                 false,
		"an " + mark + " as it is":           true,
		`\u0078qleak`:                        true,
		`\\u0078qleak`:                       true,
		`"bytes":"eyJwYXRoIjoieHFsZWFrIn0="`: true,
		name:                                 true,
		notice + name:                        true,
		`{"name":"` + name + `"}`:            true,
		"call_00000":                         true,
	} {
		if got := c.leaked([]byte(body)); (got != "") != want {
			t.Errorf("%s: %q, want a leak: %v", body, got, want)
		}
	}
}

// Each encoding gives back what was put in, and each part can be read when its bytes have come.
func TestEncodings(t *testing.T) {
	parts := []string{"The river ", "keeps ", "its bed."}
	for _, e := range encodings {
		list, err := e.encode(parts)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(bytes.Join(list, nil), e.header)
		if err != nil || string(got) != strings.Join(parts, "") || len(list) != len(parts) {
			t.Errorf("%s: %d parts, %q, %v", e.name, len(list), got, err)
		}
	}
}

// Each chunking and framing keeps every byte.
func TestWritesKeepBytes(t *testing.T) {
	for _, c := range sampled() {
		writes, err := c.chunking.writes(c.frames(), c.encoding)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decode(bytes.Join(writes, nil), c.encoding.header)
		if err != nil || string(got) != strings.Join(c.frames(), "") {
			t.Errorf("%s: %v", c, err)
		}
	}
}
