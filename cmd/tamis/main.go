// Command tamis builds, queries and sizes approximate-membership filters over
// lists of keys.
//
//	tamis build --family ribbon --fpr 0.001 list.txt -o list.tamis
//	tamis check list.tamis example.com
//	tamis info list.tamis
//	tamis verify list.tamis
//	tamis convert list.tamis -o list.parquet-filter
//	tamis size --keys 1e6 --fpr 0.01
//
// It exits 0 on success, 1 when check found no key that may be in, and 2 on
// any error, which is one line on the standard error.
package main

import "os"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
