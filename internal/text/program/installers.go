package program

// Installers say which programs install or run code of others, one line each: names of programs and, after =, the commands of theirs
// that do; * stands for all of them. A line that begins with + continues the one before it. After = may also be:
//
//	-x     a letter of an option with a registry
//	first  a command takes the code in its first operand only: what follows is for the code
//	forges the code usually comes from a public forge, so that this alone says nothing
//	github owner/name is a repository of GitHub
//
// What an operand or an option names by a URL is code that nobody has read, unless the option names a registry.
const Installers = `
npm pnpm yarn bun cnpm ni nci = install i in ins add ci up update upgrade import set-version version prepare use github
npm pnpm yarn bun cnpm = exec dlx x create init first
corepack = prepare use install
npx bunx pnpx nlx = * first
pip pip3 pipx uv pdm pipenv rye poetry hatch pixi pyflow = install add sync inject runpip require update lock -i -f
pipx uv pdm pixi rye = run first
uvx = * first
easy_install easy_install3 = * -i -f
conda mamba micromamba = install create update -c
nix = run shell develop build profile install eval bundle upgrade add
nix-env nix-shell nix-build nix-channel nix-instantiate nixos-rebuild home-manager darwin-rebuild = *
cargo = install add binstall generate
gem = install specific_install update -s
bundle bundler = add install update
composer = require create-project install update
dotnet nuget paket = install update add restore -s
brew port = install reinstall upgrade
apt apt-get aptitude nala dnf yum microdnf tdnf zypper rpm urpmi pacman yay paru apk xbps-install pkg pkg_add opkg = * -R -X
snap flatpak = install
choco cinst scoop winget = install upgrade add import -s
cpan cpanm cpm cpanp ansible-galaxy krew pecl elm haxelib = *
luarocks opam raco mix rebar3 conan spack vcpkg dub puppet cabal stack dart flutter pub packer vagrant = install add new activate fetch
+ archive.install escript.install local.rebar local.hex pin repository remote mirror require box init setup -s
asdf mise rtx proto pkgx = install use add i u plugin plugins
nimble shards zig swift = install add fetch add-dependency forges
deno = run install eval add cache test bench x serve compile bundle first
ansible-pull ansible-playbook = *
`

// RegistryOptions are the options by which programs are told where packages come from.
const RegistryOptions = `--registry --index-url --extra-index-url --index --default-index --source --add-source --repo --repository
	--repository-url --mirror --channel --server --only-server --find-links --from-repository --module_repository --override-channels
	--repofrompath --repositories -source -Source --only-remote --plugin-repository`

// UsualRegistries are the hosts of registries that everyone uses.
const UsualRegistries = `registry.npmjs.org registry.yarnpkg.com npm.pkg.github.com jsr.io npm.jsr.io pypi.org test.pypi.org
	files.pythonhosted.org download.pytorch.org data.pyg.org pypi.nvidia.com storage.googleapis.com rubygems.org rubygems.pkg.github.com
	nuget.pkg.github.com api.nuget.org www.nuget.org index.crates.io crates.io github.com repo.maven.apache.org repo1.maven.org
	plugins.gradle.org maven.google.com services.gradle.org packagist.org repo.packagist.org conda.anaconda.org repo.anaconda.com
	luarocks.org www.cpan.org cpan.metacpan.org proxy.golang.org cran.r-project.org cloud.r-project.org packagemanager.posit.co hex.pm
	repo.hex.pm pub.dev opam.ocaml.org charts.bitnami.com charts.helm.sh charts.jetstack.io *.github.io *.helm.sh dl-cdn.alpinelinux.org
	deb.debian.org archive.ubuntu.com packages.microsoft.com download.docker.com community.chocolatey.org *.pkg.dev pkgs.dev.azure.com
	*.codeartifact.*.amazonaws.com`
