package confine

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// genericSCSI is the major number of devices that pass commands to disks.
const genericSCSI = 21

// passesCommands says whether a character device passes commands to a disk. It uses the path, because the numbers of such devices
// differ on each machine.
func passesCommands(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	return ok && (strings.HasPrefix(name, "bsg/") || strings.HasPrefix(name, "ng") || strings.HasPrefix(name, "nvme"))
}

// keyboards are devices through which root can type as if it were the user.
var keyboards = []string{"/dev/uinput", "/dev/uhid"}

// pastMounts returns the devices under /dev with which root could bypass all other protection: disks, whose file systems can be
// read and written there, and keyboards.
func pastMounts() []string {
	found := slices.DeleteFunc(slices.Clone(keyboards), func(path string) bool {
		_, err := os.Lstat(path)
		return err != nil
	})
	// What cannot be read is skipped: root can read everything that exists.
	_ = filepath.WalkDir("/dev", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeDevice == 0 {
			return nil
		}
		disk := d.Type()&fs.ModeCharDevice == 0
		if !disk {
			info, err := d.Info()
			if err != nil {
				return nil
			}
			number := uint64(info.Sys().(*syscall.Stat_t).Rdev)
			disk = number>>8&0xfff == genericSCSI || passesCommands(path)
		}
		if disk {
			found = append(found, path)
		}
		return nil
	})
	return found
}
