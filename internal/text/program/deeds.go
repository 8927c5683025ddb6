package program

// DeedTables say what programs do beyond files, one row a line. A line that begins with @ names the programs of the rows that follow,
// and, after a colon, the letters of their options that take a value. With @raw, options that ask for a dry run or for help may
// belong to another command. A name of a cmdlet that ends with * stands for all that begin so. A row has a verb, a kind, and what a
// command must have:
//
//	word        an operand, in this order; | separates alternatives, * stands for any text
//	**          any number of operands that are no verbs of reading
//	%delete     the verbs of SharedVerbs
//	%weir       the name of weir, alone or between signs that are no letters
//	$           no further operand
//	-x|--long   an option; --long=glob an option with that value
//	~glob       a word anywhere
//	!           before an option or ~: it must not be there
//	>up         the last operand is not on this machine
//
// A line that begins with | or + continues the row before it. A kind with ? is not certain: the command may do it.
//
// The verb none says that the program does nothing of what the rows after it say, local that its options name the host of its target;
// with default, that host is this machine unless they say another.
func DeedTables() []string {
	return []string{
		awsDeeds, cloudDeeds, platformDeeds, clusterDeeds, infrastructureDeeds, hostDeeds, packageDeeds, registryDeeds, machineDeeds,
		guardDeeds, rightsDeeds, accountDeeds, windowsDeeds, registryKeys, windowsGuards, windowsFetched, cmdletDeeds, dataDeeds,
		scheduleDeeds, uploadDeeds, trustDeeds, verifyDeeds, foreignDeeds,
	}
}

// GuardVariables lead the requests of agents and of libraries to a model, and so through what guards them.
const GuardVariables = `ANTHROPIC_BASE_URL ANTHROPIC_API_URL ANTHROPIC_BEDROCK_BASE_URL ANTHROPIC_VERTEX_BASE_URL OPENAI_BASE_URL
	OPENAI_API_BASE GOOGLE_GEMINI_BASE_URL GEMINI_BASE_URL GOOGLE_VERTEX_BASE_URL CODE_ASSIST_ENDPOINT`

// SharedVerbs are the verbs that many programs have.
var SharedVerbs = map[string]string{
	// The variables that lead agents through weir: their names, set to something, and as PowerShell's drive of variables has them.
	"%way":     each("", wayVariables, ""),
	"%way=":    each("", GuardVariables, "=*"),
	"%env:way": each("env:", wayVariables, "") + " " + each(`env:\`, wayVariables, ""),
	"%delete": `delete destroy remove rm rb purge terminate drop wipe erase del uninstall undeploy decommission deregister nuke teardown
		tear-down obliterate expunge delete-* destroy-* remove-* purge-* terminate-* drop-* wipe-* erase-* deregister-* batch-delete*
		bulk-delete* *-delete *-destroy *-remove *-purge *:delete *:destroy *:remove *:purge *:drop deletes *-rm force-delete rmi del-*`,
	// The services, processes and packages that guard a machine: firewalls, logs, and agents of vendors.
	"%guard": `weir weir-* weir.service ufw* firewalld* iptables* nftables* auditd* auditbeat* apparmor* fail2ban* clamav* clamd* clamonacc*
		freshclam* rsyslog* rsyslogd syslog-ng* syslogd syslog.* syslog systemd-journald* journald* crowdsec* ossec* wazuh* falco* falcon*
		csfalcon* osquery* mdatp* wdavdaemon* microsoft-mdatp* sentinel* s1-agent* s1agent* aide* selinux* setroubleshoot* crowdstrike*
		carbonblack* cbagent* cbdaemon* cb-psc* cbsensor* traps* cyserver* ds_agent* ds-agent* ds_am* trendmicro* sophos*
		sav-protect* savd* esets* mcafee* trellix* xagt* fireeye* isecespd* elastic-agent* elastic-endpoint* endpoint-security*
		suricata* snort* zeek* tetragon* tracee* sysmon* sysdig* lacework* qualys* nessus* rapid7* ir_agent* velociraptor*
		tanium* taniumclient* bitdefender* bdsec* kesl* kaspersky* symantec* sisamd* cylance* cyagent* deepinstinct* huntress* threatlocker*
		limacharlie* rphcp* santa* jamf* littlesnitch* lulu* opensnitch* usbguard* rkhunter* chkrootkit* tripwire* samhain* audispd*
		laurel* filebeat* splunk* psad* portsentry* denyhosts* sshguard* twistlock* kubearmor* cilium-agent* zscaler* zstunnel* netskope*
		stagent* forticlient* pulseagent*`,
	"%read": `get list describe show read ls ssh exec logs cat search help explain create update apply plan diff status version
		export validate lint test build wait watch tail history events print view info inspect dump query find head top whoami
		login logout completion docs open new add init edit attach clone fork comment close merge checkout review set put copy cp sync
		mv upload download start invoke`,
}
