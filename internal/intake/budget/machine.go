package budget

import (
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"strconv"
)

// Bounds of the default total, which is a quarter of the machine's memory.
const (
	leastTotal = 128 << 20
	mostTotal  = 1536 << 20
)

// ForMachine sets missing values according to the memory that this process may use. frame is the size of the largest frame: a
// client must be able to have several at once. Without keys, clients cannot be distinguished, so no memory needs to be reserved for
// others.
func ForMachine(cfg Config, frame int64, keys bool) Config {
	return cfg.within(memory(), frame, keys)
}

// within sets missing values according to an amount of memory.
func (c Config) within(memory, frame int64, keys bool) Config {
	if c.Total == 0 {
		c.Total = max(min(max(memory/4, leastTotal), mostTotal), 8*frame, 2*c.Client)
	}
	switch {
	case c.Client != 0:
	case !keys:
		c.Client = c.Total
	default:
		c.Client = min(max(c.Total/2, 4*frame), c.Total)
	}
	return c
}

// MemoryLimit is the most that the whole process needs, so that the garbage collector knows when to work harder: the counted
// memory, the same again for garbage, and memory with its own limits.
func (c Config) MemoryLimit() int64 { return 2*c.Total + 768<<20 }

// limitFiles are the files in which Linux gives the memory limit of the process's group, in two versions.
var limitFiles = []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}

// unknownMemory is assumed if the machine's memory is not known.
const unknownMemory = 4 << 30

// memory is how much memory this process may use.
func memory() int64 {
	least := int64(math.MaxInt64)
	for _, file := range limitFiles {
		data, err := os.ReadFile(file)
		if n, bad := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64); err == nil && bad == nil && n > 0 {
			least = min(least, n)
		}
	}
	if n := machineMemory(); n > 0 {
		least = min(least, n)
	}
	least = min(least, debug.SetMemoryLimit(-1)) // as GOMEMLIMIT says
	if least == math.MaxInt64 {
		return unknownMemory
	}
	return least
}

// machineMemory is how much memory the machine has; 0: unknown.
func machineMemory() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range bytes.Lines(data) {
		rest, ok := bytes.CutPrefix(line, []byte("MemTotal:"))
		fields := bytes.Fields(rest)
		if !ok || len(fields) == 0 {
			continue
		}
		kib, err := strconv.ParseInt(string(fields[0]), 10, 64)
		if err != nil {
			return 0
		}
		return kib << 10
	}
	return 0
}
