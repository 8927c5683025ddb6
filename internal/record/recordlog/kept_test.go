package recordlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// smallBlock makes several blocks out of a small segment.
const smallBlock = 700

// newKept makes a log of several segments that has ended, and returns what is in it, in order.
func newKept(t testing.TB, config Config) (folder string, want []string) {
	t.Helper()
	l, c := create(t, config), newChain(t)
	for n := range 6 {
		entries := c.next(1+n%3, 7*n)
		mustAppend(t, l, entries)
		want = append(want, textsOf(entries)...)
		if n%3 == 1 {
			marks := [][]byte{fmt.Append(nil, "mark ", n), {byte(n), 0}}
			if err := l.AppendMark(t.Context(), marks); err != nil {
				t.Fatal(err)
			}
			want = append(want, string(marks[0]), string(marks[1]))
		}
	}
	if err := l.Close(false); err != nil {
		t.Fatal(err)
	}
	return l.Folder(), want
}

var smallSegments = Config{Segment: 1100, Largest: 1100}

// forms are the forms in which a log can be.
var forms = map[string]func(t testing.TB, folder string){
	"raw": func(testing.TB, string) {},
	"packed": func(t testing.TB, folder string) {
		if err := compress(t.Context(), folder, job{files: Disk, block: smallBlock}); err != nil {
			t.Fatal(err)
		}
	},
	"both": func(t testing.TB, folder string) { // packed, and interrupted
		before := snapshot(t, folder)
		if err := compress(t.Context(), folder, job{files: Disk, block: smallBlock}); err != nil {
			t.Fatal(err)
		}
		for name, data := range before {
			write(t, filepath.Join(folder, name), data)
		}
	},
}

func inForms(t *testing.T, f func(t *testing.T, folder string, want []string)) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			folder, want := newKept(t, smallSegments)
			form(t, folder)
			f(t, folder, want)
		})
	}
}

// snapshot reads the files of a log.
func snapshot(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	names, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, e := range names {
		if _, _, ok := parseName(e.Name()); ok {
			if all[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// scanned is what Scan finds.
func scanned(t testing.TB, folder string) (all []string, damages []*Damage, err error) {
	t.Helper()
	for g, err := range Scan(folder, 0) {
		var damage *Damage
		switch {
		case errors.As(err, &damage):
			damages = append(damages, damage)
		case err != nil:
			return all, damages, err
		default:
			all = append(all, string(g.Text))
		}
	}
	return all, damages, nil
}

func TestKept(t *testing.T) {
	inForms(t, func(t *testing.T, folder string, want []string) {
		got, damages, err := scanned(t, folder)
		if diff := cmp.Diff(want, got); diff != "" || err != nil || len(damages) > 0 {
			t.Fatalf("%v, %v (-want +got):\n%s", damages, err, diff)
		}
		segments, err := segmentsIn(folder)
		if err != nil || len(segments) < 3 {
			t.Errorf("%v, %v; want several segments", segments, err)
		}
		var at []Position
		for g, err := range Read(folder, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if isMark := !strings.HasPrefix(string(g.Text), "{"); isMark != (g.Kind == Mark) {
				t.Errorf("%q has kind %d", g.Text, g.Kind)
			}
			at = append(at, g.At)
		}
		archive := NewArchive(filepath.Dir(folder), 0)
		for i, p := range at {
			rest, err := texts(folder, p)
			if diff := cmp.Diff(want[i:], rest); diff != "" || err != nil {
				t.Errorf("from %d: %v (-want +got):\n%s", p, err, diff)
			}
			if text, err := archive.Text(filepath.Base(folder), p); err != nil || string(text) != want[i] {
				t.Errorf("at %d: %q, %v; want %q", p, text, err, want[i])
			}
		}
		if last, found, err := Last(folder); err != nil || !found || last.Seq != 12 {
			t.Errorf("last %v, %t, %v", last, found, err)
		}
	})
}

// wantHonest checks that a log that was changed yields what it had, or says that it is damaged, and never anything that it did not have.
func wantHonest(t *testing.T, folder string, want []string, what string) {
	t.Helper()
	got, damages, err := scanned(t, folder)
	rest := want
	for _, text := range got {
		i := slices.Index(rest, text)
		if i < 0 {
			t.Fatalf("%s: it yields %q, which it never had, or had before", what, text)
		}
		rest = rest[i+1:]
	}
	if len(got) < len(want) && len(damages) == 0 && err == nil {
		t.Fatalf("%s: %d of %d are missing, and nobody says so", what, len(want)-len(got), len(want))
	}
	lost := int64(0)
	for _, d := range damages {
		lost += d.To - d.From
	}
	if len(got) < len(want) && err == nil && lost == 0 && !strings.Contains(fmt.Sprint(damages), missingNext) {
		t.Fatalf("%s: %d of %d are missing, and the damage says that nothing is: %v", what, len(want)-len(got), len(want), damages)
	}
	// Read stops at the first damage.
	read, readErr := texts(folder, 0)
	if len(read) > len(got) || !slices.Equal(read, got[:len(read)]) || (readErr == nil) != (len(damages) == 0 && err == nil) {
		t.Fatalf("%s: Read yields %d texts, %v; Scan %d, %v, %v", what, len(read), readErr, len(got), damages, err)
	}
}

// TestEveryBitOfAKeptLog: whatever bit is changed, in any file.
func TestEveryBitOfAKeptLog(t *testing.T) {
	inForms(t, func(t *testing.T, folder string, want []string) {
		for name, data := range snapshot(t, folder) {
			f, err := os.OpenFile(filepath.Join(folder, name), os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			for at, b := range data {
				if _, err := f.WriteAt([]byte{b ^ 1<<(at%8)}, int64(at)); err != nil {
					t.Fatal(err)
				}
				wantHonest(t, folder, want, fmt.Sprintf("%s, byte %d", name, at))
				if _, err := f.WriteAt([]byte{b}, int64(at)); err != nil {
					t.Fatal(err)
				}
			}
			f.Close() // nobody reads it any more
		}
	})
}

// TestCutAKeptLog: whichever file ends early, anywhere.
func TestCutAKeptLog(t *testing.T) {
	inForms(t, func(t *testing.T, folder string, want []string) {
		for name, data := range snapshot(t, folder) {
			path := filepath.Join(folder, name)
			for at := 0; at < len(data); at += 1 + at%11 {
				write(t, path, data[:at])
				wantHonest(t, folder, want, fmt.Sprintf("%s cut to %d bytes", name, at))
				write(t, path, append(data[:at:at], make([]byte, len(data)-at)...))
				wantHonest(t, folder, want, fmt.Sprintf("%s with zeros from byte %d on", name, at))
			}
			write(t, path, append(slices.Clone(data), "more"...))
			wantHonest(t, folder, want, name+" with more")
			write(t, path, data)
		}
	})
}

// TestMissingSegment: a segment in the middle that is gone, or is of another log, is damage. Without its first segments a log is one that
// was trimmed.
func TestMissingSegment(t *testing.T) {
	inForms(t, func(t *testing.T, folder string, want []string) {
		other, _ := newKept(t, smallSegments)
		forms["packed"](t, other)
		foreign := snapshot(t, other)
		segments, err := segmentsIn(folder)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range segments {
			names := []string{segmentName(s.base), packedName(s.base)}
			before := snapshot(t, folder)
			for _, name := range names {
				_ = os.Remove(filepath.Join(folder, name)) // it is there in one of the forms
			}
			got, damages, err := scanned(t, folder)
			switch {
			case err != nil:
				t.Fatal(err)
			case i == 0 && (len(damages) > 0 || len(got) == 0 || !slices.Equal(got, want[len(want)-len(got):])):
				t.Errorf("without the first: %d texts, %v", len(got), damages)
			case i > 0 && (i < len(segments)-1 || !segments[i-1].raw) && len(damages) == 0:
				t.Errorf("without segment %d no damage is found", i)
			}
			if i > 0 {
				wantHonest(t, folder, want, fmt.Sprint("without segment ", i))
			}
			name := packedName(s.base)
			if data, there := foreign[name]; there && i > 0 {
				write(t, filepath.Join(folder, name), data)
				wantHonest(t, folder, want, fmt.Sprint("with a foreign segment ", i))
				if _, damages, err := scanned(t, folder); err != nil || !strings.Contains(fmt.Sprint(damages), "of another log") {
					t.Errorf("with a foreign segment %d: %v, %v", i, damages, err)
				}
				_ = os.Remove(filepath.Join(folder, name)) // in the raw form it was not there
			}
			for name, data := range before {
				write(t, filepath.Join(folder, name), data)
			}
		}
	})
}

// TestDamagedBlocks: blocks that cannot be read hide nothing but themselves.
func TestDamagedBlocks(t *testing.T) {
	folder, want := newKept(t, smallSegments)
	forms["packed"](t, folder)
	segments, err := Segments(folder)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := segments[1].Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := packedName(segments[1].Base)
	data := snapshot(t, folder)[name]
	c, _, err := segments[1].stored.openPacked()
	if err != nil {
		t.Fatal(err)
	}
	blocks := c.(*packedContent).table.Blocks
	c.close()
	if len(blocks) < 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	for _, b := range blocks {
		data[b.Offset+b.Packed/2] ^= 1
	}
	write(t, filepath.Join(folder, name), data)
	got, damages, err := scanned(t, folder)
	if err != nil || len(damages) != 1 || damages[0].From != segments[1].Base || damages[0].To != segments[1].End {
		t.Errorf("%v, %v", damages, err)
	}
	if len(got) != len(want)-int(facts.Events+facts.Marks) {
		t.Errorf("%d texts are left of %d", len(got), len(want))
	}
}

// TestStaleList: a list in which segments are missing, because they changed their form while it was made, is no damage.
func TestStaleList(t *testing.T) {
	inForms(t, func(t *testing.T, folder string, want []string) {
		all, err := segmentsIn(folder)
		if err != nil {
			t.Fatal(err)
		}
		for some := range 1 << len(all) {
			var got []string
			w := walk{folder: folder, yield: func(g Logged, err error) bool {
				if got = append(got, string(g.Text)); err != nil {
					t.Errorf("list %b: %v", some, err)
				}
				return true
			}}
			for i, s := range all {
				if some>>i&1 == 1 {
					w.segments = append(w.segments, s)
				}
			}
			w.identify()
			w.run(0)
			// Without the first, it is a log that was trimmed; without the last, one that ended earlier.
			if full := some&1 == 1 && some>>(len(all)-2) == 3; full && !slices.Equal(got, want) || !strings.Contains(strings.Join(want, "\n"), strings.Join(got, "\n")) {
				t.Errorf("list %b: %d texts", some, len(got))
			}
		}
	})
}
