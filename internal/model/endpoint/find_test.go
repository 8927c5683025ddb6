package endpoint

import (
	"cmp"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode"
)

// examples returns paths that a pattern matches, the longest first. Their ids and versions are in no table.
func examples(path string) []string {
	replaced := strings.NewReplacer("{id}", "some.Id-1", "{version}", "v7alpha3").Replace(path)
	var all []string
	for _, head := range []string{"/gateway/team", ""} {
		for _, tail := range []string{"/more/below", "/more", ""} {
			p, anywhere := strings.CutPrefix(replaced, "**")
			if head != "" && !anywhere || tail != "" && !strings.HasSuffix(p, "/**") {
				continue
			}
			all = append(all, head+strings.TrimSuffix(p, "/**")+tail)
		}
	}
	return all
}

func TestEveryRowIsFound(t *testing.T) {
	for name, table := range everyTable() {
		for _, want := range table.Rows {
			method := strings.Replace(want.Method, anyMethod, "REPORT", 1)
			path := examples(want.Path)[0]
			if got, ok := table.Find(method, path); !ok || got != want {
				t.Errorf("%s: %s %s finds %s %s, not %s", name, method, path, got.Method, got.Path, want.Path)
			}
		}
	}
}

// games are ways to write a path that a server may take for the same.
var games = map[string]func(string) string{
	"upper case":     strings.ToUpper,
	"lower case":     strings.ToLower,
	"mixed case":     func(p string) string { return mapEach(p, swapEveryOther) },
	"escaped":        func(p string) string { return mapEach(p, escapeAll) },
	"escaped lower":  func(p string) string { return strings.ToLower(mapEach(p, escapeAll)) },
	"trailing slash": func(p string) string { return p + "/" },
	"double slashes": func(p string) string { return strings.ReplaceAll(p, "/", "//") },
	"canonical":      func(p string) string { return mapEach(p, func(s string) string { return url.PathEscape(s) }) },
}

func mapEach(path string, f func(segment string) string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = f(s)
	}
	return strings.Join(segments, "/")
}

func swapEveryOther(s string) string {
	i := 0
	return strings.Map(func(r rune) rune {
		if i++; i%2 == 0 {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, s)
}

func escapeAll(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		b.Write([]byte{'%', digits[s[i]>>4], digits[s[i]&15]})
	}
	return b.String()
}

func TestPathGamesFindTheSameRow(t *testing.T) {
	for name, table := range everyTable() {
		for _, r := range table.Rows {
			method := strings.Replace(r.Method, anyMethod, "POST", 1)
			for _, path := range examples(r.Path) {
				want, _ := table.Find(method, path)
				for game, play := range games {
					if got, ok := table.Find(method, play(path)); !ok || got != want {
						t.Errorf("%s: %s: %s %s finds %q, not %q", name, game, method, play(path), got.Path, want.Path)
					}
				}
				if method == http.MethodGet {
					if got, _ := table.Find(http.MethodHead, path); got != want {
						t.Errorf("%s: HEAD %s finds %q, not %q", name, path, got.Path, want.Path)
					}
				}
			}
		}
	}
}

// Letters outside ASCII whose other case is inside are the same letter to some servers.
func TestEveryLetterFoldsLikeItsOtherCase(t *testing.T) {
	fold := func(r rune) string { return string(foldFrom([]byte(string(r)), 0)) }
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if fold(r) != fold(unicode.ToUpper(r)) || fold(r) != fold(unicode.ToLower(r)) {
			t.Errorf("%q folds to %q, its cases %q and %q to %q and %q", r, fold(r),
				unicode.ToUpper(r), unicode.ToLower(r), fold(unicode.ToUpper(r)), fold(unicode.ToLower(r)))
		}
	}
	if row, _ := Of("openai").Find("POST", "/v1/a%C5%BF%C5%BFi%C5%BFtant%C5%BF"); row.Treatment != Refused {
		t.Errorf("long s: %+v", row)
	}
}

func TestPrecedence(t *testing.T) {
	rows := []Row{
		{Method: "*", Path: "**/box/**", Treatment: Refused, Note: "deep"},
		{Method: "GET", Path: "/v1/box/{id}", Treatment: Passes},
		{Method: "GET", Path: "/v1/box/open", Treatment: Gated},
		{Method: "GET", Path: "/{version}/box/{id}", Treatment: Content},
		{Method: "POST", Path: "**/box/turn", Treatment: Gated},
		{Method: "*", Path: "/v1/box/lid", Treatment: Changes},
		{Method: "PUT", Path: "/v1/box/lid", Treatment: Passes},
		{Method: "POST", Path: "/v1/{id}/same", Treatment: Gated},
		{Method: "POST", Path: "/{id}/odd/same", Treatment: Refused, Note: "odd"},
		{Method: "POST", Path: "/v1/{id}:say", Treatment: Gated},
		{Method: "POST", Path: "/v1/{id}", Treatment: Passes},
		{Method: "PUT", Path: "/v1/{id}", Treatment: Passes},
		{Method: "POST", Path: "/v1/me:say", Treatment: Content},
		{Method: "GET", Path: "/", Treatment: Content},
	}
	for _, test := range []struct{ request, own, union string }{
		{"GET /v1/box/x", "/v1/box/{id}", ""},                    // no ** ahead of **
		{"GET /v1/box/open", "/v1/box/open", ""},                 // more literals
		{"GET /v2/box/open", "/{version}/box/{id}", ""},          //
		{"GET /v2x/box/open", "**/box/**", ""},                   // no version
		{"GET /v1/box", "**/box/**", ""},                         // also none below
		{"GET /a/b/box/c/d", "**/box/**", ""},                    //
		{"POST /a/box/turn", "**/box/turn", ""},                  // more literals, both with **
		{"POST /v1/box/x", "**/box/**", ""},                      // of another method
		{"PUT /v1/box/lid", "/v1/box/lid PUT", ""},               // its own method
		{"PATCH /v1/box/lid", "/v1/box/lid *", ""},               //
		{"POST /v1/odd/same", "/{id}/odd/same", "/v1/{id}/same"}, // equally specific
		{"POST /v1/x:say", "/v1/{id}:say", ""},
		{"POST /v1/x:y:say", "/v1/{id}", ""}, // two colons
		{"PUT /v1/x:say", "", ""},            // a verb is no id, whatever the method
		{"POST /v1/:say", "/v1/{id}", ""},    // nothing that says it
		{"POST /v1/me:say", "/v1/me:say", ""},
		{"POST /v1/x:shout", "/v1/{id}", ""},
		{"HEAD /", "/ GET", ""},
		{"GET ", "/ GET", ""},
		{"POST /", "", ""},
		{"GET /v1", "", ""},
		{"GET /v1/boxes/x", "", ""},
		{"POST /v1/x/same/y", "", ""},
	} {
		method, path, _ := strings.Cut(test.request, " ")
		for order, want := range map[*strictness]string{&strictest: test.own, &gateFirst: cmp.Or(test.union, test.own)} {
			table := Table{Rows: rows, index: newIndex(rows, *order)}
			row, _ := table.Find(method, path)
			wantPath, wantMethod, _ := strings.Cut(want, " ")
			if row.Path != wantPath || wantMethod != "" && row.Method != wantMethod {
				t.Errorf("%s finds %s %s, not %s", test.request, row.Method, row.Path, want)
			}
		}
	}
}

func TestStrictestOfEquallySpecific(t *testing.T) {
	for _, test := range []struct{ a, b, own, union Treatment }{
		{Refused, Gated, Refused, Gated},
		{Refused, Changes, Refused, Changes},
		{Refused, Passes, Refused, Refused},
		{Refused, Content, Refused, Refused},
		{Changes, Gated, Changes, Changes},
		{Gated, Content, Gated, Gated},
		{Gated, Passes, Gated, Gated},
		{Content, Passes, Content, Content},
	} {
		for _, rows := range [][]Row{
			{{Method: "*", Path: "/a/{id}", Treatment: test.a}, {Method: "*", Path: "/{id}/b", Treatment: test.b}},
			{{Method: "*", Path: "/{id}/b", Treatment: test.b}, {Method: "*", Path: "/a/{id}", Treatment: test.a}},
		} {
			own := Table{Rows: rows, index: newIndex(rows, strictest)}
			row, _ := own.Find("GET", "/a/b")
			all, _ := union([]Table{{Rows: rows[:1]}, {Rows: rows[1:]}}).Find("GET", "/a/b")
			if row.Treatment != test.own || all.Treatment != test.union {
				t.Errorf("of %v and %v: %v, and among all %v", test.a, test.b, row.Treatment, all.Treatment)
			}
		}
	}
}

func TestVersions(t *testing.T) {
	for s, want := range map[string]bool{
		"v1": true, "v2": true, "v10": true, "v1beta": true, "v1alpha": true, "v1beta1": true, "v1alpha12": true,
		"v": false, "vbeta": false, "v1internal": false, "v1gamma": false, "v1beta1x": false, "v1betaalpha": false, "1": false,
		"": false, "v1beta1beta": false, "version1": false, "vv1": false,
	} {
		if isVersion([]byte(s)) != want {
			t.Errorf("isVersion(%q) is %v", s, !want)
		}
	}
}

func TestParseRefusesNonsense(t *testing.T) {
	for _, path := range []string{"", "v1", "/v1//x", "/v1/", "/v1/{name}", "/v1/**/x", "**", "/v1/*", "/v1/x%20", "/{id}:", "/**/x", "/{version}:x"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken for a pattern", path)
				}
			}()
			parse(path)
		}()
	}
}

func TestFindDoesNotAllocate(t *testing.T) {
	union := Of("")
	for _, path := range []string{
		"/v1/messages", "/v1beta/models/gemini-2.5-pro:streamGenerateContent", "/V1/%6dessages",
		"/v1/projects/p/locations/l/publishers/anthropic/models/claude:streamRawPredict", "/unknown/path",
	} {
		if n := testing.AllocsPerRun(100, func() { union.Find("POST", path) }); n != 0 {
			t.Errorf("finding %s allocates %v times", path, n)
		}
	}
}

func FuzzFind(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, table := range Tables() {
		for _, r := range table.Rows {
			if rng.IntN(8) == 0 {
				f.Add(r.Method, examples(r.Path)[0])
			}
		}
	}
	for _, path := range []string{"", "/", "//", "/%", "/%2", "/%zz/x", "/a%2Fb", "/%ff", "/:", "/x:", "/:x", "/v1/é", "\x00", "no/slash", strings.Repeat("/v1", 400)} {
		f.Add("GET", path)
	}
	tables := everyTable()
	f.Fuzz(func(t *testing.T, method, path string) {
		for name, table := range tables {
			want, ok := table.Find(method, path)
			if ok != (want.Path != "") {
				t.Fatalf("%s: %v and %+v", name, ok, want)
			}
			for game, same := range map[string]string{
				"case":    mapEach(path, func(s string) string { return refold(s) }),
				"escape":  mapEach(path, func(s string) string { return escapeAll(unescaped(s)) }),
				"slashes": "//" + strings.ReplaceAll(path, "/", "//") + "//",
			} {
				if got, _ := table.Find(method, same); got != want {
					t.Fatalf("%s: %s: %q finds %q, and %q finds %q", name, game, path, want.Path, same, got.Path)
				}
			}
			if p := want.Path; strings.HasPrefix(p, anySegments) {
				below, ok := table.Find(method, "/prefix-of/a.gateway/"+strings.TrimLeft(path, "/"))
				if !ok || strictest[below.Treatment] < strictest[want.Treatment] {
					t.Fatalf("%s: %q is %v, and below a prefix %v", name, path, want.Treatment, below.Treatment)
				}
			}
		}
	})
}

func unescaped(segment string) string {
	return string(appendUnescaped(nil, segment))
}

// refold changes the case of every letter that a segment stands for.
func refold(segment string) string {
	return url.PathEscape(strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, strings.ToValidUTF8(unescaped(segment), "\ufffd")))
}

func BenchmarkFind(b *testing.B) {
	for _, bench := range []struct{ name, upstream, method, path string }{
		{"messages", "anthropic", "POST", "/v1/messages"},
		{"messages among all", "", "POST", "/v1/messages"},
		{"gemini among all", "", "POST", "/v1beta/models/gemini-2.5-pro:streamGenerateContent"},
		{"vertex among all", "", "POST", "/v1/projects/p/locations/l/publishers/anthropic/models/claude:streamRawPredict"},
		{"unknown among all", "", "GET", "/a/b/c/d/e/f/g/h"},
		{"long among all", "", "GET", strings.Repeat("/v1/models", 200)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			table := Of(bench.upstream)
			for b.Loop() {
				table.Find(bench.method, bench.path)
			}
		})
	}
}
