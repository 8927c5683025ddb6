package confine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// An action is what is done to a path. If a path has several, the greatest counts.
type action int

const (
	hold    action = iota // it cannot be renamed
	show                  // another file is seen in its place
	fix                   // it cannot be changed
	resolve               // it is replaced by weir's own list of resolvers
	hide                  // it appears empty
)

// touchy are files through which root can change the machine, whatever else it may do. For example, one of them names the program
// that the kernel starts when another program crashes.
var touchy = []string{"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi", "/sys"}

// resolvers is the file that tells programs which name servers to ask.
const resolvers = "/etc/resolv.conf"

// arrange mounts everything that hides or protects the paths of the order.
func arrange(o order) error {
	// Mounts made here must not appear elsewhere, nor mounts made elsewhere here.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	mounts, err := readMounts()
	if err != nil {
		return fmt.Errorf("read the table of mounts: %w", err)
	}
	p := plan{actions: make(map[string]action), shown: make(map[string]string), mounts: mounts}
	for _, path := range o.Hide {
		if err := p.protect(path, hide); err != nil {
			return fmt.Errorf("hide a path: %w", err)
		}
	}
	for _, path := range o.Fix {
		if err := p.protect(path, fix); err != nil {
			return fmt.Errorf("make a path read-only: %w", err)
		}
	}
	for _, c := range o.Covers {
		if err := p.replace(c); err != nil {
			return fmt.Errorf("show a file in the place of %s: %w", c.Path, err)
		}
	}
	for _, path := range o.Masks {
		p.cover(path, hide)
	}
	if o.Root {
		for _, path := range touchy {
			if _, err := os.Lstat(path); err == nil {
				p.cover(path, fix)
			}
		}
	}
	text, err := p.findResolvers()
	if err != nil {
		return err
	}
	b, err := newBlank(text)
	if err != nil {
		return err
	}
	if err := p.carryOut(b); err != nil {
		return err
	}
	return b.close()
}

// A plan says what to do to each path. All paths are real paths, without links.
type plan struct {
	actions map[string]action
	shown   map[string]string // by path: the file to show there, for the action show
	mounts  []mount
}

func (p *plan) add(path string, a action) {
	if had, ok := p.actions[path]; !ok || a > had {
		p.actions[path] = a
	}
}

// protect plans an action for the target of a path, and ensures that the path keeps this target.
func (p *plan) protect(path string, a action) error {
	resolved, links, err := trace(path)
	if absent(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if resolved == "/" {
		return errors.New("it is the root folder")
	}
	for _, link := range links {
		p.keepName(link)
	}
	p.cover(resolved, a)
	p.keepName(resolved)
	return nil
}

// replace plans to show a file in place of another. It skips no cover: the program would then use the original file.
func (p *plan) replace(c Cover) error {
	resolved, _, err := trace(c.Path)
	if err != nil {
		return err
	}
	for _, path := range aliases(resolved, p.mounts) {
		p.add(path, show)
		p.shown[path] = c.With
	}
	return nil
}

// cover plans an action for a file or folder at every path where it is mounted.
func (p *plan) cover(resolved string, a action) {
	for _, path := range aliases(resolved, p.mounts) {
		p.add(path, a)
	}
}

// keepName ensures that neither the file nor any folder above it can be renamed. Mount points cannot be renamed anyway.
func (p *plan) keepName(resolved string) {
	for ; resolved != "/"; resolved = filepath.Dir(resolved) {
		if slices.ContainsFunc(p.mounts, func(m mount) bool { return m.point == resolved }) {
			continue
		}
		if renamable(filepath.Dir(resolved)) {
			p.add(resolved, hold)
		}
	}
}

// findResolvers plans to replace the list of resolvers, and returns the new list; nil: this machine has none.
func (p *plan) findResolvers() ([]byte, error) {
	resolved, _, err := trace(resolvers)
	if absent(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the list of resolvers: %w", err)
	}
	text, err := os.ReadFile(resolved)
	if err != nil {
		return nil, fmt.Errorf("read the list of resolvers: %w", err)
	}
	p.add(resolved, resolve)
	return ownResolvers(text), nil
}

// ownResolvers returns a list with a single resolver, and the other settings of the given list. The address of the resolver does
// not matter: everything to port 53 arrives at weir.
func ownResolvers(given []byte) []byte {
	own := []byte("nameserver 127.0.0.53\n")
	for line := range bytes.Lines(given) {
		f := bytes.Fields(line)
		if len(f) > 1 && slices.Contains([]string{"search", "domain", "options"}, string(f[0])) {
			own = append(own, bytes.TrimRight(line, "\r\n")...)
			own = append(own, '\n')
		}
	}
	return own
}

// maxPlacings is how often placing is tried for a file that keeps disappearing.
const maxPlacings = 5

// carryOut does what is planned, from the top of the tree down, because later mounts must lie on top of earlier ones.
func (p *plan) carryOut(b *blank) error {
	paths := slices.SortedFunc(maps.Keys(p.actions), func(x, y string) int {
		return cmp.Or(cmp.Compare(strings.Count(x, "/"), strings.Count(y, "/")), cmp.Compare(x, y))
	})
	var hidden []string
	for _, path := range paths {
		if slices.ContainsFunc(hidden, func(dir string) bool { return within(path, dir) }) {
			continue
		}
		folder, err := p.place(path, b)
		// Sockets may appear and disappear meanwhile. A socket that reappears at once is hidden, too.
		for tries := 1; absent(err) && tries < maxPlacings; tries++ {
			folder, err = p.place(path, b)
		}
		if err != nil {
			return fmt.Errorf("hide %s: %w", path, err)
		}
		if folder && p.actions[path] == hide {
			hidden = append(hidden, path)
		}
	}
	return nil
}

// place mounts over a path what its action requires. folder says that the path is a folder.
func (p *plan) place(path string, b *blank) (folder bool, err error) {
	a := p.actions[path]
	info, err := os.Lstat(path)
	if absent(err) {
		return false, nil // a socket that is gone already
	}
	if err != nil {
		return false, err
	}
	var tree int
	switch {
	case a == hide && info.IsDir():
		tree, err = b.clone(blankFolder)
	case a == hide:
		tree, err = b.clone(blankFile)
	case a == resolve:
		tree, err = b.clone(blankResolvers)
	case a == show:
		tree, err = cloneTree(unix.AT_FDCWD, p.shown[path])
	default:
		tree, err = cloneTree(unix.AT_FDCWD, path)
	}
	if err != nil {
		return false, err
	}
	defer unix.Close(tree) // the mount stays
	if a == fix {
		if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE,
			&unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return false, err
		}
	}
	// Links are not followed: a link to be held is mounted on itself, and still works as before.
	return info.IsDir(), unix.MoveMount(tree, "", unix.AT_FDCWD, path, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

// cloneTree clones the mounts at a path and below it, to be mounted elsewhere.
func cloneTree(dir int, path string) (int, error) {
	const flags = unix.OPEN_TREE_CLONE | unix.OPEN_TREE_CLOEXEC | unix.AT_RECURSIVE | unix.AT_SYMLINK_NOFOLLOW
	return unix.OpenTree(dir, path, flags)
}
