package program

const clusterDeeds = `
@ kubectl oc k kubecolor microk8s.kubectl kubectl.exe minikube-kubectl :nfcsl
none - ~--dry-run=client|--dry-run=server
none - --context|--kube-context=kind-*|minikube|docker-desktop|k3d-*|rancher-desktop|orbstack|colima*
deletes_remote cluster delete|del
runs_fetched * apply|create|replace ~http://*|https://*|-fhttp*|--filename=http*
runs_fetched * apply|create|replace -k|--kustomize=http*|git@*|git::*|github.com/*|gitlab.com/*|bitbucket.org/*
runs_fetched * krew install|index ~*http://*|*https://*
deletes_remote cluster drain|evict
deletes_remote cluster replace|delete --raw
deletes_remote cluster taint ** ~*:noexecute
widens network port-forward|proxy --address=*0.0.0.0*
deletes_remote cluster replace --force
deletes_remote cluster apply --prune
deletes_remote cluster scale --replicas=0
deletes_remote cluster rollout undo
deletes_remote cluster patch ~*finalizers*
deletes_remote cluster adm drain
deletes_remote cluster adm prune
deletes_remote cluster ctx|config delete-*
widens role create rolebinding|clusterrolebinding|role|clusterrole|token|serviceaccount
widens role adm|policy add-*-to-*|policy
widens role adm policy add-*
widens role set subject
widens role auth reconcile
persists timer create cronjob|cj
widens role certificate approve
widens role label|annotate ns|namespace|namespaces ~*pod-security*privileged*
widens visibility expose --type=loadbalancer|nodeport
widens visibility expose ~*loadbalancer*|*nodeport*
widens visibility patch ~*loadbalancer*|*nodeport*
escalates container run --privileged
escalates container run|debug|create|apply|patch|set ~*"privileged":*true*|*privileged:*true*|*hostpid*true*|*hostnetwork*true*
|*hostpath*
escalates container debug node/*
escalates container debug node
escalates user * --as=*|--as-group=*
stops service scale --replicas=0
stops service cordon|drain
stops guard delete validatingwebhookconfiguration*|mutatingwebhookconfiguration*|networkpolic*|netpol|psp|podsecurity*|resourcequota*
|pdb|poddisruptionbudget*
sends file cp >up
@ helm
widens trust repo add ~http://*|https://* !~*.github.io*|*charts.bitnami.com*|*charts.helm.sh*|*charts.jetstack.io*|*.helm.sh*
none - repo|search **
deletes_remote cluster uninstall|delete|del|un
deletes_remote cluster rollback
publishes package push
publishes package cm-push
publishes image registry push
@ helmfile werf skaffold tilt garden okteto devspace kustomize kapp
deletes_remote cluster destroy|delete|down|purge|cleanup|dismiss
publishes image publish
@ argocd
deletes_remote cluster app|appset|cluster|proj|repo ** delete|rm
deletes_remote cluster app terminate-op|rollback
deletes_remote cluster app sync --prune|--force|--replace
widens role proj role|add-destination|add-source **
widens role account ** update-password|generate-token
stops guard app set ~*self-heal*false*|*sync-policy*none*
@ flux
deletes_remote cluster delete|uninstall
stops service suspend
@ istioctl linkerd cilium velero kops k0sctl k3sup rke clusterctl kubeadm crossplane
deletes_remote cluster delete|uninstall|reset|purge|destroy|remove
deletes_remote cluster ** %delete
stops guard x **
@ talosctl
deletes_remote cluster reset|wipe|shutdown|upgrade
@ rancher tsh tctl govc flarectl dnscontrol-cli ovhai
none - login|logout|status|ls
deletes_remote cloud ** %delete
deletes_remote cloud *.destroy|*.remove|*.delete
@ octodns-sync
deletes_remote cloud ** --doit
@ dnscontrol
deletes_remote cloud push
@ kubectx kubens kubie
deletes_remote cluster -d
@ nomad consul
deletes_remote cluster stop|job ** -purge
deletes_remote cluster job|node|volume|namespace|deployment|system|var stop|purge|delete|drain|gc|deregister|fail|detach
deletes_remote cluster stop|kv ** delete
deletes_remote cluster kv delete
deletes_remote cluster stop
widens role acl ** create|update|bootstrap
@ kind k3d minikube colima
none - **
@ docker podman nerdctl
runs_fetched * build|import ~http://*|https://*|git://*|git@*|github.com/* !--build-arg|--label|-e|--change
runs_fetched * buildx|builder|image build|bake|import ~http://*|https://*|git://*|git@* !--build-arg|--label|--set
runs_fetched * compose|stack -f|--file|-c=http*|oci://*|git*
runs_fetched * play|kube kube|play http*
publishes image push
widens trust tag *.*/* node|node:*|python|python:*|golang|golang:*|alpine|alpine:*|ubuntu|ubuntu:*|debian|debian:*|nginx|nginx:*
|postgres|postgres:*|redis|redis:*|mysql|mysql:*|ruby|ruby:*|rust|rust:*|php|php:*|busybox|busybox:*|httpd|httpd:*|openjdk|openjdk:*
|eclipse-temurin:*|maven|maven:*|gradle|gradle:*|mongo|mongo:*|mariadb|mariadb:*|amazonlinux:*|fedora|fedora:*|centos:*|traefik:*
|docker|docker:*|caddy|caddy:* !~docker.io/*|*.docker.io/*|mirror.gcr.io/*|public.ecr.aws/*|quay.io/*|mcr.microsoft.com/*|*.docker.com/*
publishes image image|manifest push
publishes image buildx|build ** --push
publishes image build --push
publishes image compose push
publishes image trust sign
publishes image compose ** --push
deletes_remote registry manifest|hub ** rm|delete
deletes_remote cluster stack|service|secret|config rm|remove|down
deletes_remote cluster swarm leave
deletes_remote cluster service scale ~*=0
deletes_remote cluster node update --availability=drain|pause
deletes_remote cluster rm|stop|kill|container|system|volume|image -H|--host=ssh://*|tcp://*
`

const infrastructureDeeds = `
@ terraform tofu
runs_fetched * init ~-from-module=*://*|--from-module=*://*|-from-module=git*
none - plan|show|validate|fmt|output|providers|graph|version|console|get|test|metadata|login|logout|init|workspace ** !~delete
deletes_remote cloud destroy
deletes_remote cloud apply ~-destroy|--destroy
deletes_remote cloud? apply ~-replace=*|-auto-approve|--auto-approve|-replace|--replace=*
deletes_remote cloud state rm|push|replace-provider
deletes_remote cloud workspace delete
deletes_remote cloud force-unlock|taint
deletes_remote cloud apply *destroy*
@ terragrunt
deletes_remote cloud destroy|run-all|destroy-all|apply-all ~destroy|*destroy*
deletes_remote cloud run|run-all|stack|run-all ** destroy
deletes_remote cloud ** destroy
deletes_remote cloud? apply|apply-all|run-all ~-auto-approve|--auto-approve|--terragrunt-non-interactive
deletes_remote cloud state rm|push
@ pulumi :sC
deletes_remote cloud destroy|down|dn
deletes_remote cloud stack rm
deletes_remote cloud state delete|unprotect
deletes_remote cloud? up|update ~--yes|-y|-f|--skip-preview
deletes_remote cloud cancel
deletes_remote cloud config|env|org|policy rm
@ cdk cdktf
deletes_remote cloud destroy
publishes page deploy --require-approval=never
@ sam
deletes_remote cloud delete
publishes package publish
@ serverless sls
deletes_remote cloud remove
deletes_remote cloud rollback
@ sst
deletes_remote cloud remove
@ copilot
deletes_remote cloud ** delete
@ chalice zappa apex architect
deletes_remote cloud delete|undeploy|destroy
@ nuke aws-nuke cloud-nuke gcp-nuke azure-nuke
deletes_remote cloud **
@ ansible
deletes_remote cloud ** ~*state=absent*
@ ansible salt salt-ssh pdsh pssh parallel-ssh clush dsh knife fab mco bolt
none - localhost|127.0.0.1
deletes_remote cloud ** ~rm*-rf*|rm*-fr*|*&*rm*-rf*|*;*rm*-rf*|sudo*rm*-rf*|*mkfs.*|shred*|*if=/dev/zero*
deletes_remote cloud ** rm
@ ansible
stops machine ** -m=reboot|shutdown|community.general.shutdown
stops machine ** --module-name=reboot|*shutdown
stops service ** ~*state=stopped*|*enabled=no*|*enabled=false*
@ vagrant
none - **
@ packer
none - **
@ knife chef salt salt-ssh
deletes_remote cloud ** %delete
deletes_remote cloud ** bulk delete
`

const hostDeeds = `
@ git
rewrites - push -f|--force|--force-with-lease|--force-if-includes|--mirror|--prune|-d|--delete !-n
rewrites - push ** +*|:* !-n
rewrites - push ~+*|:* !-n
rewrites - send-pack --force|--mirror
rewrites - send-pack ~+*|:*
rewrites - filter-branch|filter-repo
rewrites - subtree|lfs|annex ** --force
rewrites - lfs migrate import|export
deletes_remote repository push -d|--delete|--mirror|--prune !-n
deletes_remote repository push ~:* !-n
stops check commit|push|merge|am|cherry-pick|rebase|revert --no-verify
stops check commit -n
stops check am --no-verify
stops check -c ~core.hookspath=*|hookspath=*
stops check ** ~core.hookspath=*
stops check commit|merge|tag|rebase --no-gpg-sign
stops check config ~commit.gpgsign|tag.gpgsign|push.gpgsign|receive.denynonfastforwards|receive.denydeletes|receive.fsckobjects ~false
widens trust config|-c ~http.sslverify ~false|0|no|off
widens trust ** ~http.sslverify=false|http.sslverify=0|http.sslverify=no|http.*.sslverify=false
widens trust config ~http.*.sslverify
widens trust config ~safe.directory ~*
widens trust config ~url.*.insteadof|url.*.pushinsteadof
widens trust config ** remote.*.url|remote.*.pushurl|remote.pushdefault|branch.*.pushremote|remote.*.mirror|remote.*.push *
widens trust config ** set remote.*.url|remote.*.pushurl|remote.pushdefault|branch.*.pushremote|remote.*.mirror *
widens trust config ~http.proxy|https.proxy|http.*.proxy
widens trust config ~credential.helper ~store|!*
widens trust config ~protocol.*.allow ~always
widens trust config ~gpg.program|gpg.*.program|user.signingkey
persists hook config ~core.hookspath !~.husky*|.githooks|githooks|.hooks|git-hooks|tools/*hooks|scripts/*hooks
+ !--get|--get-all|--unset|--unset-all|--list|-l
persists hook config ~core.fsmonitor|core.sshcommand|core.editor|core.pager|core.gitproxy|core.askpass|sequence.editor
+ !--get|--get-all|--unset|--unset-all|--list|-l
persists hook config ~init.templatedir|filter.*|diff.*.textconv|diff.*.command|diff.external|merge.*.driver|mergetool.*.cmd
|difftool.*.cmd !--get|--get-all|--unset|--unset-all|--list|-l
persists hook config ~gpg.program|gpg.*.program|credential.helper|receive.*hook*|uploadpack.packobjectshook|include.path|includeif.*
+ !--get|--get-all|--unset|--list|-l
persists hook config ~alias.* ~!*
persists hook config ~alias.*=!*
persists hook config ~core.editor|pager.*|interactive.difffilter|ssh.variant|remote.*.uploadpack|remote.*.receivepack|*.vcs
persists hook init|clone --template=*
publishes release push ** ~refs/tags/*|tag
@ gh
deletes_remote repository repo delete|archive|transfer|rename
widens trust? secret|variable set
persists hook api ~*/hooks -f|-F|--field|--raw-field|--input
deletes_remote repository repo deploy-key|autolink delete
deletes_remote repository repo sync --force
deletes_remote repository release delete|delete-asset
deletes_remote repository issue|gist|label|cache|run|ruleset|variable|secret|ssh-key|gpg-key|codespace|cs|workflow|project delete
|delete-asset|item-delete|field-delete|rm|remove
deletes_remote repository pr close --delete-branch|-d
deletes_remote repository api -X|--method=delete
deletes_remote repository api graphql ~*mutation*delete*|*deleteref*|*deleteissue*|*mutation*archive*
widens visibility repo edit --visibility=public
widens visibility repo create --public
widens visibility gist create|new --public|-p
widens visibility api ~private=false|*visibility=public*|*"private":*false*|*"visibility":*"public"*
widens role api ~*/collaborators/*|*/memberships/*|*/invitations*|*/teams/*|*permission=admin*|*/actions/permissions* !--method=get
widens role api ~*/keys|user/keys|user/gpg_keys|user/ssh_signing_keys -f|-F|--field|--raw-field|--input
widens role api -X|--method=post|put ~*/keys|user/keys|user/gpg_keys|*/actions/runners/*token|*/registration-token|*/remove-token
widens role api -X|--method=put|patch|post ~*/actions/permissions*|*/environments/*|*/interaction-limits
widens trust api -X|--method=put|post|patch ~*/actions/secrets/*|*/actions/variables*|*/dependabot/secrets/*|*/codespaces/secrets/*
|*/actions/oidc/*
deletes_remote repository api -X|--method=post ~*/transfer
persists key api ~*/keys|user/keys -f|-F|--field|--raw-field|--input
widens role repo deploy-key add
widens role ssh-key|gpg-key add
widens role auth refresh|login -s|--scopes
stops guard api -X|--method=delete ~*/protection*|*/rulesets/*|*/vulnerability-alerts*|*/automated-security-fixes*|*/hooks/*
stops guard api -X|--method=put|patch|post ~*/protection*|*/rulesets*|*/vulnerability-alerts*|*/code-scanning/*|*/secret-scanning/*
stops guard api ~*/protection*|*/rulesets/* ~enforce_admins=false|*allow_force_pushes=true*|enforcement=disabled
|required_status_checks=null|*enforce_admins*false*
stops guard api ~*security_and_analysis*disabled*|*prevent_secrets=false*|*two_factor*=false*|*signoff_required=false*
|*secret_scanning*=false*|*secret_scanning*=disabled*|*members_can_create_public*=true*
stops guard api -X|--method=patch|put|post ~*/code-security/*|*/dependabot/alerts/*|*/code-scanning/*|*/secret-scanning/*
|*/automated-security-fixes*|*/private-vulnerability-reporting*
stops guard repo edit ~--enable-*security*=false|--enable-secret-scanning*=false|--enable-advanced-security=false
|--enable-vulnerability*=false|--enable-dependabot*=false
deletes_remote repository api graphql ~*mutation*{*delete*|*mutation*{*archive*|*mutation*{*transfer*
stops guard ruleset|workflow delete|disable
stops check pr merge --admin
rewrites - api ~*git/refs/* ~force=true|*"force":*true*|force=1
rewrites - api -X|--method=delete|patch ~*git/refs/*
rewrites - repo sync --force
publishes release release create !-d|--draft
publishes release release edit|upload
publishes message issue|pr|discussion create|comment|edit|close|review
publishes message api ~*/comments*|*/issues|*/dispatches*|*/releases* !--method=get
publishes page workflow run
sends file gist create|new|edit
sends file release create|upload
persists key ssh-key add
persists key repo deploy-key add
@ glab :RFfXgbdtml
deletes_remote repository repo|project delete
deletes_remote repository release|issue|mr|label|variable|ssh-key|snippet|schedule|token|runner|milestone delete|revoke|rm
deletes_remote repository ci|pipeline|job delete|cancel
deletes_remote repository api -X|--method=delete
widens visibility repo|project create|edit|update|visibility --public|--visibility=public
widens visibility api ~visibility=public
widens role repo|project members add
widens role token|deploy-key|ssh-key create|add
widens role api ~*/members|*/invitations|*/deploy_keys*|*/access_tokens|*/share|user/keys|*/keys -f|-F|--field|--raw-field|--input
widens role api -X|--method=post|put ~*/members*|*/invitations|*/deploy_keys*|*/access_tokens*|*/share|user/keys|*/keys
|*/impersonation_tokens
persists key api ~*/deploy_keys*|user/keys -f|-F|--field|--raw-field|--input
persists hook api ~*/hooks -f|-F|--field|--raw-field|--input
stops guard api -X|--method=delete ~*/protected_branches*|*/hooks/*
stops guard api -X|--method=put|patch|post ~*/protected_branches*|*/approvals*|*/approval_rules*|*/push_rule*|*/external_status_checks*
stops guard api ~*only_allow_merge*=false|*prevent_secrets=false|*scanning*=false|*pre_receive*=false|*secret_detection*=false
|*secret_push_protection*=false|*reset_approvals_on_push=false
stops guard api -X|--method=delete ~*/push_rule*|*/approval_rules*
deletes_remote repository repo|project transfer|archive
publishes release release create|upload
publishes message mr|issue note|create|comment
sends file snippet create
persists key ssh-key|deploy-key add
@ hub :XFfHtmao
deletes_remote repository delete
deletes_remote repository release|gist delete
deletes_remote repository api -X|--method=delete
deletes_remote repository api -X|--method=post ~*/transfer
widens role api ~*/keys|user/keys|user/gpg_keys|*/collaborators/*|*/memberships/*|*/invitations* -f|-F|--field|--raw-field|--input
widens role api -X|--method=post|put ~*/keys|user/keys|user/gpg_keys|*/collaborators/*|*/memberships/*|*/invitations*
widens visibility api ~private=false|*visibility=public*
persists hook api ~*/hooks -f|-F|--field|--raw-field|--input
persists key api ~*/keys|user/keys -f|-F|--field|--raw-field|--input
stops guard api -X|--method=put|patch|post|delete ~*/protection*|*/rulesets*|*/vulnerability-alerts*
widens visibility create !-p|--private
publishes release release create|edit
sends file gist create
@ tea bb bitbucket
deletes_remote repository ** %delete
publishes release release create
@ hg
rewrites - push -f|--force
rewrites - strip|histedit
persists hook ** --config=hooks.*|extensions.*|alias.*
@ jj
rewrites - git push --force|--deleted|--all
deletes_remote repository git push --deleted
@ svn
deletes_remote repository delete|del|remove|rm ~*://*
@ git-filter-repo bfg git-filter-branch
rewrites - **
@ svnadmin p4
deletes_remote repository obliterate|delete|archive|depot
@ acli jira
deletes_remote repository ** %delete
publishes message ** comment|create
`
