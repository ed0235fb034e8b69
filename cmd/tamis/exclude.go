package main

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"

	"github.com/bits-and-blooms/bitset"
	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/filters/exact"
	"github.com/tamis-filter/tamis/filters/names"
)

// excluding is exact.Build, as the Build function of a family.
func excluding(excluded []filters.Hash) func(iter.Seq[[]filters.Hash], filters.Config) (filters.Filter, error) {
	return func(hashes iter.Seq[[]filters.Hash], c filters.Config) (filters.Filter, error) {
		f, err := exact.Build(hashes, slices.Chunk(excluded, batchLen), c)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

// readExcluded returns the hashes of the keys that must not be held. Those of names
// come with their parents, because who asks for a name asks for these too; a parent
// that is listed is held, and reported.
func (b *builder) readExcluded(listed []filters.Hash) (hashes []filters.Hash, err error) {
	hash := b.hasher()
	for _, name := range b.exclude {
		bar := newBar(b.stderr, b.showsProgress(), "reading "+name, -1)
		err := b.readList(name, bar, func(entries []entry) error {
			for _, e := range entries {
				hashes = append(hashes, hash(e.key))
				if b.format == "" {
					continue
				}
				host := string(e.key)
				for parent := range names.Walk(host, names.Shortest(host)) {
					if parent == host {
						continue
					}
					h := hash([]byte(parent))
					if _, held := slices.BinarySearch(listed, h); held {
						b.rejects.add(name, e.line, fmt.Errorf("%q is blocked all the same: its parent %q is listed", host, parent))
					} else {
						hashes = append(hashes, h)
					}
				}
			}
			return nil
		})
		bar.Clear()
		if err != nil {
			return nil, err
		}
	}
	return hashes, nil
}

// verifyExcluded asks f for every key that it must not hold.
func verifyExcluded(f filters.Filter, excluded []filters.Hash) error {
	held, hits := 0, bitset.New(batchLen)
	for batch := range slices.Chunk(excluded, batchLen) {
		held += f.MayContainBatch(batch, hits)
	}
	if held > 0 {
		return fmt.Errorf("the filter holds %d of %d excluded keys, which is a fault of tamis; nothing was written: report it", held, len(excluded))
	}
	return nil
}

// nameOverlap turns the error for keys that are on both lists into one that names
// such a key as it stands in its file.
func (b *builder) nameOverlap(err error) error {
	overlap, ok := errors.AsType[*exact.OverlapError](err)
	if !ok {
		return err
	}
	for _, name := range b.exclude {
		key, line := b.lookUp(name, overlap.Hash)
		if line == 0 {
			continue
		}
		others := ""
		if overlap.Keys > 1 {
			others = fmt.Sprintf(", and %d more of its keys", overlap.Keys-1)
		}
		hint := ""
		if b.format == "" {
			hint = ", as with: grep -vxFf LIST " + name
		}
		return fmt.Errorf("--exclude %s, line %d: %s is on a list of keys to hold too%s; take them out of one%s", name, line, key, others, hint)
	}
	return err
}

// lookUp returns a key of that hash in a file, and its line, or line 0 if it is not
// there, or no longer.
func (b *builder) lookUp(name string, h filters.Hash) (key string, line int) {
	// A pipe has nothing to give a second time, and opening it would wait for a writer.
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "", 0
	}
	file, err := os.Open(name)
	if err != nil {
		return "", 0
	}
	defer file.Close()
	hash := b.hasher()
	err = b.eachEntry(file, name, func(entries []entry) error {
		for _, e := range entries {
			if hash(e.key) == h {
				key, line = string(e.key), e.line
				return errEnough
			}
		}
		return nil
	}, func(int, error) {})
	if !errors.Is(err, errEnough) {
		return "", 0
	}
	return fmt.Sprintf("%.100q", key), line
}
