package program

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
none - ~./*|bin/*|build/*|dist/*|target/*|out/* !~/*|~*|*..*|$*
stops check -d|-c|-r com.apple.quarantine
stops check ** ~com.apple.quarantine -d
stops check ** ~com.apple.quarantine ~-d|-dr|-rd|-cr|-rc|-c
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
@ set
stops guard ~-*u*|-*x*|-*g*|-*e*|-e|--universal|--erase|--export ~%way|no_proxy|node_extra_ca_certs
@ tmux
stops guard setenv|set-environment|set|setw ** ~%way|no_proxy|node_extra_ca_certs
@ loginctl
stops machine kill-user|terminate-user|kill-session|terminate-session|kill-seat|terminate-seat
@ ss
stops guard ~-K|--kill ~*4141*
@ ip ifconfig
stops guard ** ~lo|lo0 ~down
stops service ** ~down ~eth*|en*|wl*|ww*|bond*|ib*|default
stops service route|r|ro|-4|-6 ** flush ** ~main|default|all|cache|root|table
stops service addr|address|a ** flush
stops service route|ro|r del|delete default
@ nmcli
stops service networking|n|net off
stops service radio|r ** off
stops service device|dev|d|connection|con|c down|disconnect|delete|del
@ rfkill
stops service block
@ networksetup
stops service ** ~-setairportpower|-setnetworkserviceenabled ~off
@ ifdown
stops service **
@ kubectl oc
stops guard patch|set|scale|edit|replace|delete|rollout ** ~weir|*/weir|weir-*|*/weir-*|*-weir|*-weir-*
@ dockerd
escalates container -H|--host=tcp://0.0.0.0*|tcp://[*
@ set-env hide-env load-env
stops guard ~%way|no_proxy
@ claude
stops guard --settings|--setting-sources
@ codex
stops guard -c|--config=*model_provider*|*base_url*
@ aider qwen crush
stops guard --openai-api-base|--openai-base-url|--anthropic-api-base
@ direnv
stops guard exec * ` + agentWords + `
@raw env
stops guard -u|--unset=%way|*_base_url|weir_*|histfile|prompt_command
stops guard ~-u*_base_url|-uhttps_proxy|-uall_proxy
@ unset
stops guard ~histfile|prompt_command|histsize|weir_*|*_base_url|%way
@ declare local export readonly
stops guard ~+x|-n|+*x* ~%way
@ printf
stops guard -v=%way
@ read mapfile readarray getopts
stops guard ** ~%way
@ mise rtx
stops guard set|unset ** ~%way|%way=
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
@ mdatp sophosctl falconctl sentinelctl osqueryctl santactl esets_daemon savdctl cytool dsa_control elastic-agent elastic-endpoint
+ wazuh-control ossec-control agentctl cbagentd sav-protect kesl-control bduitool taniumclient cylancesvc huntress fleetctl
+ qualys-cloud-agent.sh nessuscli clamdscan crowdsec cscli suricatasc sophos-spl auditbeat osqueryi xagt trapsd
none - health|status|version|connectivity|scan|definitions|query|info|list|get|stats
stops guard ** stop|unload|uninstall|disable|unprotect|disabled|off|remove|unenroll|unlink|delete|shutdown|reset
stops guard exclusion|trusted|config|protect|control|exclude **
stops guard ** ~--disable|--disable*|--no-protect|--stop|--uninstall|--reset|--value=disabled|--remove|--unload
@ falconctl
stops guard -d|-D|--del-*
stops guard ~-d|-df|--del-*
stops guard -s ~--aph*|--apd*|--app*|--cid*|--provisioning-token*|--backend*|--rfm*|--aid*|--feature*
@ cbagentd dsa_control nessuscli
stops guard ~-u|-r|-s|--reset|--unlink
@ utmpdump
stops guard -r|--reverse
@ augenrules
none - --check
stops guard --load
@ auditctl
stops guard ~--delete-all|--reset-lost|--signal
@ vault bao
stops guard audit disable
@ grubby
stops guard ** ~*selinux=0*|*apparmor=0*|*enforcing=0*|*audit=0*|*mitigations=off*|*lockdown=*
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
stops guard ** ~*click*weir*|*process*weir*|*quit*weir*|*weir*quit*|*weir*click*|*weir*keystroke*|*activate*weir*keystroke*
@ zellij
stops guard -s|--session=%weir ~write|write-chars
stops guard kill-session|delete-session ~%weir
@ wmctrl xdotool ydotool wlrctl swaymsg hyprctl i3-msg xkill nircmd autohotkey
stops guard ** ~%weir|*weir*kill*|*title=weir*|*class=weir*
`
