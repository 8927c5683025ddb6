package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/weir-gate/weir/internal/weirtest/need"
)

// A house has things that are hidden and fixed.
type house struct {
	dir, secrets, secret, policy, rules string
	cfg                                 Config
}

// build makes a house: state/weir is hidden, with config/weir/policy.yaml and the folder config/rules fixed.
func build(t *testing.T) house {
	t.Helper()
	dir, _, err := trace(t.TempDir())
	must(t, err)
	h := house{
		dir:     dir,
		secrets: filepath.Join(dir, "state", "weir"),
		secret:  file(t, "secret", dir, "state", "weir", "secret"),
		policy:  file(t, "policy", dir, "config", "weir", "policy.yaml"),
		rules:   filepath.Join(dir, "config", "rules"),
	}
	file(t, "other", dir, "config", "weir", "other")
	file(t, "rule", h.rules, "one", "rule")
	file(t, "free", dir, "config", "free")
	must(t, os.Mkdir(filepath.Join(dir, "empty"), 0o755))
	h.cfg = Config{
		Hide: []string{h.secrets, filepath.Join(dir, "nothing", "there"), filepath.Join(h.policy, "file as folder")},
		Fix:  []string{h.policy, h.rules, filepath.Join(dir, "nothing")},
	}
	return h
}

// path is one of the house.
func (h house) path(names ...string) string {
	return filepath.Join(append([]string{h.dir}, names...)...)
}

func TestHideAndFix(t *testing.T) {
	h := build(t)
	for _, tt := range []struct {
		name string
		do   []string
		want string
	}{
		{"list what is hidden", []string{"list", h.secrets}, "[]"},
		{"read what is hidden", []string{"read", h.secret}, "no such file or directory"},
		{"write there", []string{"write", h.secret}, "read-only file system"},
		{"make it visible", []string{"chmod", h.secrets}, "read-only file system"},
		{"read what is fixed", []string{"read", h.policy}, "read policy"},
		{"write it", []string{"write", h.policy}, "read-only file system"},
		{"append to it", []string{"append", h.policy}, "read-only file system"},
		{"chmod it", []string{"chmod", h.policy}, "read-only file system"},
		{"remove it", []string{"remove", h.policy}, "busy"},
		{"rename it", []string{"rename", h.policy, h.policy + "-away"}, "busy"},
		{"put another in its place", []string{"rename", h.path("config", "weir", "other"), h.policy}, "busy"},
		{"rename its folder", []string{"rename", h.path("config", "weir"), h.path("config", "away")}, "busy"},
		{"rename its folder's folder", []string{"rename", h.path("config"), h.path("away")}, "busy"},
		{"rename all", []string{"rename", h.dir, h.dir + "-away"}, "busy"},
		{"rename what is hidden", []string{"rename", h.secrets, h.path("state", "away")}, "busy"},
		{"rename its folder", []string{"rename", h.path("state"), h.path("away")}, "busy"},
		{"write within a fixed folder", []string{"write", filepath.Join(h.rules, "one", "rule")}, "read-only file system"},
		{"add to it", []string{"mkdir", filepath.Join(h.rules, "two")}, "read-only file system"},
		{"move out of it", []string{"rename", filepath.Join(h.rules, "one"), h.path("one")}, "cross-device link"},
		{"write beside it", []string{"write", h.path("config", "free")}, "written"},
		{"replace beside it", []string{"rename", h.path("config", "free"), h.path("config", "freed")}, "renamed"},
		{"rename beside it", []string{"rename", h.path("empty"), h.path("full")}, "renamed"},
	} {
		t.Run(tt.name, func(t *testing.T) { has(t, tt.name, run(t, h.cfg, tt.do...), tt.want) })
	}
	if got, err := os.ReadFile(h.policy); err != nil || string(got) != "policy" {
		t.Errorf("the policy is %q, %v", got, err)
	}
	if got, err := os.ReadFile(h.secret); err != nil || string(got) != "secret" {
		t.Errorf("the secret is %q, %v", got, err)
	}
}

// A folder that nobody can look into hides nothing from the one who can change that.
func TestFoldersWithoutAccess(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root can look into all")
	}
	is(t, "another's", run(t, Config{Hide: []string{filepath.Join("/", "root", "state", "weir")}}, "echo"), "heard")
	h := build(t)
	must(t, os.Chmod(h.path("state"), 0))
	t.Cleanup(func() { must(t, os.Chmod(h.path("state"), 0o755)) })
	if _, err := tryBegin(t, h.cfg, "echo"); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("of one's own: %v", err)
	}
}

func TestHideAFile(t *testing.T) {
	h := build(t)
	cfg := Config{Hide: []string{h.secret}}
	is(t, "read", run(t, cfg, "read", h.secret), "read")
	has(t, "write", run(t, cfg, "write", h.secret), "read-only file system")
	has(t, "remove", run(t, cfg, "remove", h.secret), "busy")
}

func TestCovers(t *testing.T) {
	h := build(t)
	free, link := h.path("config", "free"), h.path("empty", "link")
	with := file(t, "shown", h.dir, "scratch", "cover")
	must(t, os.Symlink(free, link))
	cfg := Config{Covers: []Cover{{Path: link, With: with}}, Dir: h.dir}
	is(t, "read", run(t, cfg, "read", free), "read shown")
	is(t, "read over a link", run(t, cfg, "read", link), "read shown")
	has(t, "remove", run(t, cfg, "remove", free), "busy")
	is(t, "write", run(t, cfg, "write", free), "written")
	for path, want := range map[string]string{free: "free", with: "changed"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v", path, got, err)
		}
	}
	cfg.Fix = []string{free}
	has(t, "fixed, and not shown", run(t, cfg, "read", free), "read free")
	cfg.Covers = append(cfg.Covers, Cover{Path: h.path("nothing"), With: with})
	if _, err := tryBegin(t, cfg, "echo"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("of nothing: %v", err)
	}
}

// What is in a fixed folder stays fixed when somebody outside replaces it.
func TestReplacedOutside(t *testing.T) {
	h := build(t)
	dir := filepath.Dir(h.policy)
	r := begin(t, Config{Fix: []string{dir}, Hide: []string{h.secrets}}, "many", "wait", ";", "write", h.policy, ";", "read", h.policy,
		";", "list", h.secrets, ";", "rename", dir, dir+"-away")
	must(t, os.Rename(file(t, "newer", dir, "new"), h.policy))
	must(t, os.Rename(file(t, "newer", h.secrets, "new"), h.secret))
	out := strings.Split(r.end(), "\n")
	if len(out) != 5 {
		t.Fatalf("the program says %q", out)
	}
	has(t, "write", out[1], "read-only file system")
	is(t, "read", out[2], "read newer")
	is(t, "list", out[3], "[]")
	has(t, "rename", out[4], "busy")
}

// What is within another protected thing keeps its own protection.
func TestOneWithinAnother(t *testing.T) {
	h := build(t)
	rule := filepath.Join(h.rules, "one", "rule")
	is(t, "hidden within fixed", run(t, Config{Fix: []string{h.rules}, Hide: []string{rule}}, "read", rule), "read")
	has(t, "fixed within hidden", run(t, Config{Fix: []string{rule}, Hide: []string{h.rules}}, "read", rule), "no such file")
	is(t, "both", run(t, Config{Fix: []string{rule}, Hide: []string{rule}}, "read", rule), "read")
}

func TestLinks(t *testing.T) {
	h := build(t)
	link, away := h.path("empty", "link"), h.path("empty", "away")
	must(t, os.Symlink("../config", link))
	must(t, os.Symlink(h.path("empty"), away))
	cfg := Config{Fix: []string{filepath.Join(away, "link", "weir", "policy.yaml")}}
	is(t, "read over links", run(t, cfg, "read", filepath.Join(link, "weir", "policy.yaml")), "read policy")
	is(t, "read a link", run(t, cfg, "link", link), "../config")
	has(t, "write over links", run(t, cfg, "write", filepath.Join(link, "weir", "policy.yaml")), "read-only file system")
	has(t, "write directly", run(t, cfg, "write", h.policy), "read-only file system")
	has(t, "remove a link", run(t, cfg, "remove", link), "busy")
	has(t, "rename a link", run(t, cfg, "rename", away, away+"-from-here"), "busy")
	has(t, "rename the folder of a link", run(t, cfg, "rename", h.path("empty"), h.path("full")), "busy")
	has(t, "rename what it leads to", run(t, cfg, "rename", h.path("config"), h.path("away")), "busy")
	loop := h.path("empty", "loop")
	must(t, os.Symlink("loop", loop))
	if _, err := tryBegin(t, Config{Fix: []string{loop}}, "exit", "0"); err == nil || !strings.Contains(err.Error(), "too many levels") {
		t.Errorf("of a loop: %v", err)
	}
}

// elsewhere runs the rest of a test in a mount namespace of its own, where it may mount. It returns whether this is the rest.
func elsewhere(t *testing.T) bool {
	t.Helper()
	if os.Getenv("CONFINE_TEST_ELSEWHERE") != "" {
		return true
	}
	begin(t, Config{}, "exit", "0").end() // skips where nothing can be confined
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.Command(exe, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "CONFINE_TEST_ELSEWHERE=yes")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN},
	}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// A file system that is mounted more than once hides the same things everywhere.
func TestMountedTwice(t *testing.T) {
	if !elsewhere(t) {
		return
	}
	h := build(t)
	again := h.path("empty")
	must(t, unix.Mount(h.path("state"), again, "", unix.MS_BIND, ""))
	t.Cleanup(func() { must(t, unix.Unmount(again, 0)) })
	is(t, "list", run(t, h.cfg, "list", filepath.Join(again, "weir")), "[]")
	has(t, "read", run(t, h.cfg, "read", filepath.Join(again, "weir", "secret")), "no such file")
}

// In containers with settings that cannot be written there are no mount namespaces either.
func TestSettingsNotWritable(t *testing.T) {
	if !elsewhere(t) {
		return
	}
	must(t, unix.Mount("/proc/sys", "/proc/sys", "", unix.MS_BIND, ""))
	must(t, unix.MountSetattr(unix.AT_FDCWD, "/proc/sys", 0, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}))
	h := build(t)
	has(t, "clone", run(t, h.cfg, "nested", "list", h.secrets), "no space left on device")
	has(t, "unshare", run(t, h.cfg, "unshare"), "no space left on device")
	is(t, "children", run(t, h.cfg, "child", "child", "echo"), "heard")
	h.cfg.Sandboxes = true
	is(t, "what is hidden", run(t, h.cfg, "nested", "list", h.secrets), "[]")
}

func TestNamespacesWithin(t *testing.T) {
	h := build(t)
	h.cfg.Dir = h.dir
	has(t, "a mount namespace", run(t, h.cfg, "nested", "list", h.secrets), "no space left on device")
	has(t, "another", run(t, h.cfg, "unshare"), "no space left on device")
	h.cfg.Sandboxes = true
	is(t, "what is hidden", run(t, h.cfg, "nested", "list", h.secrets), "[]")
	has(t, "what is fixed", run(t, h.cfg, "nested", "write", h.policy), "read-only file system")
	has(t, "unmounting what hides", run(t, h.cfg, "nested", "umount", h.secrets), "invalid argument")
	has(t, "unmounting what fixes", run(t, h.cfg, "nested", "umount", h.policy), "invalid argument")
	// This is why there are none by default.
	is(t, "the namespace that is emptied", run(t, h.cfg, "nested", "sneak", h.path("config", "weir"), h.path("empty"), "policy.yaml"), "renamed")
	must(t, os.Rename(h.policy+"-away", h.policy))
	h.cfg.Sandboxes = false
	has(t, "one that is not to be had", run(t, h.cfg, "nested", "sneak", h.path("config", "weir"), h.path("empty"), "policy.yaml"), "error")
	if _, err := os.Stat(h.policy); err != nil {
		t.Error(err)
	}
}

func TestOtherProcesses(t *testing.T) {
	h := build(t)
	for _, pid := range []string{fmt.Sprint(os.Getpid()), "1"} {
		for _, name := range []string{"root" + h.secret, "cwd", "environ", "fd/0", "mem", "ns/net", "exe"} {
			got := run(t, h.cfg, "read", filepath.Join("/proc", pid, name))
			if !strings.Contains(got, "permission denied") {
				t.Errorf("%s of process %s: the program says %q", name, pid, got)
			}
		}
	}
}

func TestOwnResolvers(t *testing.T) {
	text, err := os.ReadFile(resolvers)
	if err != nil {
		need.Missing(t, "the list of resolvers", err.Error())
	}
	is(t, "the list", run(t, Config{}, "read", resolvers), strings.TrimSpace("read "+string(ownResolvers(text))))
	for given, want := range map[string]string{
		"":                          "nameserver 127.0.0.53\n",
		"nameserver 8.8.8.8\n# x":   "nameserver 127.0.0.53\n",
		"search a b\r\noptions x y": "nameserver 127.0.0.53\nsearch a b\noptions x y\n",
		" domain a\nsearch\n":       "nameserver 127.0.0.53\n domain a\n",
	} {
		if diff := cmp.Diff(want, string(ownResolvers([]byte(given)))); diff != "" {
			t.Error(diff)
		}
	}
}

// Root cannot change the machine past its files.
func TestRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("this is about root")
	}
	for _, path := range []string{"/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/sys/kernel/uevent_helper"} {
		if _, err := os.Stat(path); err == nil {
			has(t, path, run(t, Config{}, "append", path), "read-only file system")
		}
	}
	has(t, "the limit of mount namespaces", run(t, Config{}, "append", "/proc/sys/user/max_mnt_namespaces"), "permission denied")
	for _, disk := range pastMounts() {
		is(t, disk, run(t, Config{}, "read", disk), "read")
	}
	// Files of other users are as they were.
	other := file(t, "other", t.TempDir(), "other")
	must(t, os.Chown(other, nobody, nobody))
	is(t, "another user's file", run(t, Config{}, "read", other), "read other")
	is(t, "another user's file", run(t, Config{}, "write", other), "written")
}

func TestTrace(t *testing.T) {
	dir, _, err := trace(t.TempDir())
	must(t, err)
	file(t, "", dir, "a", "b", "file")
	must(t, os.Symlink("a", filepath.Join(dir, "relative")))
	must(t, os.Symlink(filepath.Join(dir, "relative", "b", ".."), filepath.Join(dir, "absolute")))
	for _, tt := range []struct {
		path, want string
		links      []string
	}{
		{"a/b/file", "a/b/file", nil},
		{"a//./b/../b/file", "a/b/file", nil},
		{"relative/b", "a/b", []string{"relative"}},
		{"absolute/b", "a/b", []string{"absolute", "relative"}},
	} {
		got, links, err := trace(dir + "/" + tt.path)
		if err != nil || got != filepath.Join(dir, tt.want) {
			t.Errorf("of %s: %s, %v", tt.path, got, err)
		}
		for i := range links {
			links[i] = strings.TrimPrefix(links[i], dir+"/")
		}
		if diff := cmp.Diff(tt.links, links); diff != "" {
			t.Error(diff)
		}
	}
	for _, path := range []string{"nothing", "a/b/file/more"} {
		if _, _, err := trace(dir + "/" + path); !absent(err) {
			t.Errorf("of %s: %v", path, err)
		}
	}
	if resolved, _, err := trace("/../.."); resolved != "/" || err != nil {
		t.Errorf("above the root: %s, %v", resolved, err)
	}
}

func TestParseMounts(t *testing.T) {
	const table = `22 27 0:21 / /proc rw,relatime - proc proc rw
30 25 8:1 /home/a\040b /mnt/a\011b\134c rw - ext4 /dev/sda1 rw
31 25 0:5 / /run/x rw shared:7 master:1 - fuse.portal portal rw
32 25 0:6 / /cut rw -
odd
`
	want := []mount{{"0:21", "/", "/proc", "proc"}, {"8:1", "/home/a b", "/mnt/a\tb\\c", "ext4"}, {"0:5", "/", "/run/x", "fuse.portal"}, {device: "0:6", root: "/", point: "/cut"}}
	if diff := cmp.Diff(want, parseMounts([]byte(table)), cmp.AllowUnexported(mount{})); diff != "" {
		t.Error(diff)
	}
	for given, want := range map[string]string{`\`: `\`, `\04`: `\04`, `\999`: `\999`, `\777`: `\777`, `a\040`: "a "} {
		if got := unescape(given); got != want {
			t.Errorf("of %q: %q", given, got)
		}
	}
}

func TestReadIDs(t *testing.T) {
	got, err := readIDs([]byte("         0          0 4294967295\n  5000000000 1 1\n"))
	if err != nil || len(got) == 0 || got[0].ContainerID != 0 || got[0].HostID != 0 || got[0].Size <= 0 {
		t.Errorf("%v, %v", got, err)
	}
	got, err = readIDs([]byte("0 1000 1\n1 100000 65536\n"))
	want := []syscall.SysProcIDMap{{ContainerID: 0, HostID: 0, Size: 1}, {ContainerID: 1, HostID: 1, Size: 65536}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", "a b c\n", "1 2\n"} {
		if got, err := readIDs([]byte(text)); err == nil {
			t.Errorf("of %q: %v", text, got)
		}
	}
}

func TestCures(t *testing.T) {
	for _, err := range []error{syscall.EPERM, syscall.ENOSPC, syscall.EINVAL} {
		if cure(fmt.Errorf("start: %w", err)) == "" {
			t.Errorf("%v has no cure", err)
		}
	}
	for _, err := range []error{syscall.ENOSYS, syscall.EPERM} {
		if lack(fmt.Errorf("mount: %w", err)) == "" {
			t.Errorf("%v has no cause", err)
		}
	}
	if modules(fmt.Errorf("flush: %w", syscall.EOPNOTSUPP)) == "" {
		t.Error("what the kernel lacks has no cure")
	}
	if got := lack(&os.PathError{Op: "open", Path: "x", Err: syscall.EPERM}); got != "" {
		t.Errorf("of a file: %q", got)
	}
	if got := cure(errors.New("other")) + lack(errors.New("other")) + modules(errors.New("other")); got != "" {
		t.Errorf("of another error: %q", got)
	}
}
