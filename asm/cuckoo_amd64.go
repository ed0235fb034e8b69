//go:build !purego

package asm

// CuckooLevel returns the level at which ProbeCuckoo tests a batch.
func CuckooLevel(buckets uint64, fingerprintBits int) Level {
	if fingerprintBits == 32 || buckets >= 1<<32 {
		return Generic
	}
	return level
}

// probeCuckoo tests hashes by a kernel and reports whether there is one.
func probeCuckoo(table []byte, buckets uint64, fingerprintBits int, hashes, hits []uint64) bool {
	if CuckooLevel(buckets, fingerprintBits) == Generic || len(hashes) < fewHashes {
		return false
	}
	if whole := len(hashes) / chunkLen; whole > 0 {
		probeTable(table, buckets, fingerprintBits, &hashes[0], whole, &hits[0])
	}
	if rest := len(hashes) % chunkLen; rest > 0 {
		chunk := padded(hashes[len(hashes)-rest:])
		probeTable(table, buckets, fingerprintBits, &chunk[0], 1, &hits[len(hits)-1])
	}
	return true
}

func probeTable(table []byte, buckets uint64, fingerprintBits int, hashes *uint64, chunks int, hits *uint64) {
	low := uint64(low8)
	switch fingerprintBits {
	case 12:
		low = low12
	case 16:
		low = low16
	}
	bucketBytes := uint64(CuckooBucketBytes(fingerprintBits))
	fingerprints, high, used := uint64(1)<<fingerprintBits-1, low<<(fingerprintBits-1), uint64(1)<<(8*bucketBytes)-1
	if level == AVX512 {
		probeCuckooTable512(&table[0], buckets, fingerprints, bucketBytes, low, high, used, ahead(table), hashes, uint64(chunks), hits)
	} else {
		probeCuckooTable256(&table[0], buckets, fingerprints, bucketBytes, low, high, used, ahead(table), hashes, uint64(chunks), hits)
	}
}
