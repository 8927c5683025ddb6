package checkpoint

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weir-gate/weir/internal/record"
)

func newTestKey(t testing.TB) *Key {
	t.Helper()
	k, err := OpenKey(filepath.Join(t.TempDir(), "audit.key"))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func wantError(t *testing.T, what string, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: error %v, want %q in it", what, err, text)
	}
}

func TestKeyIsMadeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "audit.key")
	ids := make([]string, 8)
	var group sync.WaitGroup
	for i := range ids {
		group.Go(func() {
			k, err := OpenKey(path)
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = k.ID()
		})
	}
	group.Wait()
	if slices.Sort(ids); ids[0] != ids[len(ids)-1] || !strings.HasPrefix(ids[0], "ed25519:") {
		t.Errorf("keys %v", ids)
	}
	for name, mode := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700 | fs.ModeDir} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != mode {
			t.Errorf("%s has mode %v, %v; want %v", name, info.Mode(), err, mode)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

func TestKeyIsRefused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine := filepath.Join(dir, "mine")
	if _, err := OpenKey(mine); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(mine)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(foreign)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, path, want string }{
		{"others can read it", write("open", string(text), 0o644), "run chmod 600 "},
		{"a group can write it", write("group", string(text), 0o620), "mode 0620"},
		{"empty", write("empty", "", 0o600), "restore the file from a backup, or move it away"},
		{"half", write("half", string(text[:len(text)/2]), 0o600), "no Ed25519 key"},
		{"two", write("two", string(text)+string(text), 0o600), "no Ed25519 key"},
		{"another kind", write("rsa", string(pem.EncodeToMemory(&pem.Block{Type: privateBlock, Bytes: der})), 0o600), "no Ed25519 key"},
		{"large", write("large", strings.Repeat("x", maxKeyFile+1), 0o600), "too large"},
		{"a folder", dir, "not a regular file"},
	} {
		before, _ := os.ReadFile(test.path)
		_, err := OpenKey(test.path)
		wantError(t, test.name, err, test.want)
		if after, _ := os.ReadFile(test.path); string(after) != string(before) {
			t.Errorf("%s: the file was changed", test.name)
		}
	}
	_, err = OpenKey(filepath.Join(mine, "audit.key"))
	wantError(t, "inside a file", err, "audit key: ")
}

func TestReadKeyIDs(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.key")
	k, err := OpenKey(path)
	if err != nil {
		t.Fatal(err)
	}
	public, ok := publicKey(k.ID())
	if !ok {
		t.Fatalf("%q is no id", k.ID())
	}
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	other := newTestKey(t)
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	pub := string(pem.EncodeToMemory(&pem.Block{Type: publicBlock, Bytes: der}))
	for _, test := range []struct {
		name, path string
		want       []string
	}{
		{"the key itself", path, []string{k.ID()}},
		{"its public half", write("pub", pub), []string{k.ID()}},
		{"what verify printed", write("lines", "intact: 1 event\nkey "+k.ID()+" 7\nkey "+other.ID()+" 9\n"), []string{k.ID(), other.ID()}},
		{"both", write("both", pub+other.ID()+"\n"), []string{k.ID(), other.ID()}},
		{"twice", write("twice", pub+pub+k.ID()), []string{k.ID()}},
	} {
		slices.Sort(test.want)
		if got, err := ReadKeyIDs(test.path); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, %v; want %v", test.name, got, err, test.want)
		}
	}
	private, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string][2]string{
		"nothing":                  {write("none", "hello ed25519:00 "+strings.ToUpper(k.ID())), "no Ed25519 key"},
		"a private key for all":    {write("open", string(private)), "run chmod 600"},
		"a certificate":            {write("cert", strings.ReplaceAll(pub, publicBlock, "CERTIFICATE")), "no Ed25519 key"},
		"a file that is not there": {filepath.Join(dir, "nowhere"), "read key: "},
		"a file that is much":      {write("large", strings.Repeat("x", maxKeyFile+1)), "too large"},
		"a key that is broken":     {write("broken", strings.Replace(pub, "M", "N", 1)), "no Ed25519 key"},
	} {
		_, err := ReadKeyIDs(test[0])
		wantError(t, name, err, test[1])
	}
}

// TestSignaturesShowEveryChange changes each byte of what was signed.
func TestSignaturesShowEveryChange(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678901234, time.FixedZone("", 3600))
	say := Statement{Head: record.Head{Chain: "chain_1", Seq: 7, Hash: record.Genesis}, Closed: true, Cut: Cut{First: 3, Prev: "x", Until: at.UTC()}}
	s, err := newTestKey(t).Signer(func() time.Time { return at }).Sign(Signed{}, say)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Checkpoint()
	want := Checkpoint{
		N: 1, Time: at.UTC().Truncate(time.Microsecond), Head: record.Head{Chain: "chain_1", Seq: 7, Hash: record.Genesis}, Prev: record.Genesis, Closed: true,
		Cut: true, CutFirst: 3, CutPrev: "x", CutUntil: at.UTC(), Key: s.Key,
	}
	if err != nil || c != want || !s.Authentic() || s.Differs(c) != "" {
		t.Errorf("signed %+v, %v; want %+v", c, err, want)
	}
	for i := range s.Text {
		changed := s
		changed.Text = slices.Clone(s.Text)
		changed.Text[i] ^= 1
		if changed.Authentic() {
			t.Fatalf("byte %d was changed, and the signature fits", i)
		}
	}
	for name, change := range map[string]func(*Signed){
		"another key": func(s *Signed) { s.Key = newTestKey(t).ID() }, "no key": func(s *Signed) { s.Key = "" },
		"no signature": func(s *Signed) { s.Signature = "" }, "half a signature": func(s *Signed) { s.Signature = s.Signature[:44] },
	} {
		changed := s
		if change(&changed); changed.Authentic() {
			t.Errorf("%s: the signature fits", name)
		}
	}
}
