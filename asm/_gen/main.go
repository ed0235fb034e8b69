// Command _gen writes the amd64 kernels of package asm: an assembly file and
// its Go declarations for the topic given.
//
//	gen -topic blocked -out blocked_amd64.s -stubs blocked_stubs_amd64.go -pkg asm
package main

import (
	"flag"
	"log"

	. "github.com/mmcloughlin/avo/build"
)

// topics are the kernels of one file each.
var topics = map[string]func(){
	"blocked":  blocked,
	"hash":     hash,
	"split":    split,
	"standard": standard,
	"cuckoo":   cuckoo,
	"ribbon":   ribbon,
	"band":     band,
}

func main() {
	topic := flag.String("topic", "", "what to generate")
	flag.Parse()
	generate, ok := topics[*topic]
	if !ok {
		log.Fatalf("no topic %q", *topic)
	}
	ConstraintExpr("!purego")
	generate()
	Generate()
}
