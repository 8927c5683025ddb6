package shell

import (
	"slices"
	"strings"
)

var sshOptions = newOptions(`4 6 A a C f G g K k M N n q s T t V v X x Y y B: b: c: D: E: e: F: I: i: J: L: l: m: O: o: P: p: Q: R: S: W: w:
	ssh: server: port:`)

// secureShell reads ssh: the words after the host are a text for the shell there.
func secureShell(r *reader, c invocation) value {
	line := sshOptions.read(c.args)
	options := line.all("o")
	rest := line.operands(c.args)
	if len(rest) > 0 {
		after := sshOptions.read(rest[1:])
		options = append(options, after.all("o")...)
		rest = after.operands(rest[1:])
	}
	for _, option := range options {
		name, text := option, ""
		if i := strings.IndexAny(option, " ="); i >= 0 {
			name, text = option[:i], option[i+1:]
		}
		switch fold(name) {
		case "proxycommand", "localcommand", "remotecommand", "knownhostscommand":
			r.text(text, newScope(c.scope), pipes{})
		}
	}
	if len(rest) > 0 {
		return r.text(strings.Join(rest, " "), newLogin(), pipes{in: c.pipes.in, want: c.pipes.want})
	}
	if c.pipes.in != nil && !line.has("N", "W") {
		return r.texts(c.pipes.in, newLogin(), pipes{want: c.pipes.want})
	}
	return unknownValue
}

// remoteCopy reads the options of rsync and scp that name a program.
func remoteCopy(r *reader, c invocation) value {
	for i, arg := range c.args {
		var code string
		switch name, v, given := strings.Cut(arg, "="); {
		case given && (name == "--rsh" || name == "--rsync-path"):
			code = v
		case given && strings.HasSuffix(fold(name), "proxycommand"):
			code = v
		case i > 0 && slices.Contains([]string{"-e", "--rsh", "--rsync-path", "-S"}, c.args[i-1]):
			code = arg
		case c.name == "rsync" && strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--"):
			// -avze TEXT: the text is the next word.
			if strings.HasSuffix(arg, "e") && i+1 < len(c.args) {
				code = c.args[i+1]
			}
		}
		if code != "" {
			r.text(code, newScope(c.scope), pipes{})
		}
	}
	return unknownValue
}

var containerGlobals = newOptions("D H: c: l: v debug host: context: config: log-level: tls tlsverify tlscacert: tlscert: tlskey: url: " +
	"connection: remote")

var containerOptions = newOptions(`i t d P q interactive tty detach rm privileged init publish-all quiet read-only no-healthcheck
	oom-kill-disable T
	no-TTY no-deps service-ports build latest l a: attach: c: e: env: env-file: h: hostname: l: label: m: memory: n: name: p: publish: u:
	user: v:
	volume: w: workdir: network: net: mount: entrypoint: platform: pull: restart: cap-add: cap-drop: security-opt: shm-size: gpus: ulimit:
	add-host: cidfile: cpus: cpu-shares: detach-keys: device: dns: ip: ipc: link: log-driver: log-opt: mac-address: pid: pids-limit: runtime:
	stop-signal: stop-timeout: storage-opt: sysctl: tmpfs: userns: uts: volumes-from: volume-driver: expose: f: file: project-name: index:`)

// container reads docker and similar programs: exec and run have a container or image, and then a command.
func container(r *reader, c invocation) value {
	line := containerGlobals.read(c.args)
	rest := line.operands(c.args)
	r.bareSubcommand(c, rest)
	if len(rest) > 1 && rest[0] == "container" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return unknownValue
	}
	switch rest[0] {
	case "compose":
		c.args = rest[1:]
		return compose(r, c)
	case "exec", "run", "create":
		return r.inContainer(rest[1:], c)
	case "unshare":
		return wrapper{options: newOptions("rootless-netns")}.handle(r, invocation{name: c.name, args: rest[1:], scope: c.scope, pipes: c.pipes})
	}
	return unknownValue
}

// bareSubcommand notes a command without the options before its subcommand, as patterns are written.
func (r *reader) bareSubcommand(c invocation, rest []string) {
	if len(rest) > 0 && len(rest) < len(c.args) {
		r.note(append([]string{c.name}, rest...))
	}
}

var composeGlobals = newOptions("f: p: file: project-name: profile: env-file: project-directory: ansi: parallel: progress: verbose")

func compose(r *reader, c invocation) value {
	rest := composeGlobals.read(c.args).operands(c.args)
	if len(rest) > 0 && (rest[0] == "exec" || rest[0] == "run") {
		return r.inContainer(rest[1:], c)
	}
	return unknownValue
}

func (r *reader) inContainer(args []string, c invocation) value {
	line := containerOptions.read(args)
	for _, start := range line.starts {
		rest := args[start:]
		if len(rest) == 0 {
			continue
		}
		fields := rest[1:]
		if entry := line.all("entrypoint"); len(entry) > 0 {
			fields = append([]string{entry[len(entry)-1]}, fields...)
		}
		r.run(fields, newContainer(), pipes{in: c.pipes.in})
	}
	return unknownValue
}

var kubernetesGlobals = newOptions(`n: s: v: namespace: context: cluster: kubeconfig: user: token: server: as: as-group: request-timeout:
	tls-server-name:
	certificate-authority: client-certificate: client-key: cache-dir: insecure-skip-tls-verify`)

// kubernetes reads kubectl: the words after -- are a command.
func kubernetes(r *reader, c invocation) value {
	rest := kubernetesGlobals.read(c.args).operands(c.args)
	r.bareSubcommand(c, rest)
	if slices.Contains(c.args, "--") {
		return afterDashes(r, c)
	}
	if len(rest) > 1 && rest[0] == "kubectl" {
		c.args = rest[1:]
		return kubernetes(r, c)
	}
	if len(rest) > 1 && (rest[0] == "exec" || rest[0] == "rsh") {
		// Old versions need no dashes.
		line := newOptions("i t q c: f: n: stdin tty quiet container: filename: namespace: pod-running-timeout:").read(rest[1:])
		if words := line.operands(rest[1:]); len(words) > 1 {
			r.run(words[1:], newContainer(), pipes{in: c.pipes.in})
		}
	}
	return unknownValue
}

// afterDashes reads a program that runs the words after --.
func afterDashes(r *reader, c invocation) value {
	if i := slices.Index(c.args, "--"); i >= 0 {
		r.run(c.args[i+1:], newContainer(), pipes{in: c.pipes.in})
	}
	return unknownValue
}
