package render

import "github.com/tamis-filter/tamis/bench/record"

// The ratios that the kernels have to show. This file is all that is typed in;
// everything beside it in kernels.md comes from a run.

// figure is one timing of a contestant, at whatever rate it takes part.
type figure struct {
	name  string
	way   way
	level string // of kernels; empty for the best of the run
}

// way is a query, or adding in bulk.
type way struct {
	mode record.Mode
	hits int
}

// What is no mode of a query.
const (
	add  record.Mode = "add"
	hash record.Mode = "hash"
	// Constructions, on one processor and on all of them.
	buildOnOne record.Mode = "build on one processor"
	buildOnAll record.Mode = "build on all processors"
)

var (
	batchMiss  = way{record.Batch, 0}
	singleMiss = way{record.Single, 0}
	singleHit  = way{record.Single, 100}
	bulkAdd    = way{add, 0}
	hashing    = way{hash, 0}
	oneBuild   = way{buildOnOne, 0}
	build      = way{buildOnAll, 0}
)

// claim says how many times the rival's time ours is to be in, by the number of
// keys.
type claim struct {
	ours, rival figure
	goals       []goal
}

type goal struct {
	keys  uint64
	ratio float64 // at least
}

const (
	small   = 10_000
	middle  = 1_000_000
	tenfold = 10_000_000
	large   = 50_000_000
)

// each is one goal at every number of keys.
func each(ratio float64) []goal { return []goal{{small, ratio}, {middle, ratio}, {large, ratio}} }

var claims = []claim{
	{figure{"blocked", batchMiss, ""}, figure{"parquet", singleMiss, ""}, []goal{{small, 2.5}, {middle, 3.5}, {large, 3}}},
	{figure{"blocked", batchMiss, ""}, figure{"line", batchMiss, ""}, []goal{{large, 0.85}}},
	{figure{"blocked", singleMiss, ""}, figure{"parquet", singleMiss, ""}, each(1)},
	{figure{"blocked", singleHit, ""}, figure{"parquet", singleHit, ""}, each(1)},
	{figure{"split", batchMiss, ""}, figure{"parquet", singleMiss, ""}, []goal{{small, 2.5}, {middle, 3.5}, {large, 3}}},
	{figure{"split", singleMiss, ""}, figure{"parquet", singleMiss, ""}, each(1)},
	{figure{"split", singleHit, ""}, figure{"parquet", singleHit, ""}, each(1)},
	{figure{"standard", batchMiss, ""}, figure{"bits-and-blooms", singleMiss, ""}, []goal{{middle, 5}, {large, 5}}},
	{figure{"standard", batchMiss, ""}, figure{"holiman", singleMiss, ""}, []goal{{middle, 2.5}, {large, 2.5}}},
	{figure{"cuckoo", batchMiss, ""}, figure{"seiflotfy", singleMiss, ""}, each(5)},
	{figure{"ribbon", batchMiss, "avx512"}, figure{"binaryfuse8", singleMiss, ""}, []goal{{small, 1.5}, {middle, 3}, {large, 3}}},
	{figure{"ribbon", batchMiss, "avx2"}, figure{"binaryfuse8", singleMiss, ""}, each(1)},
	{figure{"ribbon", singleMiss, ""}, figure{"binaryfuse8", singleMiss, ""}, []goal{{small, 0.5}, {middle, 1}, {large, 1}}},
	{figure{"ribbon", batchMiss, ""}, figure{"blocked", batchMiss, ""}, each(1 / 1.5)},
	{figure{"ribbon", oneBuild, ""}, figure{"binaryfuse8", oneBuild, ""}, []goal{{middle, 1 / 0.6}, {tenfold, 1 / 0.6}}},
	{figure{"ribbon", build, ""}, figure{"ribbon", oneBuild, ""}, []goal{{middle, 1.6}, {tenfold, 1.6}}},
	{figure{"blocked", bulkAdd, ""}, figure{"parquet", bulkAdd, ""}, each(1.3)},
	{figure{"split", bulkAdd, ""}, figure{"parquet", bulkAdd, ""}, each(1.3)},
	{figure{"bulk", hashing, ""}, figure{"xxh3", hashing, ""}, []goal{{1024, 5}}},
}

// A kernel is kept if it wins by so much somewhere against the level below.
const keepRatio = 1.1
