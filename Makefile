# make run    build and start weir on 127.0.0.1:4141
# make demo   show it on a scripted model: no key, no network
# make test   all tests; installs what they need
# make check  format, vet, static analysis, unreachable code, house rules
# make bench  benchmarks against a bare reverse proxy and bare databases; questions about ROWS events
# make matrix every endpoint, format, framing, encoding and chunking through weir; writes docs/matrix.md
# make fuzz   fuzz every target, FUZZTIME each
# make proof-differential  SDKs fold CASES broken streams and bodies of every format; what they hand out is compared with the record

GO       ?= go
FUZZTIME ?= 60s
ROWS     ?= 1000000
CASES    ?= 2000
SEED     ?= 1
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS  := -X github.com/weir-gate/weir/internal/app/version.given=$(VERSION)

# Where goroutines meet, the race detector watches.
RACE := ./internal/gate/... ./internal/judge/... ./internal/record/recorder ./internal/record/bodies ./internal/record/ship/... ./internal/model/proxy ./internal/mcp/... ./internal/intake/... ./internal/run ./internal/run/egress ./internal/app/daemon ./internal/app/control

.PHONY: run demo build test check lint fuzz bench matrix proof-differential clean

build:
	@$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/weir ./cmd/weir

run: build
	@./bin/weir serve

demo: build
	@./bin/weir demo

test: build
	@GO='$(GO)' RACE='$(RACE)' ./test/run.sh

check: lint
	@$(GO) test ./test/house

lint:
	@./test/lint.sh

fuzz:
	@GO='$(GO)' ./test/fuzz.sh $(FUZZTIME)

bench: build
	@$(GO) test -run '^$$' -bench . -benchmem ./internal/frame ./internal/strictjson ./internal/model/dialect/... ./internal/gate ./internal/policy
	@$(GO) test -run '^$$' -bench . -timeout 3h ./internal/record/store -args -rows $(ROWS)
	@$(GO) run ./bench -weir bin/weir
	@$(GO) run ./bench -weir bin/weir -format openai-chat
	@$(GO) run ./bench -weir bin/weir -door mcp

matrix: build
	@$(GO) run ./test/matrix -weir bin/weir -out docs/matrix.md

proof-differential: build
	@$(GO) test ./test/clients/differential -count=1 -v -timeout 3h -args -cases $(CASES) -seed $(SEED)

clean:
	@rm -rf bin
