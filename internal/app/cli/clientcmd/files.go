package clientcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/app/config"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// find returns the client with a name; nil: there is none.
func find(cfg *config.Config, name string) *config.Client {
	for i := range cfg.Clients {
		if strings.EqualFold(cfg.Clients[i].Name, name) {
			return &cfg.Clients[i]
		}
	}
	return nil
}

// place is where a client is written down, for people.
func place(c config.Client) string {
	if c.Source == "" {
		return "weir.yaml"
	}
	return c.Source
}

// fileOf is the file of a client in a folder.
func fileOf(folder, name string) string { return filepath.Join(folder, name+".yaml") }

// create writes a new file, whole or not at all. A file that is there stays as it is.
func create(path string, data []byte) error {
	temporary, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	defer os.Remove(temporary) // it has its final name by then
	if err := os.Link(temporary, path); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already; remove it, or choose another name", path)
	} else if err != nil {
		return err
	}
	return nil
}

// replace writes a file in place of another, whole or not at all.
func replace(path string, data []byte) error {
	temporary, err := writeBeside(path, data)
	if err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// writeBeside writes a hidden file beside a path, readable by its owner alone.
func writeBeside(path string, data []byte) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".client-*")
	if err != nil {
		return "", fmt.Errorf("%w; make the folder writable for you", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// errOdd says that a client cannot be cut out of a file for certain.
var errOdd = errors.New("the file is written in a way that is not changed automatically")

// cut returns the text of a file without the client of a name, or nil if no client is left. Each client must have lines of its own.
func cut(data []byte, name string) ([]byte, error) {
	before, report := yamlfile.Parse("", data)
	if err := report.Err(); err != nil {
		return nil, err
	}
	items := before.Get("clients").Items
	at := -1
	for i, item := range items {
		if n := item.Get("name"); n != nil && strings.EqualFold(n.Text, name) {
			at = i
		}
	}
	switch {
	case at < 0:
		return nil, errOdd
	case len(items) == 1:
		return nil, nil
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	first, last := items[at].Line, len(lines)+1
	if at+1 < len(items) {
		last = items[at+1].Line
	}
	if first < 1 || last <= first || last > len(lines)+1 {
		return nil, errOdd
	}
	rest := bytes.Join(append(append([][]byte{}, lines[:first-1]...), lines[last-1:]...), nil)
	after, report := yamlfile.Parse("", rest)
	if report.Err() != nil || after.Get("clients") == nil || after.Get("clients").Kind != yamlfile.List {
		return nil, errOdd
	}
	kept := append(append([]*yamlfile.Node{}, items[:at]...), items[at+1:]...)
	if got := after.Get("clients").Items; len(after.Entries) != len(before.Entries) || !sameNodes(got, kept) {
		return nil, errOdd
	}
	return rest, nil
}

func sameNodes(a, b []*yamlfile.Node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !bytes.Equal(a[i].JSON(), b[i].JSON()) {
			return false
		}
	}
	return true
}
