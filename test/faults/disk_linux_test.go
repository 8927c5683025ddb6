package faults

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A disk is a small file system of its own.
type disk struct {
	t   *testing.T
	dir string
}

// newDisk mounts a file system of so many bytes, or ends the test where that is not allowed.
func newDisk(t *testing.T, size int) *disk {
	t.Helper()
	d := &disk{t, t.TempDir()}
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		need.Missing(t, "the record on a disk that is full or read-only", fmt.Sprintf("a tmpfs cannot be mounted: %v", err))
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(d.dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", d.dir, err)
		}
	})
	return d
}

func (d *disk) store() string { return "sqlite://" + filepath.Join(d.dir, "weir.db") }

// change makes the file system larger, smaller or read-only.
func (d *disk) change(flags uintptr, size int) {
	d.t.Helper()
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", syscall.MS_REMOUNT|flags, fmt.Sprintf("size=%d", size)); err != nil {
		d.t.Fatalf("remount %s: %v", d.dir, err)
	}
}

// fill leaves no byte free, until undone.
func (d *disk) fill() (undo func()) {
	d.t.Helper()
	path := filepath.Join(d.dir, "ballast")
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	for block := make([]byte, 64<<10); err == nil; {
		_, err = f.Write(block)
	}
	if err := f.Close(); err != nil {
		d.t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			d.t.Fatal(err)
		}
	}
}

const mib = 1 << 20

// TestTheDiskIsFull has weir itself fill its disk, which then grows.
func TestTheDiskIsFull(t *testing.T) {
	t.Parallel()
	disk := newDisk(t, 6*mib)
	tr := newTrial(t, disk.store(), "")
	tr.bulk.Store(40_000)
	tr.serve()
	tr.load()
	tr.next()
	tr.await("the disk is full", func(y tally) bool { return y.refused >= enough })
	tr.logs("no space left on device; free space")
	disk.change(0, 64*mib)
	tr.recovers()
	tr.finish()
	tr.complete()
}

// TestOthersFillTheDisk has something else take all that is free, and give it back.
func TestOthersFillTheDisk(t *testing.T) {
	t.Parallel()
	disk := newDisk(t, 48*mib) // the log and the store have the same events for a while
	tr := newTrial(t, disk.store(), "")
	tr.bulk.Store(20_000) // so that the log is soon full
	tr.serve()
	tr.load()
	tr.passes()
	for range 2 {
		empty := disk.fill()
		tr.next()
		// A small record may still find a place where a larger one did not, so not all need be refused.
		tr.await("the disk is full", func(y tally) bool { return y.refused >= enough })
		tr.logs("disk full")
		tr.turns(http.StatusServiceUnavailable)
		empty()
		tr.recovers()
		tr.turns(http.StatusOK)
	}
	tr.finish()
	empty := disk.fill() // also the room for the files beside the database, which weir has taken away
	tr.sorry("disk full")
	empty()
	tr.complete()
}

// The attribute by which a file cannot be written, not even by those who have it open.
const (
	getFlags  = 0x80086601 // FS_IOC_GETFLAGS
	setFlags  = 0x40086602 // FS_IOC_SETFLAGS
	immutable = 0x10       // FS_IMMUTABLE_FL
)

// freeze makes files read-only until undone, or ends the test where that is not possible.
func freeze(t *testing.T, paths ...string) (undo func()) {
	t.Helper()
	for _, path := range paths {
		if err := setImmutable(path, true); err != nil {
			need.Missing(t, "the record in a file that becomes read-only", fmt.Sprintf("the file system does not make files immutable: %v", err))
		}
	}
	thaw := func() {
		for _, path := range paths {
			if err := setImmutable(path, false); err != nil && !errors.Is(err, os.ErrNotExist) { // weir removes what is stored
				t.Errorf("make %s writable: %v", path, err)
			}
		}
	}
	t.Cleanup(thaw)
	return thaw
}

func setImmutable(path string, on bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() // nothing was written
	var flags int
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), getFlags, uintptr(unsafe.Pointer(&flags))); e != 0 {
		return e
	}
	if flags &^= immutable; on {
		flags |= immutable
	}
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), setFlags, uintptr(unsafe.Pointer(&flags))); e != 0 {
		return e
	}
	return nil
}

// frozenWhileOpen says whether a file of this folder's file system that is made immutable refuses those who have it open.
func frozenWhileOpen(t *testing.T) bool {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "probe"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // it is of no use
	defer freeze(t, f.Name())()
	_, err = f.WriteString("x")
	return err != nil
}

// TestTheFilesBecomeReadOnly takes the right to write from weir while it writes, and gives it back.
func TestTheFilesBecomeReadOnly(t *testing.T) {
	t.Parallel()
	if !frozenWhileOpen(t) {
		need.Missing(t, "the record in a file that becomes read-only", "the file system lets those write who have a file open")
	}
	path := filepath.Join(t.TempDir(), "weir.db")
	tr := newTrial(t, "sqlite://"+path, "")
	tr.serve()
	tr.load()
	tr.passes()
	thaw := freeze(t, path, path+"-wal")
	tr.next()
	tr.await("weir says that the store fails", func(tally) bool { return strings.Contains(tr.process.Log(), "disk failure") })
	tr.passes()
	tr.ready(http.StatusOK)
	segments, err := filepath.Glob(filepath.Join(path+"-log", "*", "*.wlog"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("segments: %q, %v", segments, err)
	}
	thawLog := freeze(t, segments...)
	tr.next()
	tr.await("calls are refused", func(y tally) bool { return y.refused > 0 })
	tr.ready(http.StatusServiceUnavailable)
	thawLog()
	tr.recovers()
	thaw()
	tr.passes()
	tr.turns(http.StatusOK)
	tr.finish()
	tr.complete()
}

// TestReadOnlyAtTheStart has weir start on a disk that cannot be written. It does not, and the record can be read.
func TestReadOnlyAtTheStart(t *testing.T) {
	t.Parallel()
	disk := newDisk(t, 16*mib)
	tr := newTrial(t, disk.store(), "")
	tr.serve()
	tr.load()
	tr.passes()
	tr.finish()
	disk.change(syscall.MS_RDONLY, 16*mib)
	tr.sorry("make the file and its folder accessible or change store.url")
	tr.complete()
	disk.change(0, 16*mib)
	tr.serve()
	tr.finish()
	tr.complete()
}
