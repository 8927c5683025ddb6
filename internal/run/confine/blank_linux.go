package confine

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// What a blank has.
const (
	blankFolder    = "folder"
	blankFile      = "file"
	blankResolvers = "resolvers"
)

// blankPoint is where the blank is mounted while it is needed: a folder that every machine has and nobody needs meanwhile.
const blankPoint = "/proc/driver"

// A blank is a file system in memory with an empty folder, an empty file and a list of resolvers, to be mounted over others.
// Nothing in it can be changed.
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
	defer unix.Close(fs) // what it made stays
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
	// The file looks as if it could be written, so that whoever connects to it hears that nobody listens, and goes on without.
	if err := b.write(blankFile, 0o666, nil); err != nil {
		return err
	}
	if err := b.write(blankResolvers, 0o444, resolvers); err != nil {
		return err
	}
	// Modes as they are meant, whatever the caller keeps from new files.
	if err := unix.Fchmodat(b.mount, blankFolder, 0o555, 0); err != nil {
		return err
	}
	if err := unix.MountSetattr(b.mount, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	// Copies can be made only of what is mounted somewhere.
	return unix.MoveMount(b.mount, "", unix.AT_FDCWD, blankPoint, unix.MOVE_MOUNT_F_EMPTY_PATH)
}

func (b *blank) write(name string, mode uint32, content []byte) error {
	fd, err := unix.Openat(b.mount, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, mode)
	if err != nil {
		return err
	}
	defer unix.Close(fd) // nothing is kept back in memory
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

// clone makes a mount of one of the things in it.
func (b *blank) clone(name string) (int, error) { return cloneTree(b.mount, name) }

// close takes the blank away. Its copies stay.
func (b *blank) close() error {
	err := unix.Unmount(blankPoint, unix.MNT_DETACH)
	return errors.Join(err, unix.Close(b.mount))
}
