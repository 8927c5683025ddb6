package program

// cmdletDeeds are what the cmdlets of PowerShell do to what they manage. A name that ends with * stands for all names that begin so:
// the modules for clouds and servers have thousands of cmdlets, whose verb and first letters of the noun say what they do.
const cmdletDeeds = `
@ remove-azcontext clear-azcontext disable-azcontextautosave disable-azdatacollection remove-azenvironment clear-azconfig
+ remove-awscredentialprofile clear-awscredential clear-awscredentials clear-awsdefaultconfiguration clear-defaultawsregion
none - **
@ remove-aduser remove-adcomputer remove-adgroup* remove-adobject remove-adorganizationalunit remove-adservice* remove-adreplication*
+ remove-adfine* remove-adcentral* remove-adresource* remove-adauthentication* remove-adclaim* remove-adprincipal* remove-addomain*
+ remove-adfs* remove-adms* uninstall-adds* uninstall-adserviceaccount remove-az* remove-mg* remove-msol* remove-entra* clear-az*
+ uninstall-az* revoke-az* revoke-mg* revoke-entra* reset-az* disable-az* disable-mg* dsrm
deletes_remote cloud **
@ remove-acm* remove-apig* remove-asauto* remove-bak* remove-cfdist* remove-cfn* remove-cgip* remove-cttrail remove-cw* remove-ddb*
+ remove-dms* remove-eb* remove-ec2* remove-eccache* remove-ecr* remove-ecs* remove-efs* remove-eks* remove-elb* remove-emr* remove-esdomain
+ remove-evb* remove-fsx* remove-glue* remove-iam* remove-iot* remove-kinstream remove-kms* remove-lmfunction* remove-lmlayer*
+ remove-org* remove-r53* remove-rds* remove-route53* remove-rscluster* remove-secsecret remove-sfn* remove-sns* remove-sqs* remove-ssm*
+ remove-waf* clear-sqsqueue disable-kmskey request-kmskeydeletion remove-secret
deletes_remote cloud **
@ remove-gce* remove-gcsql* remove-gcd* remove-gck* remove-gcp* remove-bq* remove-oci* remove-cloudflare* remove-github* remove-vsteam*
+ remove-ado* remove-jira* remove-confluence* remove-octopus*
deletes_remote cloud **
@ remove-s3* remove-gcs*
deletes_remote bucket **
@ remove-kube* remove-k8s*
deletes_remote cluster **
@ remove-sql* remove-dba* remove-mongodb* remove-mdbc* remove-mysql*
deletes_remote database **
@ remove-mailbox* remove-mailuser remove-mailcontact remove-distributiongroup* remove-dynamicdistribution* remove-unifiedgroup*
+ remove-transport* remove-journalrule remove-retention* remove-compliance* remove-exchange* remove-publicfolder* remove-accepteddomain
+ remove-inboundconnector remove-outboundconnector remove-ediscovery* remove-organization* remove-storemailbox disable-mailbox
+ disable-mailuser disable-distributiongroup disable-journalrule disable-transportrule disable-remotemailbox remove-remotemailbox
+ remove-team remove-teamuser remove-teamchannel* remove-csonline* remove-csuser* remove-spsite* remove-spweb* remove-splist remove-spuser
+ remove-spo* remove-pnp* remove-adminpower* remove-powerbi* remove-crm* remove-cmcollection* remove-cmdevice* remove-cmuser*
+ remove-cmapplication* remove-cmdeployment* remove-cmpackage* remove-intune* remove-devicemanagement* remove-wsus* remove-dpm*
+ remove-rdsession* remove-rdserver remove-rdvirtual* remove-broker* remove-provscheme remove-veeam* remove-vbr* remove-rubrik*
deletes_remote cloud **
@ search-mailbox new-compliancesearchaction
deletes_remote message ** -deletecontent
deletes_remote message ** ~-purge
@ remove-vm* remove-vhd* remove-scvm* remove-scvirtual* remove-datastore* remove-vapp* remove-vipermission remove-resourcepool
+ remove-datacenter remove-harddisk remove-snapshot restore-vmsnapshot restore-vmcheckpoint remove-cluster* remove-virtualswitch
+ remove-virtualportgroup remove-hnsnetwork
deletes_remote cloud **
@ remove-gpo remove-gplink remove-gpregistryvalue remove-gpprefregistryvalue remove-dnsserver* remove-dhcpserver* remove-dfs*
+ remove-smbshare remove-iscsi* remove-nfsshare remove-fsrm* remove-website remove-webapp* remove-webbinding remove-webvirtualdirectory
+ remove-iis* remove-printer remove-wdsclient remove-vpnconnection remove-ipam* remove-catemplate remove-cacrl* remove-netip*
+ remove-netroute remove-netnat* remove-netlbfo* remove-netadapter* disable-netadapter uninstall-windowsfeature remove-windowsfeature
+ remove-windowscapability remove-computer
deletes_remote cloud **
@ stop-vm
stops machine ** -turnoff
stops machine ** ~-turno*
@ stop-azvm stop-az* restart-azvm stop-ec2* restart-ec2* stop-rds* stop-gce* stop-computer stop-vmguest stop-vmhost restart-vmhost
+ stop-scvirtualmachine stop-cluster stop-clusternode suspend-clusternode stop-ecs*
stops machine **
@ new-azroleassignment new-azroledefinition set-azroledefinition set-azkeyvaultaccesspolicy new-mgrole* new-mgdirectoryrole*
+ new-mggroupmember* new-mgserviceprincipalapprole* new-mgoauth2permissiongrant* add-msolrolemember add-azureaddirectoryrolemember
+ add-azureadgroupmember new-azureadserviceapproleassignment add-entradirectoryrolemember add-entragroupmember
+ add-mgapplicationpassword add-mgserviceprincipalpassword new-azadappcredential new-azadspcredential
+ add-iamuser* register-iam* write-iam* set-iam* new-iamaccesskey update-iam* write-s3bucketpolicy set-s3acl remove-s3publicaccessblock
+ add-lmpermission write-kmskeypolicy edit-ec2imageattribute edit-ec2snapshotattribute
+ add-mailboxpermission add-recipientpermission add-mailboxfolderpermission add-adpermission new-managementroleassignment
+ add-rolegroupmember add-publicfolderclientpermission set-spouser add-spouser set-sposite set-spotenant add-pnp*member*
+ grant-pnp* set-pnptenant set-pnpsite grant-sp* set-aduser set-adobject set-adgroup set-adcomputer set-addomain set-adforest
+ set-addefaultdomainpasswordpolicy set-adfinegrainedpasswordpolicy set-adserviceaccount set-gppermission set-gppermissions
+ set-gpregistryvalue new-gplink set-gplink import-gpo restore-gpo dsmod dsacls
widens role **
@ new-azpublicipaddress add-aznetworksecurityruleconfig set-aznetworksecurityruleconfig grant-ec2securitygroupingress
+ new-azsqlserverfirewallrule set-azstorageaccountnetworkrule enable-psremoting enable-wsmancredssp set-wsmanquickconfig
+ enable-netfirewallrule add-vmnetworkadapteracl new-netnat add-netnatstaticmapping set-netconnectionprofile
widens network **
@ grant-smbshareaccess new-smbshare unblock-smbshareaccess grant-fileshareaccess new-nfsshare grant-nfssharepermission
widens file **
@ publish-module publish-script publish-psresource
publishes package **
@ set-wsmaninstance
widens network **
@ set-mailbox set-mailuser
widens visibility ** ~-forward*|-deliverto*
@ new-inboxrule set-inboxrule new-transportrule set-transportrule new-journalrule new-outboundconnector new-remotedomain
widens visibility ** ~-forward*|-redirect*|-blindcopyto|-copyto|-addtorecipients|-journal*|-smarthosts|-autoforwardenabled
@ new-localuser add-localgroupmember set-localuser enable-localuser remove-localuser remove-localgroup* new-localgroup rename-localuser
+ new-aduser new-adcomputer new-adserviceaccount add-adgroupmember add-adprincipalgroupmembership set-adaccountpassword
+ set-adaccountcontrol enable-adaccount disable-adaccount unlock-adaccount reset-adserviceaccountpassword install-adserviceaccount
+ set-adaccountexpiration clear-adaccountexpiration new-msoluser set-msoluserpassword new-azureaduser set-azureaduserpassword
+ new-mguser update-mguserpassword reset-mguserauthenticationmethodpassword new-mginvitation new-azureadmsinvitation new-iamuser
+ set-azureaduser* new-dbalogin add-dbaserverrolemember add-sqllogin dsadd netdom ntrights secedit
escalates account **
`
