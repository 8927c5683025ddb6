package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// cpuTime is the processor time that a process has used, all its threads together.
func cpuTime(pid int) (time.Duration, error) {
	// The clock of another process: its id, inverted, above the bits that say "scheduler's clock of a process".
	const scheduler = 2
	clock := int32(^pid)<<3 | scheduler
	var ts syscall.Timespec
	if _, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&ts)), 0); errno != 0 {
		return 0, fmt.Errorf("read processor time of process %d: %w", pid, errno)
	}
	return time.Duration(ts.Nano()), nil
}

// residentMemory is the memory of a process that is in RAM, in bytes.
func residentMemory(pid int) (int64, error) { return memory(pid, "VmRSS:") }

// ownMemory is the part of it that belongs to no file: processes of one program share the rest.
func ownMemory(pid int) (int64, error) { return memory(pid, "RssAnon:") }

func memory(pid int, kind string) (int64, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(data) {
		if value, ok := bytes.CutPrefix(line, []byte(kind)); ok {
			kb, err := strconv.ParseInt(strings.Fields(string(value))[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("process %d does not say how much memory it has", pid)
}

// processor is the name of the machine's processor.
func processor() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// load is how many processes wanted a processor lately, on average over 1, 5 and 15 minutes.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 3 {
		return "unknown"
	}
	return strings.Join(fields[:3], " ")
}
