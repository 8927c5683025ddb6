package program

const awsDeeds = `
@ aws
local - --endpoint-url
deletes_remote bucket s3 rm|rb
deletes_remote bucket s3 sync --delete
deletes_remote bucket s3 mv s3://*
deletes_remote bucket s3api delete-*
deletes_remote bucket s3api put-bucket-lifecycle*|put-object-lock*|put-bucket-versioning ~*expiration*|*suspended*
deletes_remote database rds|dynamodb|redshift*|docdb|neptune|elasticache|memorydb|timestream*|keyspaces|dax|opensearch|es %delete
deletes_remote registry ecr|ecr-public|codeartifact %delete
deletes_remote repository codecommit %delete
deletes_remote message sqs|sns|kinesis|mq|kafka|events|firehose %delete
deletes_remote message sqs purge-queue
deletes_remote cluster eks|ecs %delete
deletes_remote cloud * %delete
deletes_remote cloud * schedule-key-deletion|release-*|disable-key|dispose-*|reset-*|batch-delete*|delete*|cancel-*|close-account
deletes_remote cloud route53 change-resource-record-sets
deletes_remote cloud route53domains transfer-*|retire-*|disable-*
deletes_remote cloud autoscaling update-auto-scaling-group --desired-capacity|--max-size=0
deletes_remote cloud ec2 modify-instance-attribute --no-disable-api-termination
deletes_remote cloud ssm send-command ~*rm*-rf*|*rm*-fr*|*mkfs*|*shutdown*|*dd*of=/dev/*|*curl*sh*
widens role rds modify-db-* --master-user-password
deletes_remote cloud * forget-*|expire-*|leave-organization|empty-*|cancel-key-deletion
deletes_remote database dynamodb batch-write-item ~*deleterequest*
deletes_remote database dynamodb update-continuous-backups ~*pointintimerecoveryenabled=false*
deletes_remote database rds modify-db-* --backup-retention-period=0
deletes_remote database rds modify-db-* --no-deletion-protection
widens role iam put-*-policy|attach-*-policy|add-user-to-group|create-access-key|create-login-profile|update-login-profile
widens role iam create-policy-version|set-default-policy-version|update-assume-role-policy|create-user|add-role-to-instance-profile
widens role iam delete-*-permissions-boundary|deactivate-mfa-device|create-service-specific-credential|upload-ssh-public-key
widens role sso-admin|identitystore create-account-assignment|create-group-membership|attach-*
widens role lambda|sns|sqs|ecr|kms|secretsmanager add-permission|set-repository-policy|put-key-policy|put-resource-policy|create-grant
widens role organizations detach-policy|disable-policy-type|attach-policy
widens role ram create-resource-share|associate-resource-share
widens visibility s3api put-bucket-acl|put-object-acl|create-bucket --acl=public*|authenticated-read
widens visibility s3api put-bucket-acl|put-object-acl ~*allusers*|*authenticatedusers*
widens visibility s3api put-bucket-policy|delete-public-access-block|put-bucket-website|put-bucket-ownership-controls
widens visibility s3api|s3control put-public-access-block ~*false*
widens visibility s3control delete-public-access-block
widens visibility s3 cp|sync|mv --acl=public*
widens visibility s3 website
widens visibility ec2 modify-image-attribute|modify-snapshot-attribute ~*all*|*launch-permission*|*create-volume-permission*
widens visibility ec2 modify-image-attribute|modify-snapshot-attribute|modify-fpga-image-attribute ~add|add-*
widens visibility rds modify-db-snapshot-attribute|modify-db-cluster-snapshot-attribute --values-to-add
widens role s3control create-access-grant*|put-access-point-policy
widens role iam create-virtual-mfa-device|update-access-key|create-saml-provider|create-open-id-connect-provider|create-role
widens role cognito-idp admin-add-user-to-group|admin-create-user|admin-set-user-password
widens visibility rds modify-db-snapshot-attribute|modify-db-cluster-snapshot-attribute ~*all*
widens visibility rds modify-db-instance|create-db-instance|modify-db-cluster --publicly-accessible
widens visibility lambda create-function-url-config ~*none*
widens visibility ecr-public create-repository
widens network ec2 authorize-security-group-* ~*0.0.0.0/0*|*::/0*
widens network ec2 authorize-security-group-ingress
widens network ec2 create-network-acl-entry|replace-network-acl-entry ~*0.0.0.0/0*|*::/0*
widens network ec2 associate-address|attach-internet-gateway
widens network eks update-cluster-config ~*endpointpublicaccess=true*|*publicaccesscidrs*0.0.0.0/0*
stops guard s3api put-bucket-logging ~*{}*
stops guard s3api delete-bucket-encryption|delete-bucket-policy
stops guard cloudtrail stop-logging|delete-trail|update-trail|put-event-selectors
stops guard guardduty delete-*|disassociate-*|stop-monitoring-members|archive-findings
stops guard guardduty update-detector --no-enable
stops guard securityhub|macie2|inspector2|access-analyzer|detective|shield|wafv2|waf|network-firewall disable*|delete-*|disassociate-*
stops guard configservice stop-configuration-recorder|delete-*
stops guard ec2 delete-flow-logs
stops guard logs delete-log-*|delete-retention-policy|put-retention-policy
stops guard cloudwatch delete-alarms|disable-alarm-actions
stops guard kms disable-key*
stops machine ec2 stop-instances|reboot-instances|terminate-instances|hibernate-instances
stops service rds stop-db-*|reboot-db-*
stops service ecs stop-task|update-service --desired-count=0
stops service ecs stop-task
stops service autoscaling suspend-processes
stops service * stop-*
stops guard * disable-*
publishes message sns publish*
publishes message ses|sesv2 send-*
publishes message sqs send-message*
publishes message pinpoint* send-*
publishes package codeartifact publish-package-version
publishes page amplify start-deployment|create-deployment
publishes page cloudfront create-invalidation
sends file s3 cp|mv|sync >up
sends file s3api put-object
sends file * --cli-input-json=file:*|fileb:*
escalates account sts assume-role*
escalates container ecs run-task|register-task-definition ~*privileged*true*
persists key ec2 import-key-pair
persists key ec2-instance-connect send-ssh-public-key
`

const cloudDeeds = `
@ gcloud
none - config **
none - auth revoke
none - components **
none - topic **
deletes_remote bucket storage|alpha|beta rm
deletes_remote bucket storage|alpha|beta buckets|objects|managed-folders delete
deletes_remote bucket storage rsync --delete-unmatched-destination-objects
deletes_remote database sql|spanner|bigtable|firestore|redis|memcache|alloydb|datastore ** %delete
deletes_remote database sql instances restore-backup|reset-ssl-config
deletes_remote database sql instances patch --no-deletion-protection
deletes_remote registry artifacts|container ** images|docker|packages|repositories ** delete
deletes_remote message pubsub ** delete
deletes_remote message pubsub subscriptions seek
deletes_remote cluster container clusters|node-pools delete
deletes_remote cluster container clusters resize --num-nodes=0
deletes_remote repository source repos delete
deletes_remote cloud ** %delete
deletes_remote cloud ** versions destroy
deletes_remote cloud ** billing projects unlink
widens role ** add-iam-policy-binding|set-iam-policy
widens role iam roles create|update
widens role iam service-accounts keys create|upload
widens role iam workload-identity-pools ** create*
widens visibility compute images|snapshots|disks add-iam-policy-binding
widens role ** service-accounts create
widens visibility ** add-iam-policy-binding|set-iam-policy ~*allusers*|*allauthenticatedusers*
widens visibility storage ** --predefined-acl=public*
widens visibility storage buckets update --no-public-access-prevention|--no-uniform-bucket-level-access
widens visibility run|functions deploy --allow-unauthenticated
widens visibility functions|run ** --allow-unauthenticated
widens visibility sql instances patch|create --authorized-networks=*0.0.0.0/0*|--assign-ip
widens network compute firewall-rules create|update ~*0.0.0.0/0*
widens network compute firewall-rules create --allow=*
widens network container clusters update --no-enable-master-authorized-networks
widens network app firewall-rules ** ~*allow*
stops machine compute instances stop|reset|suspend
stops service ** services disable
stops service ** stop|pause|suspend|disable|abandon-instances
stops guard logging settings update ~--disable-*
stops guard logging sinks|buckets|metrics|logs delete|update
stops guard ** --no-enable-logging|--no-enable-flow-logs
stops guard org-policies|resource-manager ** disable-enforce|delete|reset
publishes message pubsub topics publish
publishes page app deploy
sends file storage cp|mv|rsync >up
sends file compute scp >up
persists key compute ** add-metadata ~*ssh-keys*|*startup-script*
persists service compute ** --metadata-from-file=*startup-script*
@ gsutil :hojpq
deletes_remote bucket rm|rb
deletes_remote bucket rsync -d
deletes_remote bucket mv gs://*
deletes_remote bucket lifecycle|retention|versioning set|clear|off
widens visibility acl|defacl|iam set|ch ~*public*|*allusers*|*authenticated*
widens role iam ch|set
sends file cp|mv|rsync >up
@ bq
deletes_remote database rm
deletes_remote database rm -f|--force
deletes_remote database update --expiration=*|--default_table_expiration=*
deletes_remote database query ~*drop*table*|*drop*schema*|*delete*from*|*truncate*
widens role add-iam-policy-binding
widens visibility update --source
sends file extract >up
@ az
none - config|configure|account|extension|cache|ad-hoc **
deletes_remote bucket storage ** %delete
deletes_remote bucket storage ** delete-batch|remove
deletes_remote bucket storage ** sync --delete-destination=true
deletes_remote database sql|postgres|mysql|mariadb|cosmosdb|redis|kusto|synapse ** %delete
deletes_remote database postgres|mysql|sql ** reset|restore
deletes_remote database redis flush
deletes_remote registry acr ** %delete
deletes_remote registry acr purge|run ~*purge*
deletes_remote cluster aks ** %delete
deletes_remote repository repos|devops ** %delete
deletes_remote message servicebus|eventhubs|eventgrid ** %delete
deletes_remote cloud ** %delete
deletes_remote cloud ** purge
deletes_remote cloud deployment ** create --mode=complete
widens role role assignment|definition create|update
widens role ad ** create-for-rbac|admin-consent|grant
widens role ad app|sp|user|group ** ~create|add
widens role ad app|sp credential reset|create|list
widens role ad app|sp federated-credential create
widens role ad user update ~--password
widens visibility snapshot|disk|image|sig grant-access|add
widens role storage ** generate-sas
widens role aks get-credentials --admin
widens role keyvault set-policy
widens role sql server ad-admin create
widens visibility storage account update|create --allow-blob-public-access=true
widens visibility storage container|account set-permission|create --public-access=blob|container
widens network network nsg rule create|update ~*0.0.0.0/0*|internet|any
widens network ** firewall-rule|ip-rule create ~*0.0.0.0*
widens network ** --default-action=allow|--public-network-access=enabled
widens network vm open-port
stops machine vm|vmss stop|deallocate|restart|reimage|redeploy|start-stop
stops service ** stop|disable|restart
stops guard monitor ** %delete
stops guard security ** ~*free*|*off*|*disabled*
stops guard lock delete
publishes page webapp|functionapp|staticwebapp ** up|deploy|config-zip
publishes message servicebus|eventhubs ** send
sends file storage ** upload|upload-batch|sync|copy
escalates user vm run-command invoke
@ azcopy
deletes_remote bucket remove|rm
deletes_remote bucket sync --delete-destination
sends file copy|cp|sync >up
@ oci
deletes_remote bucket os ** %delete
deletes_remote database db|mysql|nosql|psql ** %delete
deletes_remote cloud ** %delete
deletes_remote cloud ** schedule-*-deletion|bulk-delete*|empty
widens role iam ** ~create|add-user|update ~*polic*|*group*
widens visibility os bucket update|create --public-access-type=object*
widens network network ** ~*0.0.0.0/0*
stops machine compute instance action ~*stop*|*reset*
sends file os object put|bulk-upload|sync
@ ibmcloud doctl hcloud linode-cli vultr-cli scw civo exo upctl ovhcloud yc aliyun tccli openstack cloudctl ionosctl brightbox packet
+ metal equinix digitalocean
none - auth|config|profile|plugin|completion|context **
deletes_remote bucket cos|obj|object-storage|oss|objects ** %delete
deletes_remote bucket ** object-*-delete|bucket-delete|objects-delete
deletes_remote database databases|db|dbaas|managed-database|rdb|redis|database|managed-* ** %delete
deletes_remote registry registry|cr|container-registry|acr ** %delete
deletes_remote cluster kubernetes|k8s|ks|lke|oke|cluster|container|cs ** %delete
deletes_remote cloud ** %delete
deletes_remote cloud * delete*|terminate*|release*|destroy*|remove*
deletes_remote cloud ** destroy|rebuild|reset|rebuild-*|reinstall
widens role ** policy-create|user-policy-create|service-policy-create|role-add|access-key-create
widens role role add
widens network ** add-rule|rule-add|add-rules|rule|append|create|update|add ~*0.0.0.0/0*|*::/0*
deletes_remote cloud domain|dns|domains ** ~*record*|records ~create|update|set|upsert
widens network security|vpc ** create ~*0.0.0.0/0*
widens visibility ** --acl=public*
stops machine ** shutdown|poweroff|power-off|power-cycle|powercycle|stop|reboot|halt|reset|instance-stop
stops guard firewall|firewalls ** %delete
stops service ** stop|disable|pause
@ s3cmd
deletes_remote bucket rm|del|rb|expire
deletes_remote bucket sync --delete-removed
widens visibility setacl --acl-public
widens visibility put|sync|cp --acl-public|-P
sends file put|sync|cp|mv >up
@ s5cmd
deletes_remote bucket rm|rb
deletes_remote bucket sync --delete
sends file cp|sync|mv >up
@ mc mcli
deletes_remote bucket rm|rb
deletes_remote bucket mirror --remove
deletes_remote bucket ilm|version|retention add|rule|suspend|clear|import
widens visibility anonymous|policy set|set-json public|download|upload
widens role admin policy|user|group attach|add|create
sends file cp|mv|mirror|put|pipe
stops service admin service stop|restart
@ rclone
deletes_remote bucket delete|purge|deletefile|rmdir|rmdirs|cleanup ~*:*
deletes_remote bucket sync|bisync|move|moveto ~*:*
sends file copy|copyto|sync|move|moveto|bisync|rcat|copyurl ~*:*
widens visibility link ~*:*
@ b2
deletes_remote bucket delete-*|rm|bucket|file ~*delete*|rm
deletes_remote bucket sync --delete
sends file upload-file|file|sync
widens visibility update-bucket|create-bucket|bucket ~allpublic
@ swift
deletes_remote bucket delete
sends file upload
widens visibility post --read-acl=*
@ eb
deletes_remote cloud terminate
publishes page deploy
@ copilot ecs-cli eksctl chamber awless saml2aws
deletes_remote cluster cluster|nodegroup|fargateprofile|addon ** delete
deletes_remote cloud ** %delete
deletes_remote cluster delete
deletes_remote cluster down
`

const platformDeeds = `
@ fly flyctl
deletes_remote database postgres|pg|mysql|redis|mpg ** %delete
deletes_remote cloud ** %delete
deletes_remote cloud ** scale count 0
deletes_remote cloud scale count 0
publishes page deploy
publishes page launch
stops machine machine|machines|m stop|kill|cordon|suspend
stops service apps|app suspend|restart
widens role orgs invite
widens role tokens create
@ heroku
deletes_remote database pg:reset|pg:push|pg:restore|pg:copy|pg:promote|pg:killall
deletes_remote database addons:destroy
deletes_remote cloud *:destroy|*:delete|*:remove|*:rm|apps:destroy|*:purge|*:unset
deletes_remote cloud ** %delete
publishes page container:release|releases:rollback|pipelines:promote
publishes image container:push
stops service maintenance:on|ps:stop|ps:kill|ps:scale|ps:restart|dyno:*|drains:remove|features:disable
stops service ps:scale ~*=0*
widens role access:add|members:add|authorizations:create|keys:add|access:update
persists key keys:add
@ vercel vc :At
none - env pull|ls
deletes_remote cloud rm|remove
deletes_remote cloud ** rm|remove
deletes_remote cloud projects|project|domains|dns|env|certs|alias|teams|blob|integration rm|remove|del|delete
publishes page --prod
publishes page --target=production
publishes page promote|rollback|alias|redeploy
publishes page $
publishes page deploy
widens role teams invite
@ netlify ntl
deletes_remote cloud ** %delete
deletes_remote cloud sites:delete|env:unset|blobs:delete
publishes page deploy --prod|--prod-if-unlocked|-p
publishes page deploy
@ wrangler
none - ** --local
deletes_remote bucket r2 ** delete
deletes_remote database d1|kv*|hyperdrive|vectorize ** delete
deletes_remote database d1 ** execute ~*drop*|*delete*from*|*truncate*
deletes_remote database d1 time-travel restore
deletes_remote message queues ** delete
deletes_remote cloud ** %delete
deletes_remote cloud delete
publishes page deploy|publish|rollback
publishes page pages|versions|workers-for-platforms deploy|publish
sends file r2 object put --remote
@ supabase
none - ** --local
deletes_remote database db reset --linked|--db-url
deletes_remote database db push
deletes_remote database migration repair|down|squash --linked|--db-url
deletes_remote cloud projects|functions|secrets|branches|orgs|storage|sso|domains|vanity-subdomains|network-bans delete|unset|rm|remove
deletes_remote bucket storage rm
publishes page functions deploy
@ railway
deletes_remote cloud down|delete
deletes_remote cloud ** %delete
deletes_remote cloud environment|volume|service|variables ** delete
publishes page up|deploy|redeploy
@ render
deletes_remote cloud ** %delete
publishes page deploys create
stops service services suspend|restart
@ firebase
deletes_remote database firestore:delete|database:remove|database:set|firestore:databases:delete
deletes_remote cloud *:delete|*:destroy|functions:delete|hosting:disable|apps:delete|projects:delete|remoteconfig:rollback
publishes page deploy|hosting:channel:deploy|hosting:clone
widens role appdistribution:testers:add
@ amplify
deletes_remote cloud delete|remove
deletes_remote cloud env remove
publishes page publish|push
@ pscale planetscale
deletes_remote database ** %delete
deletes_remote database deploy-request deploy
widens role password create
@ turso neonctl neon xata cockroach ccloud atlas mongocli aiven avn upstash influx fauna
deletes_remote database ** %delete
deletes_remote database ** reset|restore|terminate
widens network ** ~accesslist*|allowlist|ip-allow ~*0.0.0.0/0*
widens role dbusers|users|user|roles create|invite|add
@ surge
deletes_remote cloud teardown
publishes page $
publishes page **
@ gh-pages gatsby-plugin-gh-pages angular-cli-ghpages
publishes page **
@ cf
deletes_remote cloud delete|delete-*|d|ds|purge-*|unbind-*
publishes page push|p
widens role set-org-role|set-space-role
stops service stop|restart|restage
@ dokku caprover kamal cap mup
deletes_remote cloud *:destroy|remove|app:remove|*:unlink|uninstall|rm
publishes page deploy|redeploy|setup|rollback
stops service *:stop|stop|app|maintenance
@ shopify stripe twilio sentry-cli datadog-ci auth0 okta contentful sanity hasura
deletes_remote database dataset delete
deletes_remote database documents delete
deletes_remote cloud ** %delete
publishes page theme|app push|publish|deploy|release
publishes message ** messages:create|messages ** create
publishes page deploy
@ stripe
deletes_remote cloud delete
deletes_remote cloud * delete|cancel|refund
@ op bw lpass vault doppler infisical
deletes_remote cloud ** %delete
deletes_remote cloud kv metadata delete|destroy
deletes_remote cloud secrets|auth|lease|policy disable|delete|revoke
stops guard audit|operator disable|seal|step-down
stops guard secrets disable
widens role policy|token|auth write|create|enable
widens role write auth/*|sys/*
`
