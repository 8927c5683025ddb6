package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func runImage(flags *flag.FlagSet, args []string) error {
	r, out, err := openDist(flags, args)
	if err != nil {
		return err
	}
	base, err := rootfs()
	if err != nil {
		return err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, b := range r.Binaries {
		if b.OS != "linux" {
			continue
		}
		img, err := imageOf(r, b, base)
		if err != nil {
			return fmt.Errorf("image of %s: %w", b.Path, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: b.OS, Architecture: b.Arch}},
		})
	}
	// Who loads the file finds the tag here, and one entry: all platforms.
	top := mutate.AppendManifests(mutate.IndexMediaType(empty.Index, types.OCIImageIndex), mutate.IndexAddendum{
		Add: index, Descriptor: v1.Descriptor{Annotations: map[string]string{"org.opencontainers.image.ref.name": r.Version}},
	})
	return saveLayout(top, r.Time, out)
}

// imageOf builds the image of one platform: the files that all share, and the program.
func imageOf(r *release, b binary, base []file) (v1.Image, error) {
	program, err := os.ReadFile(b.Path)
	if err != nil {
		return nil, err
	}
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, files := range [][]file{base, {{name: "usr/bin/weir", mode: 0o755, data: program}}} {
		data, err := tarOf(files, r.Time)
		if err != nil {
			return nil, err
		}
		opener := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
		layer, err := tarball.LayerFromOpener(opener, tarball.WithMediaType(types.OCILayer))
		if err != nil {
			return nil, err
		}
		if img, err = mutate.AppendLayers(img, layer); err != nil {
			return nil, err
		}
	}
	cfg, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	cfg = cfg.DeepCopy()
	cfg.OS, cfg.Architecture, cfg.Created = b.OS, b.Arch, v1.Time{Time: r.Time}
	cfg.Config = v1.Config{
		User:       fmt.Sprintf("%d:%d", user, user),
		Env:        []string{"PATH=/usr/bin", "HOME=/home/weir", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt"},
		WorkingDir: "/home/weir",
		Entrypoint: []string{"/usr/bin/weir"},
		Cmd:        []string{"serve"},
		Volumes:    map[string]struct{}{"/home/weir": {}},
		Labels: map[string]string{
			"org.opencontainers.image.title": "weir", "org.opencontainers.image.description": summary, "org.opencontainers.image.source": home,
			"org.opencontainers.image.licenses": "Apache-2.0", "org.opencontainers.image.version": r.Version,
			"org.opencontainers.image.revision": r.Commit, "org.opencontainers.image.created": r.Time.UTC().Format(time.RFC3339),
		},
	}
	return mutate.ConfigFile(img, cfg)
}

// saveLayout writes an index as one file: an OCI layout in a tar.
func saveLayout(index v1.ImageIndex, at time.Time, out string) error {
	dir, err := os.MkdirTemp("", "weir-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if _, err := layout.Write(dir, index); err != nil {
		return err
	}
	var files []file
	// WalkDir goes in the order of names.
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			files = append(files, file{name: name + "/", mode: 0o755})
			return nil
		}
		data, err := os.ReadFile(path)
		files = append(files, file{name: name, mode: 0o644, data: data})
		return err
	})
	if err != nil {
		return err
	}
	data, err := tarOf(files, at)
	if err != nil {
		return err
	}
	return save(out, data)
}

func runUnpack(flags *flag.FlagSet, args []string) error {
	path := flags.String("image", "", "image that the step image wrote")
	platform := flags.String("platform", "", "whose files to write, such as linux/amd64")
	if _, err := parse(flags, args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "weir-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := untar(*path, dir); err != nil {
		return fmt.Errorf("%s: %w", *path, err)
	}
	img, err := imageFor(dir, *platform)
	if err != nil {
		return fmt.Errorf("%s: %w", *path, err)
	}
	if err := checkUser(img); err != nil {
		return fmt.Errorf("%s: %w", *path, err)
	}
	files := mutate.Extract(img)
	defer files.Close()
	_, err = io.Copy(os.Stdout, files)
	return err
}

// imageFor finds the image of a platform in a layout, after all digests were checked.
func imageFor(dir, platform string) (v1.Image, error) {
	if err := checkBlobs(dir); err != nil {
		return nil, err
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return nil, err
	}
	if err := validate.Index(index); err != nil {
		return nil, fmt.Errorf("the image is not whole: %w; build it again", err)
	}
	top, err := index.IndexManifest()
	if err != nil {
		return nil, err
	}
	if len(top.Manifests) != 1 {
		return nil, fmt.Errorf("the layout has %d entries, want 1", len(top.Manifests))
	}
	all, err := index.ImageIndex(top.Manifests[0].Digest)
	if err != nil {
		return nil, err
	}
	manifest, err := all.IndexManifest()
	if err != nil {
		return nil, err
	}
	for _, m := range manifest.Manifests {
		if m.Platform.String() == platform {
			return all.Image(m.Digest)
		}
	}
	return nil, fmt.Errorf("there is no image for %q", platform)
}

// checkBlobs compares all parts of a layout with their names, which are their sums. validate does not look at an index within an index.
func checkBlobs(dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "blobs", "sha256", "*"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		sum, err := sumOf(path)
		if err != nil {
			return err
		}
		if sum != filepath.Base(path) {
			return fmt.Errorf("the image is not whole: the part %s has the sum %s; build it again", filepath.Base(path), sum)
		}
	}
	return nil
}

func checkUser(img v1.Image) error {
	cfg, err := img.ConfigFile()
	if err != nil {
		return err
	}
	if cfg.Config.User == "" || strings.HasPrefix(cfg.Config.User, "0") || strings.HasPrefix(cfg.Config.User, "root") {
		return errors.New("the image runs as root")
	}
	return nil
}

func untar(path, dir string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeDir {
			err = root.MkdirAll(strings.TrimSuffix(h.Name, "/"), 0o755)
		} else {
			var data []byte
			if data, err = io.ReadAll(r); err == nil {
				err = root.WriteFile(h.Name, data, 0o644)
			}
		}
		if err != nil {
			return err
		}
	}
}
