package budget

import (
	"bytes"
	"math"
	"os"
	"runtime/debug"
	"strconv"
)

// The defaults of a machine: a quarter of its memory, within these.
const (
	leastTotal = 128 << 20
	mostTotal  = 1536 << 20
)

// ForMachine fills in what is not set by the memory that this process may use. frame is the largest frame: a client must be able to have
// some at once. Without keys there is nobody to be told from another, and so nobody from whom something must be kept free.
func ForMachine(cfg Config, frame int64, keys bool) Config {
	return cfg.within(memory(), frame, keys)
}

// within fills in what is not set by so much memory.
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

// MemoryLimit is what the whole process needs at most, so that the collector knows when to work harder: what is counted, as much again
// for what is read of it and is garbage soon, and what has bounds of its own.
func (c Config) MemoryLimit() int64 { return 2*c.Total + 768<<20 }

// Where Linux says how much memory there is: for the process's group, in two versions, and for the machine.
var limitFiles = []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}

// unknownMemory is taken for the memory of a machine that does not say.
const unknownMemory = 4 << 30

// memory is how much this process may use.
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

// machineMemory is how much the machine has; 0: it does not say.
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
