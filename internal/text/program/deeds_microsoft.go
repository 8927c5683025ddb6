package program

// windowsDeeds are services, tasks and what else of Windows starts by itself.
const windowsDeeds = `
@ sc sc.exe
none - query|queryex|qc|getdisplayname|sdshow|enumdepend|qdescription|qfailure
stops service stop|delete|pause
stops service config ~disabled
stops guard ** stop|delete|config|pause windefend|mpssvc|sense|wuauserv|eventlog|wscsvc|wdnissvc|securityhealthservice|%weir|sysmon*|vss
|*falcon*|csagent|sentinelagent|bits|wdfilter|wdboot|bfe|sdrsvc|wbengine|cbdefense|mbamservice
persists service ** create
persists service ** config ~binpath=*|*binpath*|start=
persists service ** failure
widens role ** sdset
@ stop-service suspend-service remove-service set-service spsv
stops service **
stops guard ** ~*windefend*|*mpssvc*|sense|*sense,*|*,sense*|*eventlog*|%weir|*sysmon*|*wscsvc*|*wdnissvc*|*securityhealth*|*wuauserv*|vss
|*falcon*|*sentinel*|*defend*|bfe|*wdfilter*|*mbam*
@ set-service
persists service ** ~sshd|winrm|termservice|remoteregistry ~auto*
@ new-service
persists service **
@ net net1
stops guard stop ~windefend|mpssvc|sense|eventlog|wscsvc|wuauserv|%weir|sysmon*|*defender*|*security*center*|*firewall*|*event*log*|vss|bfe
|*falcon*|*sentinel*
widens file share ~*=*
@ schtasks
none - /query|-query
persists timer ~/create|-create|/change|-change
stops service ~/delete|/end|-delete|-end|/disable
stops guard ** ~/delete|/end|/disable|-delete|-disable ~*defender*|%weir|*backup*|*systemrestore*
escalates user ~/ru ~system|*system
@ register-scheduledtask new-scheduledtask set-scheduledtask register-scheduledjob enable-scheduledtask new-jobtrigger
persists timer **
@ unregister-scheduledtask disable-scheduledtask stop-scheduledtask
stops service **
stops guard ** ~*defender*|%weir|*backup*|*systemrestore*
@ wsl
none - -l|--list|--status
stops machine --shutdown
stops machine --terminate|-t
stops machine ~--unregister
@ invoke-command enter-pssession psexec winrs
escalates user ** ~-s|-h
@ at
none - -l|-q|-c|-V
persists timer **
@ bitsadmin
persists autostart ~/setnotifycmdline
@ setx
persists hook ~path|cor_*|coreclr_*|psmodulepath|node_options|pythonstartup|pythonpath|git_ssh* ~/m|-m
persists hook ~cor_*|coreclr_*|node_options|pythonstartup
stops guard ~*_base_url|*_proxy
@ register-wmievent register-cimindicationevent
persists autostart **
@ set-wmiinstance new-ciminstance
persists autostart ** ~*subscription*|*eventfilter*|*eventconsumer*|*filtertoconsumer*
@ wmic
stops process process ** ~terminate|delete
escalates account useraccount ** ~*
persists service startup **
persists autostart ** ~*subscription*|*eventconsumer*|*eventfilter*
stops guard ** shadowcopy ~delete
runs_fetched * ~*format:*http*|*format:*\\*
@ invoke-wmimethod invoke-cimmethod
stops process ** ~*terminate*
persists service ** ~*create* ~*service*
@ add-windowscapability enable-windowsoptionalfeature install-windowsfeature
persists service ** ~*openssh*server*|*telnet*server*|*smb1*|*microsoft-windows-subsystem*
@ set-psrepository register-psrepository register-packagesource set-packagesource register-psresourcerepository
widens trust **
@ import-certificate
widens trust ** ~cert:*root*|cert:*ca|cert:*trustedpublisher*|cert:*trustedpeople*
@ certutil
widens trust ~-addstore|/addstore
@ certmgr
widens trust ~/add|-add
@ set-dnsclientserveraddress add-dnsclientnrptrule
widens trust **
`

// registryKeys are the keys and values of the registry by which something starts, or by which something is guarded.
// The rows of registry are for the programs that change a key, and those of registry-removal for the programs that remove one.
const registryKeys = `
@ reg
none - query|compare|export|save|load|unload|copy|flags
persists autostart import|restore *
@ regedit regini
persists autostart ** ~*.reg|*.ini
@ registry
persists autostart ** ~*currentversion*run*|*winlogon*|*image*file*execution*|*silentprocessexit*|*appinit_dlls*|*appcertdlls*
|*userinitmprlogonscript*|*command*processor*|*active*setup*installed*|*user*shell*folders*|*print*monitors*|*microsoft*netsh*
|*bootexecute*|*security*packages*|*notification*packages*|*authentication*packages*|*inprocserver32*|*shell*open*command*|*cor_profiler*
|*policies*explorer*run*|*scrnsave.exe*|*browser*helper*objects*|*policies*system*scripts*|*appcompatflags*|*startupapproved*
persists service ** ~*currentcontrolset*services* ~imagepath|*servicedll*|/v|-name|-value|objectname|failurecommand
stops guard ** ~*defender*|*disableantispyware*|*disableantivirus*|*disablerealtimemonitoring*|*disablebehaviormonitoring*
|*tamperprotection*|*enablelua*|*consentpromptbehavior*|*promptonsecuredesktop*|*smartscreen*|*firewallpolicy*|*windowsfirewall*|*runasppl*
|*lsacfgflags*|*uselogoncredential*|*wdigest*|*limitblankpassworduse*|*disablerestrictedadmin*|*scriptblock*logging*
|*module*logging*|*powershell*transcription*|*\amsi*|*amsienable*|*deviceguard*|*enablevirtualizationbasedsecurity*
|*hypervisorenforcedcodeintegrity*|*vulnerabledriverblocklist*|*restrictanonymous*|*everyoneincludesanonymous*|*services*eventlog*
|*autologger*|*disablesr*|*systemrestore*|*noautoupdate*|*windowsupdate*|*sysmon*|*\fve*|*disabletaskmgr*|*disableregistrytools*
|*alwaysinstallelevated*|*exploitguard*|*mitigationoptions*|*safeboot*|*services*mpssvc*|*services*wscsvc*|*services*sense*|*services*vss*
|%weir|*processcreationincludecmdline*|*crashcontrol*|*internet*settings*proxy*
stops guard ** ~%way|no_proxy|node_extra_ca_certs
@ remove-item ri rm del erase clear-item cli set-item si new-item ni
stops guard ~%env:way|env:node_extra_ca_certs
@ registry
escalates user ** ~*enablelua*|*localaccounttokenfilterpolicy*
widens network ** ~*fdenytsconnections*|*terminal*server*|*userauthentication*|*allowinsecureguestauth*|*localaccounttokenfilterpolicy*
|*winrm*|*allowunencrypted*|*trustedhosts*
widens trust ** ~*systemcertificates*
@ registry-removal
stops machine ** ~hklm|hklm:|hklm:\|hklm\system*|hklm:\system*|hklm\sam*|hklm:\sam*|hklm\security*|hklm:\security*|hklm\software
|hklm:\software|hklm:\software\|hklm\software\microsoft*|hklm:\software\microsoft*|hkcu|hkcu:|hkcu:\|hkcu\software|hkcu:\software
|hkcu:\software\|hkcr*|hku|hku:|hkcu\software\microsoft|hkcu:\software\microsoft|hkey_local_machine|hkey_local_machine\s*
|hkey_classes_root*|registry::hkey_local_machine*
`

// windowsGuards are what protects Windows and tells later what was done.
const windowsGuards = `
@ wevtutil
stops guard cl|clear-log|sl|set-log|um|uninstall-manifest
@ clear-eventlog remove-eventlog clear-history limit-eventlog
stops guard **
@ set-psreadlineoption
stops guard ** ~savenothing
@ set-mppreference add-mppreference remove-mpthreat
stops guard **
@ mpcmdrun
stops guard -removedefinitions
stops guard ** ~-removedefinitions|-restore|/removedefinitions|-disable*
@ netsh
stops guard advfirewall|firewall ** ~off|disable|mode=disable
stops guard advfirewall|firewall reset
stops guard advfirewall|firewall ** ~delete
widens network advfirewall|firewall ** ~add
widens network advfirewall|firewall ** ~*allow*
widens network interface portproxy add
widens trust winhttp ** ~set|import
widens trust interface ** ~dns|dnsservers ~set|add
@ set-netfirewallprofile disable-netfirewallrule remove-netfirewallrule set-netfirewallsetting
stops guard **
@ set-netfirewallrule
stops guard ** ~false|disable
widens network ** ~allow|any
@ new-netfirewallrule enable-netfirewallrule copy-netfirewallrule
widens network **
@ set-item si
widens network ~wsman:*
@ winrm
widens network quickconfig|qc|set|s|create|invoke
@ vssadmin
stops guard delete|resize
@ diskshadow
stops guard **
@ wbadmin
stops guard delete|disable
@ bcdedit
none - /enum|/?|-enum|/export
stops guard ** ~/set|-set|/delete|-delete|/deletevalue|-deletevalue|/import|/bootsequence|/default|/timeout|/debug|/bootdebug|/dbgsettings
stops guard ~/set|-set|/delete|-delete|/deletevalue|/import
@ bcdboot bootsect bootrec
stops guard **
@ reagentc
stops guard /disable|-disable
stops guard ~/disable|-disable
@ auditpol
stops guard ~/set|/clear|/remove|/restore|/resourcesacl
@ fltmc
stops guard unload|detach
@ sysmon sysmon64
stops guard ~-u|/u|-c|/c
@ logman
stops guard stop|delete|update
@ fsutil
none - fsinfo|volume|query*
stops guard usn deletejournal
stops guard behavior set
@ remove-ciminstance remove-wmiobject
stops guard **
@ dism
none - ~/get-*|/check*|/scan*|/restorehealth|/cleanup-image
stops guard ** ~/disable-feature|/remove-* ~*defender*|*:*defender*
stops guard ~/disable-feature|-disable-feature ~*defender*
@ disable-computerrestore disable-bitlocker disable-bitlockerautounlock suspend-bitlocker remove-bitlockerkeyprotector disable-localuser
+ clear-tpm disable-tpm* set-smbserverconfiguration set-smbclientconfiguration disable-netipsec* remove-netipsec* remove-cipolicy*
+ set-processmitigation remove-etwtrace* stop-etwtrace*
stops guard **
@ disable-windowsoptionalfeature uninstall-windowsfeature remove-windowsfeature
stops guard **
@ manage-bde
stops guard -off
stops guard ** ~-off|-protectors|-pause
@ set-executionpolicy
none - ~process
widens trust ** bypass|unrestricted|remotesigned
widens trust bypass|unrestricted
@ set-applockerpolicy set-cipolicy*
stops guard **
`

// windowsFetched are programs of Windows that run what an address gives. certutil and bitsadmin are no clients that people use to load
// files: who fetches a program by them means to run it.
const windowsFetched = `
@ regsvr32 mshta rundll32 cscript wscript installutil regasm regsvcs hh ieexec presentationhost msxsl odbcconf xwizard
+ appinstaller winget add-appxpackage add-appxprovisionedpackage import-module ipmo add-type cmstp
runs_fetched * ** ~*http://*|*https://*|javascript:*|vbscript:*|*script:http*|\\*\*
@ msiexec
runs_fetched * ** ~http://*|https://*|/i*http*|/package*http*|\\*\*.ms*
@ certutil
runs_fetched *? ** ~-urlcache|/urlcache|-verifyctl|/verifyctl|-url|/url ~http*://*|ftp://*
@ bitsadmin
runs_fetched *? ** ~http*://*.exe|http*://*.dll|http*://*.ps1|http*://*.bat|http*://*.cmd|http*://*.vbs|http*://*.js|http*://*.hta
|http*://*.msi|http*://*.scr|http*://*.sct|http*://*.jar
@ desktopimgdownldr certoc ftp imewdbld configsecuritypolicy
runs_fetched *? ** ~*http://*|*https://*
`
