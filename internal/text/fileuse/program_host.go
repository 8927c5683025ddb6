package fileuse

import (
	"slices"
	"strings"
)

// hosts returns the programs that give files of this machine to containers.
func hosts() map[string]program {
	return map[string]program{
		"docker podman nerdctl": container,
		"docker-compose":        container,
	}
}

var containerOptions = newOptions(`v: volume: mount: w: u: e: p: l: h: m: c: a: H: f: workdir: user: env: env-file: publish: label:
	hostname: name: network: net: entrypoint: platform:
	memory: cpus: device: add-host: cap-add: cap-drop: security-opt: restart: pull: gpus: ulimit: tmpfs: context: host: config: log-level:
	file: project-name:
	project-directory: profile: ipc: pid: runtime: shm-size: dns: cidfile: annotation: attach: blkio-weight: cpu-shares: cpuset-cpus:
	expose: group-add: health-cmd:
	ip: isolation: label-file: link: log-driver: log-opt: mac-address: network-alias: stop-signal: stop-timeout: storage-opt: sysctl:
	userns: uts: volume-driver: volumes-from:`)

// container reads docker and similar programs: a mounted folder can be read and changed from inside.
func container(l line) {
	args := containerOptions.parse(l.args)
	if at := slices.Index(args.operands, "cp"); at >= 0 && at <= 1 && len(args.operands) > at+2 {
		l.copied(args.operands[at+1], args.operands[at+2])
		return
	}
	if !slices.ContainsFunc(args.operands[:min(2, len(args.operands))], func(word string) bool { return word == "run" || word == "create" }) {
		return
	}
	for _, volume := range args.values("v", "volume") {
		source, rest, ok := cutVolume(volume)
		if ok {
			l.mounted(source, strings.HasSuffix(rest, ":ro") || strings.Contains(rest, ":ro,"))
		}
	}
	for _, mount := range args.values("mount") {
		source, bind, readOnly := "", false, false
		for field := range strings.SplitSeq(mount, ",") {
			key, value, _ := strings.Cut(field, "=")
			switch key {
			case "type":
				bind = value == "bind"
			case "source", "src":
				source = value
			case "readonly", "ro":
				readOnly = value != "false"
			}
		}
		if bind {
			l.mounted(source, readOnly)
		}
	}
}

// cutVolume splits SOURCE:TARGET. A name without a slash is no folder of this machine.
func cutVolume(volume string) (source, rest string, ok bool) {
	from := 0
	if len(volume) > 2 && volume[1] == ':' && isLetter(volume[0]) && (volume[2] == '\\' || volume[2] == '/') {
		from = 2
	}
	i := strings.IndexByte(volume[from:], ':')
	if i < 0 {
		return "", "", false
	}
	source, rest = volume[:from+i], volume[from+i:]
	_, rooted := start(source)
	return source, rest, rooted || strings.HasPrefix(source, ".")
}

func (f *finder) mounted(source string, readOnly bool) {
	f.tree(Reads, source)
	if !readOnly {
		f.tree(Writes, source)
	}
}
