package program

// verifyDeeds are the options by which package managers and their like check nothing, and by which code of others runs unasked.
const verifyDeeds = `
@ npm pnpm yarn bun cnpm :CwF
widens trust ** --ignore-scripts|--config.ignore-scripts=false
widens trust ** --unsafe-perm|--dangerously-allow-all-builds|--config.dangerouslyallowallbuilds|--config.verify-store-integrity=false
widens trust ** --no-verify-store-integrity|--config.strict-ssl=false|--skip-integrity-check|--update-checksums
widens trust ** ~--config.dangerouslyallowallbuilds=true|--config.strict-ssl=false|--config.ignore-scripts=false
persists hook pkg set ~scripts.preinstall=*|scripts.postinstall=*|scripts.install=*|scripts.preprepare=*|scripts.postprepare=*
persists hook pkg set ~scripts.prepare=*|scripts.prepublish=*|scripts.prepack=*
+ !~*=husky*|*=lefthook*|*build*|*tsc*|*tsup*|*simple-git-hooks*|*compile*|*patch-package*|*npm*run*
@ pip pip3 pipx uv pdm poetry
widens trust ** --no-verify-hashes|--no-require-hashes|--allow-insecure-host|--no-verify-ssl
widens trust ** --index-strategy=unsafe-*
@ gradle gradlew :PpbcIgF
widens trust ** --dependency-verification|-F=off|lenient
widens trust ** ~-dorg.gradle.dependency.verification=off|-dorg.gradle.dependency.verification=lenient|-f=off|-f=lenient
widens trust ** ~-dorg.gradle.internal.publish.checksums.insecure=true|-djavax.net.ssl.truststore=*
@ mvn mvnw maven :Pfstpl
widens trust ** ~-daether.connector.https.securitymode=insecure|-dmaven.resolver.transport=*insecure*|-dmaven.wagon.http.ssl.*=true
widens trust ** ~-daether.checksums.*=ignore|-dchecksumpolicy=ignore|-djavax.net.ssl.truststore=*
widens trust ** --lax-checksums
@ gem bundle bundler
widens trust ** -P|--trust-policy=nosecurity|lowsecurity
widens trust ** ~nosecurity|lowsecurity
@ composer
widens trust ** --disable-tls|--no-verify|--no-secure-http
@ cargo
widens trust ** --config=*net.git-fetch-with-cli*|*http.check-revoke=false*|*http.cainfo*
@ choco cinst
widens trust ** --ignore-checksums|--ignore-checksum|--allow-empty-checksums|--allowemptychecksums|--ignorechecksums
@ winget
widens trust ** --ignore-security-hash|--ignore-local-archive-malware-scan
@ scoop :ka
widens trust ** -s|--skip-hash-check|--skip
@ brew
widens trust ** --no-quarantine
widens trust ** ~--no-quarantine
@ dpkg
widens trust ** --force-bad-verify|--force-all
widens trust ** ~--force-bad-verify|--force-all
@ nix nix-build nix-env nix-shell nixos-rebuild nix-store nix-copy-closure
widens trust ** --no-require-sigs|--no-check-sigs
widens trust ** ~require-sigs ~false
widens trust ** ~trusted-public-keys|extra-trusted-public-keys|extra-substituters|substituters
+ !~*cache.nixos.org*|*cachix.org*
@ opkg
widens trust ** --force-signature|--no-check-certificate|--force_signature|--nosignature
@ flatpak ostree
widens trust ** --no-gpg-verify|--no-sign-verify
@ pacman yay paru
widens trust ** ~*siglevel*never*|*siglevel=trustall*
widens trust ** --mflags=*skippgpcheck*|*skipinteg*
@ makepkg
widens trust ** --skippgpcheck|--skipinteg|--skipchecksums
@ xbps-install zypper emerge
widens trust ** --no-gpg-checks|--allow-unsigned-rpm|--ignore-conf-req
@ conda mamba micromamba
widens trust ** -k|--insecure|--no-verify
@ cosign
widens trust verify|verify-* --insecure-ignore-tlog|--insecure-ignore-sct|--allow-insecure-registry|--insecure-skip-verify
@ docker podman nerdctl buildah skopeo
widens trust ** --tls-verify|--src-tls-verify|--dest-tls-verify=false
widens trust pull|build|create|run --disable-content-trust
@ helm
widens trust ** --plain-http|--insecure-skip-tls-verify
@ git
widens trust ** -c=http*.sslverify=false|http*.sslverify=0
@ go
widens trust get|mod|install -insecure|--insecure
@ ansible-galaxy
widens trust ** -c|--ignore-certs|--disable-gpg-verify
@ opam
widens trust ** --no-checksums|--no-checksum
@ vagrant packer
widens trust ** --insecure
@ dotnet nuget
widens trust restore|install ** ~-p:nugetaudit=false|--allow-untrusted
`

// foreignDeeds are commands by which code of others gets into what runs elsewhere, and calls of APIs by their paths.
const foreignDeeds = `
@ aws
persists hook lambda update-function-configuration --layers
publishes page lambda update-function-code|update-alias
persists hook lambda create-event-source-mapping|update-event-source-mapping
persists timer events|scheduler put-rule|put-targets|create-schedule
persists hook ec2 modify-instance-attribute --user-data
persists hook codebuild|codepipeline update-project|create-project|update-pipeline
escalates account sts get-federation-token|get-session-token|assume-root
widens visibility ssm modify-document-permission
widens role iam update-user|add-client-id-to-open-id-connect-provider|update-open-id-connect-provider-thumbprint
widens role ec2 associate-iam-instance-profile|replace-iam-instance-profile-association
@ gcloud
publishes page run services update|replace|update-traffic
persists timer scheduler jobs create
escalates account auth activate-service-account|print-access-token --impersonate-service-account
@ az
widens role rest ~*elevateaccess*|*roleassignments*|*addpassword*|*addkey*|*approleassignments*|*/members/*|*/invitations*
+ --method|-m=post|put|patch
deletes_remote cloud rest --method|-m=delete
persists hook webapp|functionapp deployment source config*
@ oci
deletes_remote cloud raw-request --http-method=delete
widens role raw-request ~*/policies*|*/users*|*/groups* --http-method=post|put
@ kubectl oc
deletes_remote cluster delete --raw
@raw sudo doas :ugCcDhprTtU
escalates account find|awk|gawk|mawk|nawk|vim|vi|nvim|rvim|view|less|more|man|perl|python|python3|ruby|lua|node|php|xargs|env|nmap|tar
|zip|git|ssh|socat|gdb|expect|script|watch|strace|ltrace|time|timeout|nice|ionice|taskset|flock|stdbuf|rsync|make|ed|emacs|tclsh|wish
|irb|julia|sqlite3|psql|mysql|busybox|cpan|rpm|dpkg|split|sed|screen|tmux|unshare|setsid|nohup|cpulimit|chrt|logsave|run-parts
|start-stop-daemon
+ ~*/bin/sh*|*/bin/bash*|*/bin/dash*|*/bin/zsh*|*/bin/ksh*|sh|bash|zsh|:!sh|:!bash|*:shell*|*pty.spawn*|*execl*sh*
@ sudoedit
escalates account -s
@ bash sh dash ksh zsh
escalates account -p
@ capsh
escalates capability ** ~--uid=0|--gid=0 ~--
@ git
stops check update-index --skip-worktree|--assume-unchanged ~*gitleaks*|*secrets.baseline*|*pre-commit*|*codeowners*|*.snyk|*semgrep*
`
