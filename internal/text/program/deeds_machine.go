package program

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
stops guard stop|disable|mask|kill ufw*|firewalld*|iptables*|nftables*|auditd*|apparmor*|fail2ban*|clamav*|rsyslog*|syslog*
|systemd-journald*|crowdsec*|ossec*|wazuh*|falco*|falcon*|osqueryd*|mdatp*|sentinel*|aide*|selinux*|crowdstrike*|carbonblack*
|cbdaemon*|weir*
stops guard stop|disable|mask|kill ** ~ufw*|firewalld*|auditd*|apparmor*|fail2ban*|rsyslog*|systemd-journald*|falco*|falcon*
|osqueryd*|weir*|clamav*|wazuh*
@ service rc-service sv
stops service * stop|force-stop|zap
stops service stop|down|kill|exit *
stops guard ufw|firewalld|iptables|nftables|auditd|apparmor|fail2ban|rsyslog|clamav*|falco*|falcon*|osqueryd|weir* stop
@ rc-update chkconfig update-rc.d insserv
stops service del|delete
stops service * off|remove|disable
persists service add
persists service * on|defaults|enable
persists service --add
@ initctl
stops service stop *
@ launchctl
none - print|list|blame|examine|procinfo|getenv|managername|print-disabled
stops service stop|kill|disable|remove|unload|bootout
stops guard unload|bootout|disable|remove|stop|kill ~*weir*|*alf*|*littlesnitch*|*crowdstrike*|*sentinel*|*xprotect*|*endpoint*|*auditd*
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
stops guard stop|kill|rm|pause|restart|terminate|poweroff|delete ** ~weir|weir-*|*-weir|*/weir
stops guard container|compose stop|kill|rm|pause|restart|down ** ~weir|weir-*|*-weir|*/weir
@ pkill killall killall5
stops guard ** weir|weird|*weir*|ufw|auditd|falco*|osqueryd|falcon-sensor|clamd|clamonacc|rsyslogd|syslogd|systemd-journal*|fail2ban*
|snort|suricata|wazuh*|crowdsec|xprotect*|mdatp|wdavdaemon
@ fuser
stops process -k|--kill
@ kill-port fkill
stops process **
@ stop-process spps taskkill tskill ntsd
stops process **
stops process $
stops guard ** ~*weir*|*defender*|*msmpeng*|*sysmon*|*falcon*|*csagent*|*sentinelagent*|*nissrv*|*securityhealth*|*mssense*|*lsass*
@ busctl dbus-send gdbus
stops service ** ~*stopunit*|*poweroff*|*reboot*|*killunit*|*disableunit*
stops guard ** ~*weir*
@ screen tmux
stops guard send-keys|send -t=*weir* ~c-c|c-d|c-z|^c|^d
stops guard kill-session|kill-window|kill-pane|killw|killp -t=*weir*
stops guard -X -S=*weir* ~quit|kill
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
@ apk
stops machine del ** ~musl|busybox|alpine-base*|apk-tools|linux-lts|linux-virt|openrc|alpine-baselayout
@ cryptsetup
stops guard luksErase|erase|luksKillSlot|luksRemoveKey
`

const guardDeeds = `
@ ufw
stops guard disable|reset
stops guard --force disable|reset
stops guard delete
stops guard logging off
widens network allow|route|default
widens network default allow
widens network insert ** allow
widens network ** allow
@ iptables ip6tables iptables-legacy iptables-nft ebtables arptables :tsdpijmcoAID
none - ~-L*|-S|-nL*|-vnL*|-nvL*|-vL*|--list|--list-rules !-F|-X|-D|-P|-A|-I
stops guard -F|--flush|-X|--delete-chain|-D|--delete|-Z
stops guard ** -F|--flush|-X|-D|--delete
stops guard ** ~4141 ~dnat|redirect|drop|reject
widens network ** ~accept|dnat|redirect|masquerade
widens network -P|--policy ~accept
widens network ** -P ~accept
@ iptables-restore ip6tables-restore
widens network **
widens network $
stops guard $
@ nft
stops guard flush|delete|destroy|reset
stops guard ** flush|delete
stops guard add|insert ** ~4141|*dport*4141* ~redirect|dnat|drop|reject|*redirect*|*dnat*|*drop*|*reject*
widens network add|insert ** accept
@ firewall-cmd
stops guard ** --panic-off|--remove-*|--complete-reload|--delete-*
stops guard ** ~--remove-*|--delete-*|--panic-off|--set-default-zone=trusted
widens network ** ~--add-port*|--add-service*|--add-rich-rule*|--add-source*|--add-masquerade*|--set-default-zone*
|--set-target=accept|--add-forward-port*|--change-interface*
@ pfctl
stops guard -d|-F
widens network -f
@ ipfw
stops guard delete|flush|disable
widens network add
@ setenforce
stops guard 0|permissive
@ semanage
stops guard permissive|dontaudit|boolean
stops guard ** -D|-d
@ setsebool
stops guard **
@ semodule
stops guard -r|-d|--remove|--disable
@ aa-disable aa-complain aa-teardown aa-remove-unknown
stops guard **
@ apparmor_parser
stops guard -R|--remove|-C|--complain
@ auditctl :aAdDFwWkbrfe
none - -l|-s
stops guard -e=0
stops guard -D|-d|-W
stops guard ~-e0
stops guard ** -e=0
@ csrutil
stops guard disable|clear|authenticated-root
stops guard enable --without
@ spctl
stops guard ~--master-disable|--global-disable|--disable|--add|--remove
@ fdesetup
stops guard disable
@ xattr
stops guard -d|-c|-r com.apple.quarantine
stops guard ** ~com.apple.quarantine -d
stops guard ** ~com.apple.quarantine ~-d|-dr|-rd|-cr|-rc|-c
@ tccutil
stops guard reset
@ defaults
stops guard write ** ~*lsquarantine*|*gatekeeper*|*assessment*
stops guard write /library/preferences/com.apple.alf ** globalstate
persists autostart write loginwindow|com.apple.loginwindow|*loginwindow*
@ nvram
stops guard boot-args=*|csr-active-config=*
@ sysctl :pfrwn
escalates kernel ** ~kernel.*=*|fs.suid_dumpable=*|vm.mmap_min_addr=*|fs.protected_*=0
stops guard ** ~kernel.randomize_va_space=0|kernel.yama.ptrace_scope=0|kernel.kptr_restrict=0|kernel.dmesg_restrict=0
widens network ** ~net.ipv4.ip_forward=1|net.ipv6.conf.*.forwarding=1
@ fail2ban-client
stops guard stop|unban|reload|set
@ history
stops guard -c|-d
@raw env
stops guard -u|--unset=*_base_url|*weir*|histfile|prompt_command
stops guard ~-u*_base_url
@ unset
stops guard ~histfile|prompt_command|histsize|*weir*|*_base_url|https_proxy|all_proxy
@ set
stops guard ~+o ~history
stops guard history
@ shopt
stops guard -u ~histappend
@ snapper
stops guard delete|remove|rm
stops guard ** delete|remove
@ timeshift
stops guard --delete|--delete-all
stops guard ** ~--delete*
@ socketfilterfw
stops guard ** ~--setglobalstate|--setblockall|--setstealthmode ~off
stops guard ** ~--remove|--unblockapp|--setloggingmode
widens network ** ~--add|--unblockapp
@ mdatp sophosctl falconctl sentinelctl osqueryctl santactl esets_daemon savdctl
stops guard stop|unload|uninstall|disable|unprotect
stops guard ** disabled|--disable|--no-protect
@ tmutil
stops guard deletelocalsnapshots|delete|disable|thinlocalsnapshots|removedestination
@ journalctl
stops guard ~--vacuum-time=*s|--vacuum-time=*m|--vacuum-time=*min|--vacuum-time=*h|--vacuum-size=*K|--vacuum-size=1|--vacuum-size=1M
|--vacuum-files=1
@ dmesg
stops guard -C|-c|--clear|--read-clear|-D
@ logrotate
stops guard -f|--force
@ pre-commit husky lefthook
stops check uninstall
@ tailscale
stops service down|logout
widens network serve|funnel
widens network up --ssh|--advertise-routes|--advertise-exit-node
@ osascript
stops machine ** ~*shut*down*|*restart*
persists autostart ** ~*login*item*
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
@ install
escalates setuid ** -m|--mode=4*|2*|6*|u+s|g+s|04*|02*|06*
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
stops guard --unix-socket=*weir*
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
escalates kernel ** --bind|-B|--rbind|--move ~/etc*|/usr*|/bin*|/sbin*|/lib*|/root*
escalates kernel ** ~bind|rbind|*,bind*|bind,*|-obind* ~/etc*|/usr*|/bin*|/sbin*|/lib*|/root*
escalates kernel ** ~*remount*suid*|*remount*exec*|*remount*dev* !~*nosuid*|*noexec*|*nodev*
escalates kernel ** ~*remount*rw*
stops guard ** ~*weir*
widens file ** -o ~*remount*rw*
@ ssh-copy-id
persists key **
`
