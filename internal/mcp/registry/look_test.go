package registry_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/mcp/registry"
	"github.com/weir-gate/weir/internal/weirtest/expect"
)

func TestLookAlikes(t *testing.T) {
	for name, tt := range map[string]struct {
		known, listed []string // of git and of fs
		want          []string
	}{
		"nothing alike": {[]string{"push"}, []string{"read"}, []string{"new read"}},
		"same name":     {[]string{"read"}, []string{"read"}, []string{"new read", "collision read [fs git]"}},
		"case":          {[]string{"Read"}, []string{"read"}, []string{"new read", "alike folded read [{git Read}]+0"}},
		"invisible":     {[]string{"read"}, []string{"re\u200bad"}, []string{"new re\u200bad", "alike folded re\u200bad [{git read}]+0"}},
		"wide":          {[]string{"read"}, []string{"ｒead"}, []string{"new ｒead", "alike folded ｒead [{git read}]+0"}},
		"cyrillic":      {[]string{"read"}, []string{"rеаd"}, []string{"new rеаd", "alike confusable rеаd [{git read}]+0"}},
		"greek capital": {[]string{"host"}, []string{"Ηost"}, []string{"new Ηost", "alike confusable Ηost [{git host}]+0"}},
		"digit":         {[]string{"pull"}, []string{"pu11"}, []string{"new pu11", "alike confusable pu11 [{git pull}]+0"}},
		"accent":        {[]string{"read"}, []string{"réad"}, []string{"new réad", "alike confusable réad [{git read}]+0"}},
		"rn":            {[]string{"remove"}, []string{"rernove"}, []string{"new rernove", "alike confusable rernove [{git remove}]+0"}},
		"replaced":      {[]string{"write_file"}, []string{"write_fxle"}, []string{"new write_fxle", "alike near write_fxle [{git write_file}]+0"}},
		"too many":      {[]string{"write_file"}, []string{"write_files"}, []string{"new write_files", "alike near write_files [{git write_file}]+0"}},
		"missing":       {[]string{"write_file"}, []string{"rite_file"}, []string{"new rite_file", "alike near rite_file [{git write_file}]+0"}},
		"two edits":     {[]string{"write_file"}, []string{"wriet_file"}, []string{"new wriet_file"}},
		"short":         {[]string{"push"}, []string{"pusk"}, []string{"new pusk"}},
		// Authors give near names to their own tools in good faith; names that look the same they do not.
		"near within":       {nil, []string{"get_issue", "get_issues"}, []string{"new get_issue", "new get_issues"}},
		"confusable within": {nil, []string{"read", "Read"}, []string{"new Read", "new read", "alike folded Read [{fs read}]+0", "alike folded read [{fs Read}]+0"}},
		"all at once": {
			[]string{"Write_file", "write_flle", "write_fil"},
			[]string{"write_file"},
			[]string{"new write_file", "alike folded write_file [{git Write_file}]+0", "alike confusable write_file [{git write_flle}]+0", "alike near write_file [{git write_fil}]+0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, registry.Bounds{})
			d.observe(listing(t, "git", tt.known...))
			l := listing(t, "fs", tt.listed...)
			d.want("first", d.observe(l), tt.want)
			d.want("again", d.observe(l), nil)
		})
	}
}

// What is not offered any more is still known: a server could take a tool back to offer another that looks like it.
func TestLookAlikesThatAreGone(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.observe(listing(t, "git", "read"))
	d.observe(listing(t, "git"))
	d.want("another", d.observe(listing(t, "fs", "Read")), []string{"new Read", "alike folded Read [{git read}]+0"})
	d.want("only near", d.observe(listing(t, "web", "fetch_page")), []string{"new fetch_page"})
	d.observe(listing(t, "web"))
	d.want("nearness ends", d.observe(listing(t, "net", "fetch_pages")), []string{"new fetch_pages"})
	d.want("back", d.observe(listing(t, "git", "read")), []string{"back read", "alike folded read [{fs Read}]+0"})
}

// Tools are trusted as they are first seen, but for those that could be taken for another one.
func TestTrustFirstLookAlikes(t *testing.T) {
	likes := []string{
		"Echo", "ECHO", "ech\u200bo", "\u00adecho", "echo ", " echo", "ｅcho", "𝓮cho", "eсho", "ecһo", "ech0", "echο", "échο", "ecℎo", "e\u0301cho",
		"echo\ufe0f", "echo\u3164", "\u2800echo", "echo\U000e0065", "eϲho", "ᎬᏟᎻᎾ", "ꓰꓚꓧꓳ", "ech\u034fo",
	}
	for _, like := range likes {
		for name, tt := range map[string]struct{ first, then registry.Listing }{
			"same server, later":    {listing(t, "fs", "echo"), listing(t, "fs", "echo", like, "other")},
			"same server, in place": {listing(t, "fs", "echo"), listing(t, "fs", like, "other")},
			"another server":        {listing(t, "fs", "echo"), listing(t, "git", like, "other")},
			"in the first list":     {listing(t, "git", "push"), listing(t, "fs", "echo", like, "other")},
		} {
			d := newDesk(t, registry.Bounds{})
			tt.first.TrustFirst, tt.then.TrustFirst = true, true
			d.observe(tt.first)
			d.observe(tt.then)
			if st := d.State(tt.then.Server, like); st.State != registry.Unknown {
				t.Errorf("%s: %+q is %s", name, like, st.State)
			}
			if st := d.State(tt.then.Server, "other"); st.State != registry.Trusted {
				t.Errorf("%s: other is %s beside %+q", name, st.State, like)
			}
			if name == "in the first list" && d.State("fs", "echo").State != registry.Unknown {
				t.Errorf("echo is trusted, though %+q was there at once", like)
			}
			if name == "same server, later" && d.State("fs", "echo").State != registry.Trusted {
				t.Errorf("echo is not trusted any more for %+q", like)
			}
			again := tt.then
			d.observe(again)
			if st := d.State(tt.then.Server, like); st.State != registry.Unknown {
				t.Errorf("%s: %+q is %s when it is listed again", name, like, st.State)
			}
		}
	}
}

// What is only near, or has the very same name at another server, is trusted: that is common.
func TestTrustFirstNames(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	for _, l := range []registry.Listing{
		listing(t, "fs", "read_file", "search"), listing(t, "git", "read_files", "search"), listing(t, "fs", "read_file", "search", "v1", "v2", "later"),
	} {
		l.TrustFirst = true
		d.observe(l)
		for _, tool := range l.Tools {
			if st := d.State(l.Server, tool.Name); st.State != registry.Trusted {
				t.Errorf("%s of %s is %s", tool.Name, l.Server, st.State)
			}
		}
	}
}

// Tools of servers that stand apart take no name away.
func TestTrustFirstApart(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.observe(listing(t, "bad", "Echo"))
	l := listing(t, "fs", "echo")
	l.TrustFirst = true
	l.Apart = func(server string) bool { return server == "bad" }
	d.want("alone", d.observe(l), []string{"new echo"})
	d.wantState("fs", "echo", registry.Trusted)
}

// A server whose tools are all alike is told of in few words.
func TestManyLookAlikes(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	var names []string
	for i := range 1 << 10 {
		name := []byte("write_files")
		for bit := range 10 {
			if i>>bit&1 == 1 && name[bit] != '_' {
				name[bit] -= 'a' - 'A'
			}
		}
		names = append(names, string(name))
	}
	d.observe(listing(t, "git", "write_filEs"))
	l := listing(t, "fs", names...)
	c, err := d.Observe(t.Context(), l)
	expect.OK(t, err)
	victim := registry.Identity{Server: "git", Name: "write_filEs"}
	for _, a := range c.LookAlikes {
		if len(a.Like) != 8 || a.More == 0 || a.Tool.Name != victim.Name && !slices.Contains(a.Like, victim) {
			t.Fatalf("%+v", a)
		}
	}
	expect.Equal(t, len(c.LookAlikes), len(c.New), "%d of %d are told of", len(c.LookAlikes), len(c.New))
}

// bigRegistry has ten servers of a thousand tools.
func bigRegistry(b *testing.B) *registry.Registry {
	r, err := registry.New(b.Context(), registry.Config{})
	expect.OK(b, err)
	for s := range 10 {
		var names []string
		for i := range 1000 {
			names = append(names, fmt.Sprintf("tool_number_%d_%d:Does a thing.", i, s))
		}
		l := listing(b, fmt.Sprintf("server%d", s), names...)
		l.TrustFirst = true
		if _, err := r.Observe(b.Context(), l); err != nil {
			b.Fatal(err)
		}
	}
	return r
}

func BenchmarkState(b *testing.B) {
	r := bigRegistry(b)
	b.ReportAllocs()
	for b.Loop() {
		if r.State("server7", "tool_number_500_7").State != registry.Trusted {
			b.Fatal("not trusted")
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	r := bigRegistry(b)
	b.ReportAllocs()
	for b.Loop() {
		if len(r.Lookup(registry.Question{Name: "mcp__server7__tool_number_500_7"})) != 1 {
			b.Fatal("not found")
		}
	}
}

// BenchmarkObserveSame is a server that lists a thousand tools again.
func BenchmarkObserveSame(b *testing.B) {
	r := bigRegistry(b)
	l := registry.Listing{Server: "server7", Complete: true}
	for _, t := range r.Tools("server7") {
		l.Tools = append(l.Tools, t.Definition)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Observe(b.Context(), l); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkObserveNew is a server that adds tools, one by one, to a thousand, among ten thousand.
func BenchmarkObserveNew(b *testing.B) {
	r := bigRegistry(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l := registry.Listing{Server: "server7", Tools: []registry.Definition{define(b, "server7", fmt.Sprint("one_more_tool_", i, ":Does it."))}}
		if c, err := r.Observe(b.Context(), l); err != nil || len(c.New) != 1 {
			b.Fatal(err)
		}
	}
}
