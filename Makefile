GO       ?= go
FUZZTIME ?= 60s
ROWS     ?= 1000000
CASES    ?= 2000
KILLS    ?= 2000
SEED     ?= 1
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null)
PREFIX   ?= /usr/local
DESTDIR  ?=
LDFLAGS  := -X github.com/weir-gate/weir/internal/app/version.given=$(VERSION)

# Where make install puts things.
BINDIR   := $(DESTDIR)$(PREFIX)/bin
SHAREDIR := $(DESTDIR)$(PREFIX)/share
DATE     := $(shell git log -1 --format=%cs 2>/dev/null)

.PHONY: help install release release-check deploy-check size build run demo quick test check lint fuzz bench matrix eval clean proof-differential proof-crash proof-record proof-cuts proof-reading

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-20s %s\n", $$1, $$2 }'

build: ## bin/weir
	@$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/weir ./cmd/weir

install: build ## install weir, manual pages and completions under PREFIX=/usr/local (DESTDIR= for packagers)
	@$(GO) run -trimpath ./deploy/manpages -out .cache/release -version $(or $(VERSION),unknown) -date $(or $(DATE),1970-01-01)
	@install -d $(BINDIR) $(SHAREDIR)/man/man1 $(SHAREDIR)/bash-completion/completions $(SHAREDIR)/zsh/site-functions \
		$(SHAREDIR)/fish/vendor_completions.d
	@install -m 755 bin/weir $(BINDIR)/weir
	@install -m 644 .cache/release/man/*.1 $(SHAREDIR)/man/man1/
	@install -m 644 .cache/release/completions/weir.bash $(SHAREDIR)/bash-completion/completions/weir
	@install -m 644 .cache/release/completions/_weir $(SHAREDIR)/zsh/site-functions/_weir
	@install -m 644 .cache/release/completions/weir.fish $(SHAREDIR)/fish/vendor_completions.d/weir.fish
	@echo "installed $(BINDIR)/weir"

run: build ## build and start weir on 127.0.0.1:4141
	@./bin/weir serve

demo: build ## show it on a scripted model: no key, no network
	@./bin/weir demo

quick: ## between edits, 2 minutes at most: vet, unit tests in short, a slice of the scenarios, house rules
	@$(GO) vet ./...
	@TMPDIR=$$(./test/memory.sh) GOGC=400 $(GO) test -short -vet=off -ldflags='-s -w' ./internal/... ./test/house ./test/scenarios

test: ## before a change lands, about 12 minutes: all tests; installs what they need
	@GO='$(GO)' ./test/run.sh

check: lint ## format, vet, static analysis, unreachable code, house rules
	@$(GO) test ./test/house

lint: ## check without the house rules
	@./test/lint.sh

fuzz: ## fuzz every target, FUZZTIME=60s each
	@GO='$(GO)' ./test/fuzz.sh $(FUZZTIME)

bench: build ## benchmarks against a bare reverse proxy and bare databases; questions about ROWS=1000000 events
	@$(GO) test -run '^$$' -bench . -benchmem ./internal/frame ./internal/strictjson ./internal/model/dialect/... ./internal/gate ./internal/policy
	@$(GO) test -run '^$$' -bench . -timeout 3h ./internal/record/store -args -rows $(ROWS)
	@$(GO) run ./bench -weir bin/weir
	@$(GO) run ./bench -weir bin/weir -format openai-chat
	@$(GO) run ./bench -weir bin/weir -door mcp

matrix: build ## every endpoint, format, framing, encoding and chunking through weir; writes docs/matrix.md
	@$(GO) run ./test/matrix -weir bin/weir -out docs/matrix.md

eval: ## judge sets of everyday calls and attacks by the presets, and print what is decided wrongly
	@$(GO) run ./test/eval

# What proves more than make test has time for. Each is the code of a test there, with larger numbers.

proof-differential: build ## SDKs fold CASES=2000 broken streams and bodies of every format; what they hand out is on record
	@$(GO) test ./test/clients/differential -count=1 -v -timeout 3h -args -cases $(CASES) -seed $(SEED)

proof-crash: build ## weir is killed KILLS=2000 times on each database; the record has every call that a client got
	@$(GO) test ./test/crash -count=1 -v -timeout 3h -args -kills $(KILLS) -postgres-kills $(KILLS)
	@$(GO) test ./internal/record/store -run TestKilledWhileCutting -count=1 -v -timeout 3h -args -cut-kills $(KILLS)

proof-record: ## how fast calls are recorded beside one bare write and sync; the documented questions are answered by indexes, ROWS=1000000
	@uptime
	@$(GO) test ./internal/record/store -run '^$$' -bench Logged -benchtime 2s -count=3
	@$(GO) test ./internal/record/store -run TestDocumentedQuestions -count=1 -v -timeout 3h -args -rows $(ROWS)

proof-cuts: ## every response of every format, cut and broken off at every byte; CASES=2000 made up
	@$(GO) test $$(grep -rl --include='*_test.go' 'dialecttest.Subject{' internal/model/dialect | xargs -n1 dirname | sort -u | sed 's|^|./|') \
		-run TestContract -count=1 -timeout 3h -args -places 1000000000 -generated $(CASES)

proof-reading: ## CASES=2000 generated commands run in a sandbox; what they did is what weir reads in them
	@$(GO) test ./test/reading -count=1 -v -timeout 3h -args -cases $(CASES) -seed $(SEED)

# Releases: docs/releasing.md. goreleaser is fetched and compiled on first use, which takes minutes.

release: ## archives, packages, image, wrappers, checksums and SPDX of this commit, in dist/; nothing is published
	@GO='$(GO)' ./deploy/release/build.sh

release-check: ## build a release twice, compare, and install and run all of it that can run here; about 20 minutes
	@GO='$(GO)' ./deploy/release/check.sh

deploy-check: ## the Compose file and the Helm chart, by the libraries of Compose, Helm and Kubernetes; the first time takes minutes
	@$(GO) test -C deploy/check ./...

size: ## the size of the program by dependency
	@mkdir -p .cache && CGO_ENABLED=0 GOOS=linux $(GO) build -trimpath -o .cache/weir-symbols ./cmd/weir
	@$(GO) run -C deploy/release . size ../../.cache/weir-symbols

clean: ## remove bin, dist and what releases leave behind
	@rm -rf bin dist .cache
