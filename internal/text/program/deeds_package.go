package program

const packageDeeds = `
@ npm pnpm yarn bun cnpm :CwF
publishes package publish|pub !--registry=*//localhost*|*//127.0.0.1*
publishes package npm publish
publishes package -r|--recursive publish
publishes package workspaces|workspace|run ** npm publish
publishes package stage publish
publishes package dist-tag|dist-tags add|rm
publishes release version ~--git-push
publishes message deprecate
deletes_remote registry unpublish|unpub
deletes_remote registry deprecate|undeprecate
deletes_remote registry owner|access|team|org|token|hook|dist-tag|dist-tags|trust rm|remove|revoke|destroy
widens role owner|team|org add
widens role access grant|set|public
widens role token create
widens visibility publish --access=public
widens visibility access public|set|grant
widens trust config|c set|delete|rm strict-ssl|cafile|ca|https-proxy|proxy
widens trust config|c set registry|@*:registry
widens trust config|c set registry=*|@*:registry=*|strict-ssl=false|ca=*|cafile=*|ignore-scripts=false|//*|proxy=*|https-proxy=*
widens trust config|c set ignore-scripts|unsafe-perm|script-shell|node-options|git|enable-pre-post-scripts|audit
|verify-store-integrity|dangerouslyallowallbuilds
widens trust config|c set npmregistryserver|unsafehttpwhitelist|enablestrictssl|enablescripts
widens trust config|c set script-shell=*|node-options=*|git=*|dangerously-allow-all-builds=*
widens trust set registry=*|strict-ssl=false
widens trust set registry|@*:registry|strict-ssl * !~*registry.npmjs.org*|*registry.yarnpkg.com*
widens trust ** --registry=* !~*registry.npmjs.org*|*registry.yarnpkg.com*|*npm.pkg.github.com*|*//localhost*|*//127.0.0.1*
widens trust ** --no-strict-ssl
widens trust ** --strict-ssl=false
widens trust approve-builds
widens trust config|c set ~--location=global ~registry*
@ pip pip3 pipx uv pdm
none - download|list|show|freeze|check|help|search
widens trust config set *index-url*|*trusted-host*|*extra-index-url*|*proxy*|*cert*
widens trust config ~global.index-url|global.extra-index-url|global.trusted-host ~set
widens trust ** --trusted-host|--allow-insecure-host
widens trust ** -i|--index-url|--extra-index-url|--default-index|--index|--find-links=http*://* !~*//pypi.org*
|*//download.pytorch.org*|*//localhost*|*//127.0.0.1*|*//files.pythonhosted.org*|*//test.pypi.org*
publishes package publish|upload
@ poetry
publishes package publish
widens trust config repositories.*|certificates.*|pypi-token.*|http-basic.*
widens trust source add
@ twine hatch flit maturin conda-build anaconda
publishes package upload|publish|register !-r|--repository=testpypi !--repository-url=*//localhost*|*//127.0.0.1*|*//test.pypi.org*
@ setup.py
publishes package upload|register
@ conda mamba micromamba
widens trust config ~ssl_verify ~false|no
widens trust config --add channels
widens trust config --set ssl_verify
@ cargo
publishes package publish|release
publishes package +* publish|release
publishes package workspaces publish
deletes_remote registry yank !--undo
widens role owner --add|-a
deletes_remote registry owner --remove|-r
@ gem
widens trust install|update ~-s|--source|--clear-sources|--source=*
publishes package push
deletes_remote registry yank
widens role owner --add|-a
deletes_remote registry owner --remove|-r
widens trust sources|source --add|-a
widens trust sources|source ~-a|--add|--remove|-r
@ bundle bundler
widens trust config ** ~mirror.*|ssl_verify_mode|bundle_ssl_verify_mode
publishes package exec rake release
publishes package exec gem push
@ rake
publishes package release|gem:push
@ composer
widens trust config ~repositories.*|secure-http|disable-tls|repo.*|allow-plugins*|http-basic.*|repo*
widens trust config secure-http false
@ dotnet nuget
publishes package nuget push
publishes package push
deletes_remote registry nuget delete
deletes_remote registry delete
widens trust nuget add|update source
widens trust sources|nuget add
@ mvn mvnw maven :Pfstpl
publishes package deploy|deploy:*|release:perform|site-deploy|*:deploy|nexus-staging:release|central-publishing:publish
publishes package ** deploy|release:perform
widens trust ** ~-dmaven.wagon.http.ssl.insecure=true|-dmaven.wagon.http.ssl.allowall=true
@ gradle gradlew :Ppbc
publishes package ** publish|publish*|:*:publish*|upload*|bintrayupload|uploadarchives|*publishto* !~*publishtomavenlocal*
@ sbt lein mill
publishes package publish|publishSigned|deploy|*/publish|+publish|ci-release|sonatypeRelease
@ mix hex rebar3
publishes package hex.publish
publishes package hex publish
deletes_remote registry hex.publish|hex.retire --revert
deletes_remote registry hex.retire
@ pod
publishes package trunk push
publishes package repo push
deletes_remote registry trunk delete|deprecate
widens trust repo add
@ dart flutter pub
publishes package pub publish|lish
publishes package publish|lish
@ luarocks cabal stack opam cpan-upload dzil mint jsr deno ovsx vsce
publishes package upload|publish|release|package
deletes_remote registry unpublish
deletes_remote registry yank
@ cpan-upload
publishes package **
@ go
widens trust mod edit ~-replace=*=*.*/*|--replace=*=*.*/*|*=*.*/*@* !~-dropreplace*|--dropreplace*|*=../*|*=./*
widens trust env -w ~goproxy=*|gonosumdb=*|gonosumcheck=*|goflags=*insecure*|goflags=*toolexec*|goinsecure=*|gosumdb=off|gonosumdb=*
widens trust env -w ~gosumdb=*
runs_fetched * run *.*/*@*
@ semantic-release release-it np
publishes release **
@ lerna changeset changesets
publishes package publish
@ goreleaser jreleaser release-please
publishes release release|full-release|github-release|deploy|announce !--snapshot
@ gh
runs_fetched * extension|ext install|upgrade
@ gradle gradlew :IbcpPg
runs_fetched * ** -I|-b|--init-script|--build-file|--settings-file|-c=http*
@ mvn mvnw maven
runs_fetched * ** -s|-f|-gs|--settings|--global-settings|--file=http*
widens trust ** ~-darchetypecatalog=http*|-darchetyperepository=http*
@ r rscript
runs_fetched * ** ~*install.packages*http*|*install_url*|*install_git*|*install_svn*|*install_bitbucket*|*source*(*http*
+ !~*r-project.org*|*rstudio.com*|*posit.co*|*r-universe.dev*|*bioconductor.org*
@ julia
runs_fetched * ** ~*pkg.add*url*http*|*pkg.develop*url*http*|*include*download*
@ dnf yum
widens trust copr enable
@ helm
runs_fetched * install|upgrade|template ~http://*|https://* !--repo
widens trust install|upgrade|template|pull|dependency --repo=http* !~*.github.io*|*charts.bitnami.com*|*.helm.sh*|*charts.jetstack.io*
runs_fetched * plugin install|update ~http://*|https://*|git@*
escalates container install|upgrade ~*privileged=true*|*hostpid=true*|*hostipc=true*|*allowprivilegeescalation=true*|*docker.sock*
|*containerd.sock*|*hostpath*=/|*hostpath*=/,*|*capabilities.add*=*sys_admin*|*capabilities.add*=*all*
@ kubectl oc
escalates container set|patch|create|run|debug ** ~*privileged*true*|*hostpid*true*|*hostipc*true*|*allowprivilegeescalation*true*
@ conda mamba micromamba cpanm cpan luarocks
widens trust ** -c|--channel|--mirror|--server|--only-server|--from=http*://*
+ !~*conda.anaconda.org*|*repo.anaconda.com*|*luarocks.org*|*cpan.org*
@ mvn mvnw
widens trust ** ~-dremoterepositories=*|-drepo.remote.url=*|-dmaven.repo.remote=*
@ pipx
widens trust ** --pip-args=*index-url*|*trusted-host*
@ npm pnpm yarn bun
persists hook config|c set init-module|init.module|prefix|globalconfig|userconfig|onload-script|init-module=*|prefix=*
@ brew
widens trust tap * !~homebrew/*
@ snap
escalates container install --devmode|--dangerous|--classic
@ flatpak
widens trust remote-add
@ code cursor windsurf codium
persists agent ** --install-extension
`

const registryDeeds = `
@ crane skopeo oras regctl cosign img buildah kaniko ko podman-push reg
publishes image push|copy|cp|sync|append|tag|mutate|publish|attach|sign
publishes image image copy
deletes_remote registry delete|rm|del
deletes_remote registry ** delete|rm|del
@ buildah
publishes image push
@ apt-get apt aptitude
widens trust ** --allow-unauthenticated|--allow-insecure-repositories|--force-yes|--allow-downgrades
widens trust ** ~*allowunauthenticated=true*|*allow-insecure*|*verify-peer=false*
widens trust ** -o=acquire::*verify*|*allowinsecure*
@ apt-key rpmkeys
widens trust add|adv|--import|--fetch-keys
widens trust --import
@ rpm
widens trust --import
widens trust ** --nosignature|--nodigest|--nogpgcheck
@ add-apt-repository apt-add-repository
widens trust **
@ yum dnf microdnf tdnf
widens trust ** --nogpgcheck
widens trust config-manager --add-repo
widens trust config-manager --add-repo=*
widens trust ** ~--setopt=*gpgcheck=0|--setopt=sslverify=*
@ yum-config-manager
widens trust --add-repo
@ zypper
widens trust addrepo|ar
widens trust ** --no-gpg-checks|--gpg-auto-import-keys
@ pacman-key
widens trust -a|-r|--add|--recv-keys|--lsign-key
@ pacman
widens trust ** -U ~http*
@ apk
widens trust ** --allow-untrusted
widens trust ** -X|--repository=http://*
@ update-ca-certificates update-ca-trust
widens trust **
@ certutil
widens trust -A|-addstore
widens trust -addstore
widens trust ** ~-addstore
@ gpg gpg2
widens trust --import-ownertrust
widens trust --import|--recv-keys|--receive-keys
sends file ** --send-keys|--send-key
@ keytool
widens trust -importcert|-import
widens trust ** ~-importcert|-import|-trustcacerts
@ security
widens trust add-trusted-cert|trust-settings-import|set-key-partition-list
@ ssh-keyscan
widens trust ** !~github.com|gitlab.com|bitbucket.org|codeberg.org|ssh.dev.azure.com|git.sr.ht|localhost|127.0.0.1
`
