package fileuse

import (
	"regexp"
	"strings"
)

// netSocket reads nc, whose operand is a socket in a folder with -U.
func netSocket(l line) {
	args := l.read()
	l.optionFiles(args)
	if l.may(args, "U") {
		for _, socket := range texts(args, 0) {
			l.use(Reads, socket)
			l.use(Writes, socket)
		}
	}
}

// dumping matches the commands of debuggers that show or store the memory of a process.
var dumping = regexp.MustCompile(`(?i)\b(?:dump|gcore|generate-core-file|save-core|memory read)\b|\bx/\d*s`)

// debugger reads gdb and lldb: with the number of a process, they can show its memory.
func debugger(l line) {
	args := l.read()
	l.optionFiles(args)
	for _, option := range args.Given() {
		if !dumping.MatchString(option.Value) {
			continue
		}
		for _, process := range args.Values("p") {
			l.use(Reads, "/proc/"+process+"/mem")
		}
	}
}

// processes reads ps, which shows the variables of processes with the letter e of BSD, without a dash. People write axef for a tree of
// all processes.
func processes(l line) {
	for _, arg := range l.args {
		if strings.Trim(arg, "aejlusvwxhH") == "" && strings.Contains(arg, "e") {
			l.use(Reads, "/proc/"+runMark+"/environ")
		}
	}
}

// scanned reads nmap, which takes the machines to look at from a file, and shows what are none.
func scanned(l line) {
	for i, arg := range l.args {
		if arg == "-iL" && i+1 < len(l.args) {
			l.use(Reads, l.args[i+1])
		}
	}
}
