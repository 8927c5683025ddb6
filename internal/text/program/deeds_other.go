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
@ kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-delete-records
+ kafka-delete-records.sh
local - --bootstrap-server
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
@ rabbitmqadmin :HPupVNckf
local default -H|--host
@ rabbitmqctl rabbitmq-diagnostics :nptl
local - -n|--node
@ rabbitmqctl rabbitmqadmin rabbitmq-diagnostics
deletes_remote message purge_queue|delete_queue|delete|purge|delete_vhost|reset|force_reset|delete_user|forget_cluster_node|delete_*
deletes_remote message ** delete|purge
stops service stop|stop_app|shutdown|close_all_connections|close_connection
widens role set_permissions|set_user_tags|add_user|set_topic_permissions
publishes message publish
@ nats :s
local - -s|--server
@ pulsar-admin
local default --admin-url
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
@ memcflush memcrm
local default --servers
deletes_remote database **
deletes_remote database $
@ memcached-tool
deletes_remote database *.* flush_all
@ nodetool :hpu
local default -h|--host
deletes_remote database decommission|assassinate|removenode|truncatehints|clearsnapshot|drain|stopdaemon
@ ldapdelete ldapmodify ldapadd ldapmodrdn ldappasswd :HhDwWbfpyY
local - -H|-h
deletes_remote database ** -H|-h=*
@ databricks
deletes_remote cloud ** %delete
deletes_remote cloud ** permanent-delete
@ patronictl
deletes_remote database failover|reinit|remove|switchover
@ pgbackrest
deletes_remote database stanza-delete|expire
@ barman wal-g
deletes_remote database delete **
@ pt-archiver
deletes_remote database ** --purge !--dry-run
@ pt-online-schema-change gh-ost
deletes_remote database ** --execute
@ temporal tctl cadence
deletes_remote cloud workflow|wf|schedule|operator|namespace terminate|delete|reset|cancel
@ prefect dagster airflow dbt
deletes_remote cloud ** %delete
@ arangosh
deletes_remote database ** ~*_dropdatabase*|*._drop(*|*.truncate(*|*dropview*
@ rq
deletes_remote message empty
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
persists agent ** --permission-mode=bypass*|dontask
persists agent ** --allowedtools|--allowed-tools=bash|*,bash|bash,*
@ codex gemini opencode cursor-agent amp goose aider qwen copilot droid crush
persists agent mcp add|remove|add-json
persists agent extensions install|enable|link
@ claude codex gemini opencode cursor-agent amp goose aider qwen copilot droid crush cline kiro kiro-cli q amazonq auggie rovodev acli
+ openhands vibe mistral-vibe plandex pdx interpreter continue cn cody codebuff roo kilo kilocode iflow kimi forge trae-cli swe-agent
+ warp gptme llm-agent devin sgpt mentat tabby cagent
persists agent ** --yolo|--dangerously-bypass-approvals-and-sandbox|--full-auto|--allow-all-tools|--yes-always|--dangerously-allow-all
persists agent ** --dangerously-skip-permissions|--allow-dangerously-skip-permissions|--skip-permissions-unsafe|--trust-all-tools
persists agent ** --always-approve|--auto-approve|--auto_run|--auto-run|--approve-mcps|--no-interaction|--allow-all|--approve-all
persists agent ** --approval-mode|--approval-policy|-a|--ask-for-approval|--mode=yolo|never|auto_edit|full-auto|bypass*|full-access
persists agent ** -s|--sandbox|--sandbox-mode|--auto=danger-full-access|high|off|none
persists agent ** -c|--config=*approval_policy*never*|*sandbox_mode*danger*|*bypass*|*yolo*|*auto_approve*
persists agent ** --allow-tool|--allowed-tools|--permission=shell|run_shell_command|bash|execute|*:allow
@ cursor-agent
persists agent ** --force|-f
@ gemini qwen crush interpreter goose iflow
persists agent -y
persists agent ** -y
`

const uploadDeeds = `
@ scp sftp pscp psftp
sends file ** >up
@ nc ncat netcat nc.traditional nc.openbsd :ecgGimoOpqsTwWxXIP
@ aws
sends file? * invoke*|send-*|publish*|put-item|put-record*|put-events|put-object ** ~file://*|fileb://*
@ gh
sends file? workflow run ** -f|-F|--field|--raw-field|--json
sends file? variable set
sends file? api ** ~*=@*
@ kubectl oc
sends file? cp ** ~*:/*|*:.
@ kcat kafkacat
sends file -P
@ ftp tnftp
sends file -u
@ mpack sendemail smtp-cli mutt neomutt s-nail
sends file? **
@ wrangler
sends file? kv|kv:key|r2 ** put
@ firebase
sends file? deploy --public
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
@ git
sends file? lfs push
sends file? annex copy|move|sync|assist|export --to|--content|-C
sends file? annex export|push
@ wandb
sends file artifact put
@ mlflow
sends file artifacts log-artifact|log-artifacts
@ clearml-data
sends file add|sync|upload|close
@ neptune aim comet roboflow labelbox clearml zenodo figshare dagshub osf
sends file sync|upload|push|offline
@ tensorboard
sends file dev upload
@ lakectl
sends file fs|local upload|commit
@ pachctl
sends file put file
@ databricks
sends file fs cp|mv >up
sends file workspace import|import-dir|import_dir|upload
@ modal
sends file volume|nfs put
@ oras regctl
sends file push|artifact
@ dolt
sends file? push
@ restic
sends file? backup -r|--repo
@ sentry-cli
sends file sourcemaps|debug-files|dif|releases ** upload|upload-sourcemaps|files
@ bugsnag-cli datadog-ci
sends file ** upload
sends file upload
@ codecov codecovcli coveralls
sends file? ** -f|--file|-C
sends file? upload-process|do-upload|upload-coverage
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
@ kioclient kioclient5 gvfs-copy gvfs-move
sends file ** >up
@ ftpput
sends file **
@ tftp
sends file ** -p
@ ftp
sends file ** -u
@ hping3 nping
sends file ** -E|--file|--data-string
@ signal-cli matrix-commander sendxmpp mpack email onionshare onionshare-cli asciinema dropbox
none - rec|play|status|start|stop|receive|register|verify
sends file **
@ bup
sends file save -r|--remote
@ tarsnap
sends file ** -c
deletes_remote bucket ** -d|--nuke
@ rdiff-backup
deletes_remote bucket ** --remove-older-than
@ bupstash duplicati-cli
deletes_remote bucket rm|delete|gc
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
@ node nodejs tsx ts-node bun deno
widens network ** --inspect|--inspect-brk|--inspect-wait=0.0.0.0*|[::]*|::*
@ dockerd containerd
widens network ** -H|--host=tcp://0.0.0.0*|tcp://[::]*|tcp://:*
@ jupyter jupyter-lab jupyter-notebook jupyter-server
widens network ** --ip=0.0.0.0|*|:: ~*.token=|*.password=|*.allow_origin=*
@ code-server openvscode-server theia
widens network ** --auth=none
widens network ** --without-connection-token
@ redis-server valkey-server keydb-server
widens network ** --bind=0.0.0.0|*|:: --protected-mode=no
@ mongod
widens network ** --bind_ip_all
widens network ** --bind_ip=0.0.0.0*
@ wssh webssh butterfly.server.py upnpc natpmpc
widens network **
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
