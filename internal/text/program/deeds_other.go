package program

const dataDeeds = `
@ dropdb dropuser
local default -h|--host
deletes_remote database **
@ mysqladmin
local default -h|--host
deletes_remote database drop|flush-*|shutdown|kill
stops service shutdown
@ redis-cli valkey-cli keydb-cli
local default -h|-u
deletes_remote database ** flushall|flushdb|del|unlink
deletes_remote database ** cluster|script reset|flush
stops service ** shutdown
stops guard ** config set
@ kafka-topics kafka-topics.sh
deletes_remote message ** --delete
@ kafka-consumer-groups kafka-consumer-groups.sh
deletes_remote message ** --delete|--reset-offsets --execute
deletes_remote message ** --delete|--delete-offsets
@ kafka-delete-records kafka-delete-records.sh kafka-storage kafka-storage.sh
deletes_remote message **
@ kafka-configs kafka-configs.sh
deletes_remote message ** --alter ~*retention*
@ kafka-acls kafka-acls.sh
widens role ** --add
@ kcat kafkacat :btpPCLkKGDoXqF
publishes message -P
publishes message ** -P
@ kafka-console-producer kafka-console-producer.sh
publishes message **
@ rpk
deletes_remote message ** %delete
publishes message topic produce
@ rabbitmqctl rabbitmqadmin rabbitmq-diagnostics
deletes_remote message purge_queue|delete_queue|delete|purge|delete_vhost|reset|force_reset|delete_user|forget_cluster_node|delete_*
deletes_remote message ** delete|purge
stops service stop|stop_app|shutdown|close_all_connections|close_connection
widens role set_permissions|set_user_tags|add_user|set_topic_permissions
publishes message publish
@ nats
deletes_remote message stream|kv|object|consumer rm|del|purge|delete|rmm
deletes_remote message ** purge|rm|del
publishes message pub|publish|request
@ pulsar-admin
deletes_remote message ** delete|unload|expire-messages*|clear-backlog|terminate|skip-*
widens role ** grant-permission
@ mosquitto_pub
publishes message **
@ celery
deletes_remote message ** purge
stops service control shutdown
@ mongodump
none - **
@ mongorestore
deletes_remote database ** --drop
@ pg_restore
deletes_remote database ** --clean|-c
@ etcdctl
deletes_remote database del
deletes_remote database ** del
deletes_remote cluster member|user|role|auth remove|delete|disable
@ zkcli zkcli.sh
deletes_remote database delete|deleteall|rmr
@ elasticdump curator es-curator
deletes_remote database ** delete_indices|delete*
@ sendmail mail mailx mutt msmtp swaks ssmtp s-nail neomutt exim himalaya sendemail
publishes message **
@ slack slackcat notify-send-slack slacktee telegram-send discord.sh ntfy apprise pushover tweet twurl toot
publishes message **
`

const scheduleDeeds = `
@raw at batch
none - -l|-c|-V
stops service -d|-r
persists timer **
persists timer $
@ atrm
stops service **
@raw systemd-run
persists timer ~--on-*|--timer-property*
persists service ** !--scope|--wait|--pty|-t|--pipe|-P
@ loginctl
persists service enable-linger
stops process terminate-*|kill-*
@ update-alternatives
persists hook --set|--install
@ claude
persists agent mcp add|add-json|add-from-claude-desktop|remove
persists agent config set|add|remove
persists agent plugin|plugins install|marketplace|enable
persists agent --dangerously-skip-permissions
persists agent ** --dangerously-skip-permissions|--allow-dangerously-skip-permissions
@ codex gemini opencode cursor-agent amp goose aider qwen copilot droid
persists agent mcp add|remove|add-json
persists agent extensions install|enable|link
persists agent ** --yolo|--dangerously-bypass-approvals-and-sandbox|--full-auto|--allow-all-tools|--yes-always|--dangerously-allow-all
persists agent ** --approval-mode|--approval-policy|-a|--ask-for-approval=yolo|never
@ cursor-agent
persists agent ** --force|-f
`

const uploadDeeds = `
@ scp sftp pscp psftp
sends file ** >up
@ nc ncat netcat nc.traditional nc.openbsd :ecgGimoOpqsTwWxXIP
@ logger
sends file ** -f|--file -n|--server
@ rsync
none - ~--dry-run|--list-only
sends file ** >up
deletes_remote cloud ** --delete|--delete-after|--delete-before|--delete-during|--delete-delay|--delete-excluded
|--del >up
@ croc wormhole magic-wormhole ffsend transfer sendme portal
sends file send|upload|s
@ wormhole croc
sends file **
@ pastebinit gist wgetpaste ix dpaste sprunge hastebin haste termbin ptpb bpaste
sends file **
sends file $
@ dropbox_uploader.sh gdrive skicka onedrive megaput mega-put curlftpfs ipfs filebrowser
sends file upload|add|put|push|files
sends file **
@ lftp ncftpput ftp-upload tnftp
sends file ** ~*put*|*mirror*-r*
@ huggingface-cli hf kaggle wandb dvc mlflow
sends file upload|upload-large-folder|push|sync|create
sends file datasets|models|kernels ** 
@ send-mailmessage
sends file ** ~-attachments
publishes message **
@ bitsadmin
sends file ** ~/upload
@ certreq
sends file ** ~-post|/post
@ set-azstorageblobcontent set-azstoragefilecontent write-s3object new-gcsobject write-gcsobject import-azdatalakestoreitem
+ new-azdatalakegen2item add-pnpfile new-azurestorageblob add-azurermvhd
sends file **
@ ncftpput
sends file **
@ smbclient tftp
sends file ** ~*put*
@ mail mailx mutt swaks s-nail neomutt :asubceFH
sends file -a|-A|--attach|--attachment
sends file **
@ sendmail msmtp ssmtp
sends file **
@ restic borg duplicity kopia
deletes_remote bucket forget|prune|delete|purge|remove-*
deletes_remote bucket key|snapshot|repository|policy|cache ** delete|remove|expire|destroy
sends file backup|create|snapshot|full|incr|copy ~*:*
@ duplicity
sends file ** ~*://* !~file://*|restore|verify|list-*|collection-status|cleanup
@ duplicacy attic bupstash rdiff-backup tarsnap rustic
sends file backup|put|create|-c ~*:*
sends file backup
@ unison osync lsyncd rsnapshot
sends file ** ~ssh://*|socket://*
@ adb
sends file push
@ telegram-send
sends file ** -f|--file
@ slackcat
sends file **
@ iodine iodined dns2tcp dns2tcpc dns2tcpd ptunnel ptunnel-ng hans icmptunnel udptunnel stunnel4-client htc hts ligolo-ng ligolo-agent
+ rathole frps gost revsocks rpivot sish
none - version|help
widens network **
widens network $
@ ngrok cloudflared localtunnel lt bore frpc serveo zrok tunnelmole expose devtunnel pagekite chisel inlets
none - version|help|config|update|completion|authtoken
widens network **
`

const trustDeeds = `
@ sed gsed perl sd
widens trust ** ~*registry.npmjs.org*|*registry.yarnpkg.com*|*pypi.org*|*files.pythonhosted.org*|*crates.io*|*rubygems.org*
|*proxy.golang.org*|*repo.maven.apache.org*|*repo1.maven.org*|*packagist.org*|*nuget.org*
+ ~*package-lock.json|*yarn.lock|*pnpm-lock.yaml|*poetry.lock|*uv.lock
|*pdm.lock|*pipfile.lock|*cargo.lock|*gemfile.lock|*go.sum|*composer.lock|*packages.lock.json|*.npmrc|*npm-shrinkwrap.json|*bun.lock
@ ssh autossh
widens network -w=*
widens network -D|-L=0.0.0.0:*|[::]:*
@ msfvenom msfconsole msfrpcd veil sliver-client
runs_fetched * **
@ psql
widens role ** ~*alter*role*superuser*|*alter*user*superuser*|*create*role*superuser*|*create*user*superuser*
@ createuser
widens role ** -s|--superuser
@ curl
widens trust -k|--insecure|--proxy-insecure|--doh-insecure
@ wget wget2
widens trust --no-check-certificate
widens trust ** --no-check-certificate
widens trust --no-hsts
@ http https xh xhs
widens trust ** --verify=no|false
@ ssh scp sftp rsync
widens trust ** -o=stricthostkeychecking*no*|userknownhostsfile*/dev/null*|stricthostkeychecking*off*
@ kubectl helm
widens trust ** --insecure-skip-tls-verify|--kube-insecure-skip-tls-verify|--insecure-skip-tls-verify-backend
@ docker podman
widens trust ** --tls-verify=false
@ argocd
widens trust ** --insecure
`
