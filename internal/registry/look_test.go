package registry_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/weir-gate/weir/internal/registry"
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

// What is not offered any more is not taken for anything, until it is back.
func TestLookAlikesThatAreGone(t *testing.T) {
	d := newDesk(t, registry.Bounds{})
	d.observe(listing(t, "git", "read"))
	d.observe(listing(t, "git"))
	d.want("alone", d.observe(listing(t, "fs", "Read")), []string{"new Read"})
	d.want("back", d.observe(listing(t, "git", "read")), []string{"back read", "alike folded read [{fs Read}]+0"})
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
	if err != nil {
		t.Fatal(err)
	}
	victim := registry.Identity{Server: "git", Name: "write_filEs"}
	for _, a := range c.LookAlikes {
		if len(a.Like) != 8 || a.More == 0 || a.Tool.Name != victim.Name && !slices.Contains(a.Like, victim) {
			t.Fatalf("%+v", a)
		}
	}
	if len(c.LookAlikes) != len(c.New) {
		t.Errorf("%d of %d are told of", len(c.LookAlikes), len(c.New))
	}
}

// bigRegistry has ten servers of a thousand tools.
func bigRegistry(b *testing.B) *registry.Registry {
	r, err := registry.New(b.Context(), registry.Config{})
	if err != nil {
		b.Fatal(err)
	}
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
