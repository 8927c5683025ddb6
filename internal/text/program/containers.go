package program

// containers are the programs that run commands in containers or give files to them.
var containers = []*Entry{
	{
		Names: "docker podman nerdctl", Options: `D,debug H,host@ c,context: l,log-level: v,version config: tls tlsverify tlscacert: tlscert:
		tlskey: url@ connection: remote namespace: n: address: a: root: runroot: storage-driver: cgroup-manager:`,
		Subs: append(containerCommands(),
			Entry{Names: "container", Subs: containerCommands()},
			Entry{Names: "compose", Options: composeOptions, Subs: composeCommands()},
			Entry{Names: "unshare", Options: "rootless-netns", Runs: &Runs{}}),
	},
	{Names: "docker-compose podman-compose", Options: composeOptions, Subs: composeCommands()},
	{Names: "ddev", Options: "j,json-output", Subs: []Entry{
		{Names: "exec", Options: "s,service: d,dir: q,quiet raw?", Runs: &Runs{}}, // in a container that has the files of the project
	}},
	{
		Names: "kubectl oc k3s microk8s", Options: `n,namespace: s,server@ v: context: cluster: kubeconfig: user: token: as: as-group: as-uid:
		request-timeout: tls-server-name: certificate-authority: client-certificate: client-key: cache-dir: profile: profile-output: username:
		password: vmodule: log-flush-frequency: insecure-skip-tls-verify disable-compression match-server-version warnings-as-errors`,
		Runs: &Runs{Only: true, Where: Clustered}, Subs: append(clusterCommands(), Entry{Names: "kubectl", Subs: clusterCommands()}),
	},
	{Names: "lxc incus", Options: "project: debug force-local v,verbose q,quiet", Runs: &Runs{Only: true, Where: Contained}},
}

const composeOptions = `f,file< p,project-name: profile: env-file: project-directory/ ansi: parallel: progress: verbose compatibility
	dry-run all-resources`

const runOptions = `i,interactive t,tty d,detach P,publish-all q,quiet rm privileged init read-only no-healthcheck oom-kill-disable
	T,no-TTY no-deps service-ports build latest a,attach: c,cpu-shares: e,env: env-file: h,hostname: l,label: m,memory:
	name: p,publish: u,user: v,volume: w,workdir: network,net: mount: entrypoint! platform: pull: restart: cap-add:
	cap-drop: security-opt: shm-size: gpus: ulimit: add-host: cidfile> cpus: detach-keys: device: dns: dns-search:
	dns-option: ip: ip6: ipc: link: log-driver: log-opt: mac-address: pid: pids-limit: runtime: stop-signal: stop-timeout:
	storage-opt: sysctl: tmpfs: userns: uts: volumes-from: volume-driver: expose: index: annotation: blkio-weight:
	cpuset-cpus: cpuset-mems: cpu-period: cpu-quota: group-add: health-cmd: health-interval: health-retries:
	health-timeout: health-start-period: isolation: label-file: link-local-ip: network-alias: cgroup-parent: cgroupns:
	device-cgroup-rule: memory-swap: memory-reservation: memory-swappiness: oom-score-adj: kernel-memory: sig-proxy?
	disable-content-trust? use-aliases remove-orphans quiet-pull secret: pod: requires: arch: os: authfile:
	conmon-pidfile: decryption-key: hooks-dir: image-volume: init-path: passwd-entry: pidfile: replace rootfs sdnotify:
	seccomp-policy: systemd: timeout: tz: umask: unsetenv: uidmap: gidmap: subuidname: subgidname: chrootdirs: variant:
	creds:`

// containerCommands are the subcommands that run a command in a container, or copy files.
func containerCommands() []Entry {
	return []Entry{
		{Names: "run create", Options: runOptions, Runs: &Runs{Skip: 1, Where: Contained}},
		{Names: "exec", Options: runOptions, Runs: &Runs{Skip: 1, Where: Contained}},
		{Names: "cp", Options: "a,archive L,follow-link q,quiet overwrite"},
		{Names: "rm rmi kill stop restart pause ps images prune volume network system image builder ls", Options: `f,force a,all q,quiet v,volumes
			l,link n,last: s,size time,t: filter: format: no-trunc`},
	}
}

func composeCommands() []Entry {
	return []Entry{{Names: "exec run", Options: runOptions, Runs: &Runs{Skip: 1, Where: Contained}}, {Names: "cp", Options: `a,archive
		L,follow-link all index:`}}
}

// clusterCommands are the subcommands of kubectl that run a command in a pod, or copy files. Other subcommands may run the words after --.
func clusterCommands() []Entry {
	return []Entry{
		{
			Names: "exec rsh", Options: "i,stdin t,tty q,quiet c,container: f,filename< pod-running-timeout:",
			Runs: &Runs{Skip: 1, Where: Clustered},
		},
		{Names: "cp", Options: "c,container: no-preserve retries:"},
		{
			Names: "get delete apply create describe logs edit scale rollout patch label annotate drain cordon replace top wait set expose",
			Options: `A,all-namespaces f,filename< o,output: l,selector: w,watch i,stdin t,tty k,kustomize: R,recursive all force
			grace-period: timeout: field-selector: dry-run? p,patch: type: tail: since: c,container: replicas: now cascade? wait? for:
			ignore-not-found show-labels sort-by: L,label-columns: prune server-side overwrite delete-emptydir-data ignore-daemonsets`,
		},
		{Names: "run debug", Options: `image: i,stdin t,tty it rm restart: env: labels: l: overrides: command port: dry-run? o,output:
			image-pull-policy: target: share-processes copy-to: profile: c,container: attach leave-stdin-open privileged expose q,quiet replace
			same-node set-image: arguments-only`},
	}
}
