package fileuse

import "slices"

const formatOptions = "t: L: U: b: i: m: N: O: E: F: n: c: o: s: S: I: G: T: type: label: uuid:"

// formatters returns the programs that write to a whole disk, or to the image of one.
func formatters() map[string]program {
	return map[string]program{
		"mkfs mke2fs mkswap newfs mkdosfs":                         plan{options: formatOptions, deed: Writes}.program(),
		"mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs":        plan{options: formatOptions, deed: Writes}.program(),
		"mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs":        plan{options: formatOptions, deed: Writes}.program(),
		"mkfs.minix mkfs.cramfs mkfs.bfs mkfs.msdos mkfs.reiserfs": plan{options: formatOptions, deed: Writes}.program(),
		"wipefs":        plan{options: "o: t: O: p", deed: Writes, only: "a all o offset"}.program(),
		"blkdiscard":    plan{options: "o: l: p: offset: length: step:", deed: Writes}.program(),
		"badblocks":     plan{options: "b: c: d: e: i: o> p: t:", deed: Writes, only: "w n"}.program(),
		"fdisk sfdisk":  plan{options: "b: c: o: s: t: u: C: H: S: w: W:", deed: Writes, never: "l list d dump s v V x"}.program(),
		"sgdisk gdisk":  plan{options: "a: c: d: e: i: n: t: u: A: R: l: b:", deed: Writes, never: "p print v l"}.program(),
		"cfdisk hdparm": plan{deed: Writes, never: "I i t T tT Tt C"}.program(),
		"parted":        partition,
		"cryptsetup":    encryptDisk,
		"diskutil":      diskUtility,
	}
}

// partition reads parted. With print it only shows a disk.
func partition(l line) {
	args := newOptions("a: align: m s").parse(l.args)
	if len(args.operands) > 1 && !args.has("l", "list") && !slices.Contains([]string{"print", "p", "unit"}, args.operands[1]) {
		l.use(Writes, args.operands[0])
	}
}

// encryptDisk reads the commands of cryptsetup that destroy the data on a disk.
func encryptDisk(l line) {
	args := newOptions("c: s: h: d: y i: key-file: cipher: key-size: hash: type: label: uuid:").parse(l.args)
	destroys := []string{"luksFormat", "erase", "luksErase", "reencrypt", "luksKillSlot", "luksHeaderRestore"}
	if len(args.operands) > 1 && slices.Contains(destroys, args.operands[0]) {
		l.use(Writes, args.operands[1])
	}
}

// diskUtility reads the macOS commands that erase a disk. The disk is the last word.
func diskUtility(l line) {
	erases := []string{"eraseDisk", "eraseVolume", "partitionDisk", "secureErase", "zeroDisk", "randomDisk", "reformat"}
	if len(l.args) > 1 && slices.Contains(erases, l.args[0]) {
		disk := l.args[len(l.args)-1]
		if l.args[0] == "partitionDisk" {
			disk = l.args[1]
		}
		if _, rooted := start(disk); !rooted {
			disk = "/dev/" + disk
		}
		l.use(Writes, disk)
	}
}
