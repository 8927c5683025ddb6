package confine

import (
	"encoding/binary"
	"errors"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An abi is a way to call the kernel: the kernel's name of an architecture, and its numbers of the calls that the filter checks.
type abi struct {
	arch                          uint32
	ioctl, socket, clone, unshare uint32
	multiple                      uint32 // socketcall, which does the work of several calls; 0: there is none
	limit                         uint32 // numbers from here on belong to another abi with the same name; 0: all are its own
	flags                         uint32 // the index of the argument of clone that has the flags
}

// Calls that have the same number everywhere.
const (
	ringSetup = 425
	clone3    = 435
)

var (
	abi386     = abi{arch: unix.AUDIT_ARCH_I386, ioctl: 54, socket: 359, clone: 120, unshare: 310, multiple: 102}
	abiARM     = abi{arch: unix.AUDIT_ARCH_ARM, ioctl: 54, socket: 281, clone: 120, unshare: 337, multiple: 102}
	abiAMD64   = abi{arch: unix.AUDIT_ARCH_X86_64, ioctl: 16, socket: 41, clone: 56, unshare: 272, limit: 0x40000000}
	abiARM64   = abi{arch: unix.AUDIT_ARCH_AARCH64, ioctl: 29, socket: 198, clone: 220, unshare: 97}
	abiRISCV64 = abi{arch: unix.AUDIT_ARCH_RISCV64, ioctl: 29, socket: 198, clone: 220, unshare: 97}
	abiLOONG64 = abi{arch: unix.AUDIT_ARCH_LOONGARCH64, ioctl: 29, socket: 198, clone: 220, unshare: 97}
	abiPPC64LE = abi{arch: unix.AUDIT_ARCH_PPC64LE, ioctl: 54, socket: 326, clone: 120, unshare: 282, multiple: 102}
	abiS390X   = abi{arch: unix.AUDIT_ARCH_S390X, ioctl: 54, socket: 359, clone: 120, unshare: 303, multiple: 102, flags: 1}
)

// abis are the abis that the kernel of an architecture supports.
var abis = map[string][]abi{
	"386":     {abi386},
	"amd64":   {abiAMD64, abi386},
	"arm":     {abiARM},
	"arm64":   {abiARM64, abiARM},
	"loong64": {abiLOONG64},
	"ppc64le": {abiPPC64LE},
	"riscv64": {abiRISCV64},
	"s390x":   {abiS390X},
}

// Parts of a filter's instructions, from linux/bpf_common.h.
const (
	load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	atLeast = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
	anyOf   = unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K
	result  = unix.BPF_RET | unix.BPF_K
)

// Offsets of the data that a filter checks, from linux/seccomp.h.
const (
	callNumber    = 0
	callArch      = 4
	callArguments = 16
)

// A filter blocks what namespaces do not: sockets of families without namespaces, such as those between a virtual machine and its
// host; rings, which open sockets that a filter does not see; and typing into the terminal, which the user's shell would read next.
type filter struct {
	mountNamespaces bool // blocks the making of mount namespaces, too
}

// install applies the filter to this thread and everything that it starts.
func (f filter) install() error {
	known, ok := abis[runtime.GOARCH]
	if !ok {
		return errors.New("programs cannot be confined on " + runtime.GOARCH)
	}
	code := f.code(known)
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	runtime.KeepAlive(code)
	if errno != 0 {
		return errno
	}
	return nil
}

// code returns the filter for these abis. Calls of other abis fail.
func (f filter) code(known []abi) []unix.SockFilter {
	code := []unix.SockFilter{{Code: load, K: callArch}}
	for _, a := range known {
		body := f.decide(a)
		code = append(code, unix.SockFilter{Code: equal, K: a.arch, Jf: uint8(len(body))})
		code = append(code, body...)
	}
	return append(code, fail(unix.ENOSYS))
}

// decide returns the instructions that decide on a call. They always end with a result.
func (f filter) decide(a abi) []unix.SockFilter {
	code := []unix.SockFilter{{Code: load, K: callNumber}}
	if a.limit != 0 {
		code = append(code, unix.SockFilter{Code: atLeast, K: a.limit, Jf: 1}, fail(unix.ENOSYS))
	}
	code = append(code, when(ringSetup, fail(unix.ENOSYS))...)
	if a.multiple != 0 {
		code = append(code, when(a.multiple, fail(unix.ENOSYS))...)
	}
	typing := []unix.SockFilter{{Code: load, K: argument(1)}}
	for _, request := range []uint32{unix.TIOCSTI, unix.TIOCLINUX} {
		typing = append(typing, when(request, fail(unix.EPERM))...)
	}
	code = append(code, when(a.ioctl, append(typing, pass)...)...)
	families := []unix.SockFilter{{Code: load, K: argument(0)}}
	for _, family := range []uint32{unix.AF_UNIX, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK} {
		families = append(families, when(family, pass)...)
	}
	code = append(code, when(a.socket, append(families, fail(unix.EAFNOSUPPORT))...)...)
	if f.mountNamespaces {
		code = append(code, when(a.unshare, mountNamespace(0)...)...)
		code = append(code, when(a.clone, mountNamespace(a.flags)...)...)
		// A filter does not see its flags. Programs that cannot use it use clone instead.
		code = append(code, when(clone3, fail(unix.ENOSYS))...)
	}
	return append(code, pass)
}

// mountNamespace fails if the flags in an argument ask for a mount namespace.
func mountNamespace(flags uint32) []unix.SockFilter {
	return []unix.SockFilter{
		{Code: load, K: argument(flags)},
		{Code: anyOf, K: unix.CLONE_NEWNS, Jf: 1},
		fail(unix.ENOSPC), // the kernel's own error at its limit
		pass,
	}
}

var pass = unix.SockFilter{Code: result, K: unix.SECCOMP_RET_ALLOW}

func fail(errno unix.Errno) unix.SockFilter {
	return unix.SockFilter{Code: result, K: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

// when returns instructions that run do if the loaded value equals value.
func when(value uint32, do ...unix.SockFilter) []unix.SockFilter {
	return append([]unix.SockFilter{{Code: equal, K: value, Jf: uint8(len(do))}}, do...)
}

// argument returns the offset of the half of an argument that the kernel uses.
func argument(i uint32) uint32 {
	offset := callArguments + 8*i
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		offset += 4 // the lower half comes last
	}
	return offset
}
