package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/weir-gate/weir/internal/app/secretfile"
	"github.com/weir-gate/weir/internal/text/yamlfile"
)

// A clientFile is a file with clients.
type clientFile struct {
	path string
	data []byte
}

// maxClientFiles is how many files a folder of clients may have.
const maxClientFiles = 10000

// clientFileEnds ends the name of a file with clients.
const clientFileEnds = ".yaml"

var clientFileShape = yamlfile.Shape{Required: []string{"clients"}}

// ClientFileNames returns the files with clients at a path: itself, or those of the folder whose names end in .yaml. Hidden files do not
// count: editors and Kubernetes have their own.
func ClientFileNames(path string) ([]string, error) {
	if !isFolder(path) {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if name := e.Name(); strings.HasSuffix(name, clientFileEnds) && !strings.HasPrefix(name, ".") {
			names = append(names, filepath.Join(path, name))
		}
	}
	if len(names) > maxClientFiles {
		return nil, fmt.Errorf("%s has %d files with clients, and %d are the most; write several clients into one file",
			path, len(names), maxClientFiles)
	}
	return names, nil
}

// readClientFiles reads the files with clients at a path.
func readClientFiles(path string) (files []clientFile, err error) {
	names, err := ClientFileNames(path)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := secretfile.Read(name)
		if errors.Is(err, fs.ErrNotExist) && name != path {
			continue // it was removed since
		}
		if err != nil {
			return nil, err
		}
		files = append(files, clientFile{name, data})
	}
	return files, nil
}

// clientsOfFiles reads the clients in the files that client_files names.
func (r *loader) clientsOfFiles(cfg *Config, n *yamlfile.Node) {
	files, err := r.clientFiles(cfg.ClientFiles)
	if errors.Is(err, fs.ErrNotExist) {
		if !strings.HasSuffix(cfg.ClientFiles, clientFileEnds) {
			return // a folder that nobody has written to yet: there are no clients, and nobody else may use weir
		}
		r.report.Add(n, cfg.ClientFiles+" does not exist", "create it, or correct the path")
		return
	}
	if err != nil {
		r.addError(n, err)
		return
	}
	for _, file := range files {
		root, report := yamlfile.Parse(file.path, file.data)
		r.report.Join(report)
		if root == nil || !r.report.Mapping(root, clientFileShape) {
			continue
		}
		list := root.Get("clients")
		if list == nil {
			continue // that is reported
		}
		if list.Kind != yamlfile.List { // which may be empty: the last client may have been revoked
			r.report.Add(list, "the clients are no list", "write clients: [{key_hash: …, name: …}]")
		}
		for _, item := range list.Items {
			if c, ok := r.client(item, true); ok {
				c.Source = file.path
				cfg.Clients = append(cfg.Clients, c)
			}
		}
	}
}
