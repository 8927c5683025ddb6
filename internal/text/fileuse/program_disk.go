package fileuse

import "slices"

// partition reads parted. With print it only shows a disk.
func partition(l line) {
	args := l.read()
	verbs := args.Operand(1)
	shows := func(verb string) bool { return slices.Contains([]string{"print", "p", "unit"}, verb) }
	if len(verbs) > 0 && !sure(args, "l") && slices.ContainsFunc(verbs, func(verb string) bool { return !shows(verb) }) {
		l.each(Writes, args.Operand(0), false)
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
