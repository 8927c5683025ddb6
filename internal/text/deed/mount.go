package deed

import (
	"path"
	"slices"
	"strings"

	"github.com/weir-gate/weir/internal/text/fileuse"
	"github.com/weir-gate/weir/internal/text/shell"
	"github.com/weir-gate/weir/internal/text/truth"
)

// mounters are programs that make a folder of another machine one of this machine. Their last operand is where.
var mounters = wordSet(`sshfs mount mount.nfs mount.cifs mount.davfs mount_smbfs mount_nfs mount_webdav s3fs goofys geesefs gcsfuse blobfuse
	blobfuse2 curlftpfs davfs2 juicefs rclone fusermount smbnetfs afpfs simple-mtpfs ossfs cosfs mountpoint-s3 mount-s3`)

// localMounts are kinds of file systems that are on this machine.
var localMounts = wordSet(`tmpfs ext4 ext3 ext2 xfs btrfs vfat ntfs exfat iso9660 overlay proc sysfs devpts squashfs zfs
	apfs hfs cgroup cgroup2`)

// maxMounts bounds them: what every later command writes is compared with each.
const maxMounts = 8

// mounted notes the folder that a line mounts from elsewhere.
func (f *finder) mounted(l *line) {
	words := l.operands()
	switch {
	case len(words) < 2, len(f.mounts) >= maxMounts, l.name == "rclone" && words[0].Text != "mount", l.name == "mount" && !l.mountsShare():
		return
	}
	if folder := path.Clean(words[len(words)-1].Text); folder != "/" && folder != "." && !holed(folder) {
		f.mounts = append(f.mounts, folder)
	}
}

// mountsShare reports a mount of something that is not on this machine.
func (l *line) mountsShare() bool {
	for _, w := range l.values("-t", "--types") {
		if localMounts[w.Text] {
			return false
		}
	}
	for _, w := range l.operands() {
		if strings.HasPrefix(w.Text, "//") || hasScheme(w.Text) || isRemotePath(w.Text) {
			return true
		}
	}
	return false
}

// desktopMounts is where desktops have the folders of other machines.
const desktopMounts = "/gvfs/"

// fillsMount notes a line that copies files into such a folder: they leave the machine.
func (f *finder) fillsMount(l *line) {
	if mounters[l.name] {
		f.mounted(l)
		return
	}
	desktop := slices.ContainsFunc(l.items, func(it item) bool { return strings.Contains(it.word.Text, desktopMounts) })
	if len(f.mounts) == 0 && !desktop {
		return
	}
	for _, u := range fileuse.Find([]shell.Command{*l.c}) {
		if u.Deed == fileuse.Writes && (f.isMounted(u.Path) || desktop && strings.Contains(u.Path, desktopMounts)) {
			d := Deed{Verb: Sends, Kind: "file", Certainty: truth.Yes, uses: reads(l.c)}
			f.sources(&d, l)
			f.addOf(l, d)
			return
		}
	}
}

func (f *finder) isMounted(file string) bool {
	return slices.ContainsFunc(f.mounts, func(folder string) bool { return isBelow(file, folder) })
}
