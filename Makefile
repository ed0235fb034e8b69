# Everything that the project does by a command. `make help` lists it.

SHELL := /bin/bash
.DEFAULT_GOAL := help

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
# The committed run that the README's table and chart come from.
README_RUN := 2026-12-01-amd-epyc

# How long make fuzz gives each target.
FUZZTIME := 1m

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

.PHONY: test
test: lint generate-check test-full test-race test-levels test-386 test-wasm test-emulated test-bench test-integrations test-core test-js test-play ## everything that CI checks
	@echo "all checks passed"

.PHONY: lint
lint: ## gofmt, go vet for every kind of machine, staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$unformatted" || { echo "not gofmt-clean: $$unformatted"; exit 1; }
	go vet ./...
	GOARCH=arm64 go vet ./...
	GOARCH=s390x go vet ./...
	GOARCH=386 CGO_ENABLED=0 go vet ./...
	GOOS=js GOARCH=wasm go vet ./...
	GOOS=windows go vet ./...
	go run $(STATICCHECK) ./...
	cd bench && go vet ./... && go run $(STATICCHECK) ./...

.PHONY: test-full
test-full: ## the whole suite
	go test ./...

.PHONY: test-race
test-race: ## the suite without its largest cells, under the race detector
	go test -short -race ./...

.PHONY: test-levels
test-levels: ## the suite under each level of kernels that this machine has, and without assembly
	@for level in $$(go test ./asm -run TestLevels -v | sed -n 's/.*levels: //p'); do echo "TAMIS_CPU=$$level"; TAMIS_CPU=$$level REQUIRE_KERNELS=$$level go test -count=1 -short ./asm ./filters/... ./blocked/... ./ribbon || exit 1; done
	go test -short -tags purego ./asm ./filters/... ./blocked/... ./ribbon
	@test -z "$$(go list -tags purego -f '{{join .SFiles " "}}' ./... | tr -d '[:space:]')" || { echo "a package has assembly in spite of the purego tag"; exit 1; }

.PHONY: generate
generate: ## write the assembly anew from asm/_gen
	rm -f asm/*_amd64.s asm/*_stubs_amd64.go
	@$(MAKE) -s generate-to DIR=$(CURDIR)/asm

.PHONY: generate-to
generate-to:
	cd asm/_gen && go build -o $(DIR)/gen . && cd $(DIR) && for topic in hash standard blocked split cuckoo ribbon band; do ./gen -topic $$topic -out $${topic}_amd64.s -stubs $${topic}_stubs_amd64.go -pkg asm || exit 1; done; rm $(DIR)/gen

.PHONY: generate-check
generate-check: ## fail unless the assembly is what asm/_gen gives
	@dir=$$(mktemp -d) && $(MAKE) -s generate-to DIR=$$dir && for f in $$dir/*; do cmp $$f asm/$$(basename $$f) || status=1; done; rm -rf $$dir; test -z "$$status" || { echo "the assembly is not what asm/_gen gives: run make generate"; exit 1; }

.PHONY: fuzz
fuzz: ## compare the kernels with the portable code, and give every reader hostile files and names, for FUZZTIME each
	go test ./asm -run XXX -fuzz FuzzKernels -fuzztime $(FUZZTIME)
	go test ./asm -run XXX -fuzz FuzzBands -fuzztime $(FUZZTIME)
	for family in filters/standard blocked blocked/split filters/cuckoo ribbon filters/exact; do go test ./$$family -run XXX -fuzz FuzzReaders -fuzztime $(FUZZTIME) || exit 1; done
	go test ./ribbon -run XXX -fuzz FuzzRetrievalReaders -fuzztime $(FUZZTIME)
	go test ./blocked/split -run XXX -fuzz FuzzParquet -fuzztime $(FUZZTIME)
	go test ./filters/names -run XXX -fuzz FuzzHost -fuzztime $(FUZZTIME)
	go test ./filters/names -run XXX -fuzz FuzzURL -fuzztime $(FUZZTIME)
	go test ./filters/names/lists -run XXX -fuzz FuzzLine -fuzztime $(FUZZTIME)

.PHONY: test-386
test-386: ## the same on a 32-bit machine
	GOARCH=386 CGO_ENABLED=0 go test -short ./...

.PHONY: test-wasm
test-wasm: ## the same in WebAssembly, under node
	@command -v node >/dev/null || { echo "installing node"; apt-get update -qq && apt-get install -qqy nodejs >/dev/null; } || { echo "the WebAssembly tests need node on the PATH: install it and run make again"; exit 1; }
	GOOS=js GOARCH=wasm go test -short -exec "$$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./asm ./filters/... ./blocked/... ./ribbon

.PHONY: test-emulated
test-emulated: ## a smoke of the next two: golden files, hashes and readers on a big-endian and a 32-bit machine, kernels on arm64
	@if command -v qemu-s390x-static >/dev/null || { apt-get update -qq && apt-get install -qqy qemu-user-static; } >/dev/null 2>&1; then set -e; \
		for machine in s390x arm; do \
			GOARCH=$$machine CGO_ENABLED=0 go test -short -exec qemu-$$machine-static ./filters ./filters/all ./filters/bulk ./blocked/split -run 'Golden|Hash|Envelope|Uint64s|Parquet|Union|Sort|OpenFile|SaveFile'; \
			GOARCH=$$machine CGO_ENABLED=0 go test -short -exec qemu-$$machine-static ./filters/standard ./filters/cuckoo ./filters/exact ./blocked/... ./ribbon -run 'Golden|Conformance/(file|view|load|mutants|states)'; \
		done; \
		GOARCH=arm64 CGO_ENABLED=0 TAMIS_CPU=neon REQUIRE_KERNELS=neon go test -count=1 -short -exec qemu-aarch64-static ./asm ./filters/all -run 'Golden|AtEvery|InLarge|Inside|Insert|Required|Probes'; \
	elif test -n "$$CI"; then echo "this needs qemu-user-static"; exit 1; \
	else echo "left out: the emulated machines need qemu-user-static"; fi

.PHONY: test-s390x
test-s390x: ## the same on a big-endian machine, emulated; slow
	@command -v qemu-s390x-static >/dev/null || { echo "installing qemu"; apt-get update -qq && apt-get install -qqy qemu-user-static >/dev/null; } || { echo "this needs qemu-s390x-static on the PATH: install it and run make again"; exit 1; }
	GOARCH=s390x CGO_ENABLED=0 go test -short -exec qemu-s390x-static ./asm ./filters/... ./blocked/... ./ribbon

.PHONY: test-arm64
test-arm64: ## the kernels of arm64 and what is built on them, emulated; slow
	@command -v qemu-aarch64-static >/dev/null || { echo "installing qemu"; apt-get update -qq && apt-get install -qqy qemu-user-static >/dev/null; } || { echo "this needs qemu-aarch64-static on the PATH: install it and run make again"; exit 1; }
	GOARCH=arm64 CGO_ENABLED=0 REQUIRE_KERNELS=neon TAMIS_CPU=neon go test -timeout 30m -exec qemu-aarch64-static ./asm
	GOARCH=arm64 CGO_ENABLED=0 REQUIRE_KERNELS=neon TAMIS_CPU=neon go test -timeout 30m -short -exec qemu-aarch64-static ./filters/... ./blocked/... ./ribbon

.PHONY: test-bench
test-bench: bench-smoke report-check ## the benchmark's own tests
	cd bench && go test ./...

.PHONY: test-integrations
test-integrations: ## what plugs tamis into other systems, against those
	cd integrations/parquet && go vet ./... && go run $(STATICCHECK) ./... && go test ./...

.PHONY: wasm-core
wasm-core: ## build the browser's core anew from wasm/core/assembly
	@$(MAKE) -s wasm-core-to DIR=$(CURDIR)/wasm/core

.PHONY: wasm-core-to
wasm-core-to:
	@command -v npm >/dev/null || { echo "installing node and npm"; apt-get update -qq && apt-get install -qqy nodejs npm >/dev/null; } || { echo "this needs node and npm on the PATH: install them and run make again"; exit 1; }
	cd wasm/core && npm ci --silent && npx asc --target simd -o $(DIR)/core.wasm && npx asc --target scalar -o $(DIR)/core-scalar.wasm

.PHONY: test-core
test-core: ## the browser's core: that it is what its source gives, its size, and its answers against Go's
	@dir=$$(mktemp -d) && $(MAKE) -s wasm-core-to DIR=$$dir && for f in core.wasm core-scalar.wasm; do cmp $$dir/$$f wasm/core/$$f || status=1; done; rm -rf $$dir; test -z "$$status" || { echo "the core is not what its source gives: run make wasm-core"; exit 1; }
	cd wasm/core && go vet ./... && go run $(STATICCHECK) ./... && go test ./...

.PHONY: test-js
test-js: ## the npm package: its engines against each other and against Go, names, what it takes
	@command -v npm >/dev/null || { echo "installing node and npm"; apt-get update -qq && apt-get install -qqy nodejs npm >/dev/null; } || { echo "the package needs node and npm on the PATH: install them and run make again"; exit 1; }
	cd wasm/js && npm ci --no-audit --no-fund --silent && npm test --silent && npm run --silent size

.PHONY: play
play: ## build the play page, to be served from wasm/play/dist
	@command -v npm >/dev/null || { echo "installing npm"; apt-get update -qq && apt-get install -qqy npm >/dev/null; } || { echo "the play page needs npm on the PATH: install it and run make again"; exit 1; }
	cd wasm/play && npm ci --no-audit --no-fund --silent && npm run --silent check && npm run --silent build
	@echo "serve it by any static server, as: python3 -m http.server --directory wasm/play/dist"

.PHONY: test-play
test-play: play ## the play page in Chromium; PLAY_SHOTS=FOLDER keeps screenshots
	@test -x "$${CHROMIUM:-/usr/bin/chromium}" || { echo "installing chromium"; apt-get update -qq && apt-get install -qqy chromium fonts-dejavu-core >/dev/null; } || { echo "the tests need Chromium: install it, name it by CHROMIUM and run make again"; exit 1; }
	cd wasm/play && npm test --silent

.PHONY: extension
extension: ## build the sample extension, to be loaded from wasm/extension/dist/chromium or firefox
	@command -v npm >/dev/null || { echo "installing node and npm"; apt-get update -qq && apt-get install -qqy nodejs npm >/dev/null; } || { echo "the extension needs node and npm on the PATH: install them and run make again"; exit 1; }
	cd wasm/js && npm ci --no-audit --no-fund --silent && npm run --silent build
	cd wasm/extension && npm ci --no-audit --no-fund --silent && npm run --silent check && npm run --silent build

.PHONY: test-extension
test-extension: extension ## the sample extension in Chromium and Firefox; three minutes
	@test -x "$${CHROMIUM:-/usr/bin/chromium}" -a -x "$${FIREFOX:-/usr/bin/firefox-esr}" && command -v python3 >/dev/null || { echo "installing chromium and firefox-esr"; apt-get update -qq && apt-get install -qqy chromium firefox-esr fonts-dejavu-core python3 >/dev/null; } || { echo "the tests need Chromium, Firefox and python3: install them, name them by CHROMIUM and FIREFOX and run make again"; exit 1; }
	cd wasm/extension && npm test --silent

.PHONY: test-extension-smoke
test-extension-smoke: ## the same with fewer listed hosts
	@HOSTS=6 $(MAKE) test-extension

.PHONY: test-large
test-large: ## a filter of 1 GiB, built, saved, mapped, verified; a ribbon of 10^8 keys; takes 4 GiB of memory and 1 of disk
	TAMIS_LARGE=1 go test ./filters/all -run TestLarge -count=1 -v
	TAMIS_LARGE=1 go test ./ribbon -run TestLarge -count=1 -v

.PHONY: bench
bench: ## measure all families, under five minutes, and write a report to reports/
	@cd bench && run=$$(go run ./cmd/measure -profile quick) && go run ./cmd/render "$$run" && echo "report: $${run#../}/report.md"

.PHONY: bench-full
bench-full: ## the same, thoroughly, with filters of other libraries: two hours or so
	@cd bench && run=$$(go run ./cmd/measure -profile full) && go run ./cmd/render "$$run" && echo "report: $${run#../}/report.md"

.PHONY: bench-kernels
bench-kernels: ## the kernels at every level against their rivals, under eight minutes, some 7 GB of memory
	@cd bench && run=$$(go run ./cmd/measure -profile kernels -sweep) && go run ./cmd/render "$$run" && echo "report: $${run#../}/kernels.md"

.PHONY: bench-smoke
bench-smoke: ## see that the benchmark runs
	@cd bench && dir=$$(mktemp -d) && run=$$(go run ./cmd/measure -profile smoke -reports "$$dir") && go run ./cmd/render "$$run"; status=$$?; rm -rf "$$dir"; exit $$status

.PHONY: report
report: ## render the committed runs again, and the README's table
	cd bench && go run ./cmd/render && go run ./cmd/render -readme ../README.md ../reports/$(README_RUN)

.PHONY: report-check
report-check: ## fail unless every report is what its raw data gives
	cd bench && go run ./cmd/render -check && go run ./cmd/render -check -readme ../README.md ../reports/$(README_RUN)
