package program

// agentWords are the programs of agents, as rows write alternatives.
const agentWords = `claude|codex|gemini|opencode|aider|goose|cursor-agent|amp|crush|qwen|copilot`

const machineDeeds = `
@ shutdown :t
none - ~-c|/a
stops machine **
@ reboot poweroff halt pm-suspend pm-hibernate stop-computer restart-computer
stops machine **
@ fork-bomb
stops machine **
@ init telinit
stops machine 0|6|1|s
@ systemctl
stops machine poweroff|reboot|halt|kexec|emergency|rescue|suspend|hibernate|hybrid-sleep|soft-reboot|isolate
stops service stop|disable|mask|kill|freeze
persists service enable|link|reenable|preset|preset-all|add-wants|add-requires|edit
stops guard set-environment|unset-environment|import-environment ~*_base_url*|*_proxy*
stops guard set-environment|import-environment ~ld_preload*|ld_audit*|ld_library_path*|bash_env*|node_options*|pythonstartup*
stops guard? restart|try-restart|reload-or-restart|condrestart weir|weir.service
stops guard set-property|edit|revert|clean|mount-image|bind weir|weir.service
@ dbus-update-activation-environment
stops guard ** ~*_base_url*|*_proxy*|ld_preload*|ld_audit*|ld_library_path*
@ systemctl
stops guard stop|disable|mask|kill|freeze|reload-or-kill ** %guard
@ service rc-service sv
stops service * stop|force-stop|zap
stops service stop|down|kill|exit *
stops guard %guard stop|disable|force-stop|zap
stops guard stop|down|kill|exit|force-stop %guard
@ rc-update chkconfig update-rc.d insserv
stops service del|delete
stops service * off|remove|disable
persists service add
persists service * on|defaults|enable
persists service --add
stops guard del|delete %guard
stops guard %guard off|remove|disable
@ initctl
stops service stop *
@ launchctl
none - print|list|blame|examine|procinfo|getenv|managername|print-disabled
stops service stop|kill|disable|remove|unload|bootout
stops guard unload|bootout|disable|remove|stop|kill ~%weir|*alf*|*littlesnitch*|*crowdstrike*|*sentinel*|*xprotect*|*endpoint*|*auditd*
|*syslogd*|*osquery*|*santa*|*lulu*|*blockblock*|*jamf*|*defender*|*wdav*|*mdatp*|*falcon*|*carbonblack*|*sophos*|*mrt*|*gatekeeper*
|*syspolicyd*|*trustd*|*backupd*|*tccd*
persists autostart load|bootstrap|enable|submit
persists autostart setenv
stops guard setenv|unsetenv ~*_base_url*|*_proxy*|dyld_insert_libraries|dyld_library_path
escalates user asuser
@ brew
stops service services stop|kill
@ supervisorctl monit circusctl
stops service stop|shutdown|remove|unmonitor|stopall
@ pm2
persists service startup
@ kill :sn
none - ~-l|-L|--list|--table|-0
none - %* $
stops machine ** ~1 !~-hup|-sighup|-1|-usr1|-usr2|-winch|-0|-cont|-s|-n
stops machine ~-1 ~-9|-15|-KILL|-TERM|-SIGKILL|-SIGTERM|-s|--
stops process *
@ pkill killall killall5 skill xkill slay :usgGPtUxLFzo
none - ~-0|-l|--list
stops process **
@ killall5
stops machine **
@ sshd dropbear
persists key -o=authorizedkeysfile*|permitrootlogin*yes*|permitemptypasswords*yes*|trustedusercakeys*|authorizedkeyscommand*
@ docker podman nerdctl lxc incus systemd-nspawn machinectl
stops guard stop|kill|rm|pause|restart|terminate|poweroff|delete|update|rename ** ~weir|weir-*|weir_*|*-weir|*-weir-*|*_weir|*_weir_*|*/weir
stops guard container|compose|network stop|kill|rm|pause|restart|down|disconnect ** ~weir|weir-*|weir_*|*-weir|*-weir-*
|*_weir|*_weir_*|*/weir
stops guard compose -f|--file|-p|--project-name|--project-directory=weir|*/weir|*/weir/*|*weir.y*ml ~stop|kill|rm|pause|restart|down
@ docker-compose podman-compose
stops guard stop|kill|rm|pause|restart|down ** ~weir|weir-*|weir_*|*-weir|*-weir-*|*_weir|*_weir_*|*/weir|*/weir/*
@ pm2 forever s6-rc dinitctl nomad overmind circusctl honcho immortalctl runsvctl
stops guard stop|delete|kill|restart|pause|del|down|unload ** ~weir|*/weir|weir.*
stops guard job stop ** ~weir
stops guard -d ** ~weir
@ s6-svc svc perpctl runsvchdir
stops guard ** ~-d*|-k|-x|-o|-p|-t ~weir|*/weir|*/weir/
@ umount fusermount fusermount3
stops guard ** ~%weir
@ pkill killall killall5
stops guard ~%weir|xprotect*|systemd-journal*|%guard
@ fuser
stops process -k|--kill
@ kill-port fkill fkill-cli kill-port-process cross-port-killer
stops process **
stops guard ** ~weir|:4141
@ stop-process spps taskkill tskill ntsd
stops process **
stops process $
stops guard ** ~%weir|*defender*|*msmpeng*|*sysmon*|*falcon*|*csagent*|*sentinelagent*|*nissrv*|*securityhealth*|*mssense*|*lsass*
@ busctl dbus-send gdbus
stops service ** ~*stopunit*|*poweroff*|*reboot*|*killunit*|*disableunit*
stops guard ** ~%weir
@ screen tmux
stops guard send-keys|send -t=%weir ~c-c|c-d|c-z|^c|^d|y|yes|a|allow|approve|always|ok|1|2|j|down|up|tab|space|y\n|yes\n
stops guard -X -S=%weir ~stuff
stops guard kill-session|kill-window|kill-pane|killw|killp -t=%weir
stops guard -X -S=%weir ~quit|kill
stops process kill-server|kill-session
stops process -X ~quit
@ crontab
stops service -r
persists timer * !~-l|-r
persists timer - !~-l|-r
persists timer $ !~-l|-r|-e
persists timer -e
@ dpkg :aCDR
stops machine ** --purge|-P|--remove|-r !~--dry-run|--no-act|--simulate ~--force-all|--force-remove-essential|--force-depends
stops machine ** --purge|-P|--remove|-r ~libc6*|libc-bin|dpkg|bash|dash|coreutils|systemd|init|linux-image-*|base-files|util-linux
|login|grub-*|sysvinit*|apt|libsystemd0|mount|passwd|e2fsprogs|udev
@ apt apt-get aptitude nala :otc
stops machine remove|purge|autoremove|autopurge ** ~--allow-remove-essential|--force-yes|--allow-change-held-packages
stops machine remove|purge ** ~libc6|libc-bin|dpkg|bash|dash|coreutils|systemd|init|linux-image-*|base-files|util-linux|login|grub-*
|apt|libsystemd0|mount|passwd|e2fsprogs|udev
@ rpm :pEDr
stops machine -e|--erase ~glibc*|bash|coreutils|systemd|kernel|kernel-core|rpm|dnf|filesystem|setup|util-linux|basesystem|grub2*
@ dnf yum microdnf tdnf zypper :cx
stops machine remove|erase|rm ** ~glibc*|bash|coreutils|systemd|kernel|kernel-core|kernel-default|rpm|filesystem|setup|util-linux
|basesystem|grub2*
@ pacman yay paru :rb
stops machine ** ~-R*|--remove ~glibc|bash|coreutils|systemd|linux|linux-lts|filesystem|pacman|base|util-linux|grub
@ apt apt-get aptitude nala dpkg rpm dnf yum microdnf tdnf zypper pacman yay paru apk brew snap port
stops guard remove|purge|erase|rm|del|autoremove|uninstall|autopurge ** %guard
stops guard ** ~--purge|-P|--remove|-r|-e|--erase|-R*|--cask|-ev* ~%guard
@ apk
stops machine del ** ~musl|busybox|alpine-base*|apk-tools|linux-lts|linux-virt|openrc|alpine-baselayout
@ apt apt-get aptitude nala dnf yum microdnf tdnf zypper apk brew port snap flatpak npm pnpm yarn bun pip pip3 pipx uv cargo gem mise asdf
+ winget choco scoop nix nix-env conda mamba rtx eopkg xbps-remove emerge pkg opkg
stops guard remove|purge|autoremove|autopurge|erase|uninstall|un|rm|del|delete|unlink|-e|deinstall ** ~weir|weir@*|weir-gate*|*/weir|*.weir
stops guard profile|tool|global remove|uninstall ** ~weir|weir@*|*/weir|*#weir
@ dpkg rpm pacman yay paru nix-env emerge xbps-remove
stops guard ** ~-P|-r|--purge|--remove|-e|--erase|-R*|-C|--unmerge|--uninstall ~weir|weir-gate*
@ cryptsetup
stops guard luksErase|erase|luksKillSlot|luksRemoveKey
`

const rightsDeeds = `
@ setfacl
widens file -m|--modify|-M|-b|--set|-s
@ setcap
escalates capability **
@ capsh setpriv
escalates capability **
@ icacls cacls xcacls subinacl
widens file ** ~/grant*|-grant*|/setowner|/reset|/inheritance*|/g|/e|/p
@ takeown
widens file **
widens file $
@ set-acl
widens file **
@ attrib
widens file ~-r|-s|-h
@ chattr
widens file ~-i|-*i*|-a|-*a*
@ chflags
widens file ~no*|nouchg|noschg
@ umask
widens file 0|00|000|0000
@ filecap
escalates capability * *
@ sudo
escalates setuid ~-u#-1|#-1|-u#4294967295|#4294967295
@ debugfs xfs_db btrfs-corrupt-block e2image
escalates kernel ** -w|-x
@ debugfs
escalates kernel ** ~*set_inode_field*|*sif*mode*|*modify_inode*|*kill_file*
@ chown chgrp
widens file ** ~/etc|/etc/*|/usr|/usr/*|/bin*|/sbin*|/lib*|/boot*|/var|/var/lib*|/var/log*|/root*|/|/opt|/opt/*
`

const accountDeeds = `
@raw sudo
none - -l|-v|-k|-K|-V|-h|--list|--validate|--version|--help $
escalates user **
@ machinectl
escalates user shell|login
@raw doas su run0 runuser pkexec gosu su-exec sudoedit runas gsudo machinectl-shell calife super sux setuidgid chpst s6-setuidgid
+ kdesu gksu gksudo beesu lxqt-sudo lxsudo dzdo pfexec please sudo-rs sesudo :ucsgw
escalates user **
escalates user $
@ start-process saps
escalates user ** -verb=runas
escalates user ~-verb ~runas
escalates user ** ~-verb* ~runas
@ useradd adduser newusers userdel deluser usermod groupadd addgroup groupmod groupdel delgroup gpasswd chpasswd chage chsh chfn vipw
+ vigr pwconv pwunconv grpconv sysadminctl dseditgroup dsenableroot smbpasswd pdbedit
escalates account **
@ passwd
none - ~-S|--status|-Sa
escalates account **
@ visudo
none - ~-c|--check|-cf
escalates account **
@ dscl
none - ~-list|-read|-search|-readall|list|read|ls
escalates account **
@ net net1
none - use|view|statistics|config|time
escalates account accounts **
escalates account user|localgroup|group ~/add|/active*|/delete
escalates account user * * !~/domain
stops service stop
persists service start *
@raw docker podman nerdctl
escalates container run|create|exec --privileged
escalates container container run|create|exec --privileged
escalates container compose|container ** --privileged
escalates container run|create|container --pid|--ipc|--uts|--userns|--cgroupns=host
escalates container run|create|container --cap-add=*
escalates container run|create|container --security-opt=*unconfined*|*disable*|label:disable|*no-new-privileges:false*
|*no-new-privileges=false*
escalates container run|create|container --device=/dev/*
escalates container run|create|container --device-cgroup-rule=*
escalates container run|create|container -v|--volume=/:*|//:*|/etc*:*|/root*:*|/var/run*:*|/run*:*|/proc*:*|/sys*:*|/dev:*|/boot*:*
|/usr*:*|/bin*:*|/lib*:*|/var:*|/var/lib*:*|/home:*|*docker.sock*|*containerd.sock*|*podman.sock*|c:\:*
escalates container run|create|container --mount=*docker.sock*|*source=/,*|*src=/,*|*source=/etc*|*src=/etc*|*source=/root*
|*src=/root*|*source=/var/run*|*src=/var/run*|*source=/proc*|*src=/proc*|*source=/dev,*
escalates container run|create|container -v|--volume=~:*|~/:*
escalates container exec -u|--user=0|root
escalates container plugin install|enable|set
escalates container service create|update ~*docker.sock*|*type=bind*source=/,*
@ curl
escalates container --unix-socket=*docker.sock|*containerd.sock|*podman.sock
stops guard --unix-socket=%weir
@raw nsenter
escalates container **
escalates container $
@raw unshare chroot systemd-nspawn pivot_root
escalates container **
@ ctr crictl lxc incus runc
escalates container run|create|launch|config --privileged
escalates container ** --privileged|--net-host
escalates container ** ~security.privileged=true|*raw.lxc*
escalates container config device add ** ~source=/
escalates container ** ~security.privileged ~true
@ insmod modprobe rmmod kmod kextload kextunload kexec kpatch depmod bpftool mknod devmem systemextensionsctl
none - -n|-D|--show-depends|--dry-run|-l|--list|list
escalates kernel **
@ grub-install update-grub grub-mkconfig efibootmgr mokutil bootctl grubby
escalates kernel **
escalates kernel $
@ gdb strace ltrace dtrace bpftrace perf-attach ptrace :pxo
escalates user -p|--pid
escalates user ** --pid=1
@ mount :to
escalates container ** -t=cgroup*|proc|sysfs|devtmpfs|debugfs|securityfs|bpf|tracefs
escalates container ** --bind|-B|--rbind|--move|-o=bind / *
escalates container /dev/sd*|/dev/nvme*|/dev/vd*|/dev/xvd*|/dev/mapper/*|/dev/disk/*|/dev/dm-*|/dev/hd*|/dev/mmcblk* *
escalates kernel ** -t=overlay ~/etc|/usr|/bin|/sbin|/lib|/root|/etc/*|/usr/*
escalates kernel ** --bind|-B|--rbind|--move ~/etc*|/usr*|/bin*|/sbin*|/lib*|/root*
escalates kernel ** ~bind|rbind|*,bind*|bind,*|-obind* ~/etc*|/usr*|/bin*|/sbin*|/lib*|/root*
escalates kernel ** ~*remount*suid*|*remount*exec*|*remount*dev* !~*nosuid*|*noexec*|*nodev*
escalates kernel ** ~*remount*rw*
stops guard ** ~%weir
widens file ** -o ~*remount*rw*
@ ssh-copy-id
persists key **
`
