package confine

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// The names of the entries in a blank.
const (
	blankFolder    = "folder"
	blankFile      = "file"
	blankResolvers = "resolvers"
)

// blankPoint is the temporary mount point of the blank: a folder that every machine has and nobody needs meanwhile.
const blankPoint = "/proc/driver"

// A blank is a read-only file system in memory with an empty folder, an empty file and a list of resolvers. They are mounted over
// other files.
type blank struct{ mount int }

// newBlank makes a blank with this list of resolvers.
func newBlank(resolvers []byte) (*blank, error) {
	m, err := mountMemory()
	if err != nil {
		return nil, fmt.Errorf("make a file system in memory: %w", err)
	}
	b := &blank{mount: m}
	if err := b.fill(resolvers); err != nil {
		return nil, errors.Join(fmt.Errorf("fill a file system in memory: %w", err), unix.Close(m))
	}
	return b, nil
}

func mountMemory() (int, error) {
	fs, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fs) // the mount stays
	if err := unix.FsconfigSetString(fs, "mode", "0755"); err != nil {
		return 0, err
	}
	if err := unix.FsconfigCreate(fs); err != nil {
		return 0, err
	}
	return unix.Fsmount(fs, unix.FSMOUNT_CLOEXEC, unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC)
}

func (b *blank) fill(resolvers []byte) error {
	if err := unix.Mkdirat(b.mount, blankFolder, 0o555); err != nil {
		return err
	}
	// The file looks writable. So a program that connects to it gets the error that nobody listens, and continues without it.
	if err := b.write(blankFile, 0o666, nil); err != nil {
		return err
	}
	if err := b.write(blankResolvers, 0o444, resolvers); err != nil {
		return err
	}
	// The mode is set exactly, whatever the caller's umask is.
	if err := unix.Fchmodat(b.mount, blankFolder, 0o555, 0); err != nil {
		return err
	}
	if err := unix.MountSetattr(b.mount, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	// Only mounted file systems can be cloned.
	return unix.MoveMount(b.mount, "", unix.AT_FDCWD, blankPoint, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

func (b *blank) write(name string, mode uint32, content []byte) error {
	fd, err := unix.Openat(b.mount, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, mode)
	if err != nil {
		return err
	}
	defer unix.Close(fd) // nothing is buffered
	if err := unix.Fchmod(fd, mode); err != nil {
		return err
	}
	for len(content) > 0 {
		n, err := unix.Write(fd, content)
		if err != nil {
			return err
		}
		content = content[n:]
	}
	return nil
}

// clone returns a mount of one of its entries.
func (b *blank) clone(name string) (int, error) { return cloneTree(b.mount, name) }

// close unmounts the blank. Its clones stay.
func (b *blank) close() error {
	err := unix.Unmount(blankPoint, unix.MNT_DETACH)
	return errors.Join(err, unix.Close(b.mount))
}
