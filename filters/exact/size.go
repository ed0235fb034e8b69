package exact

import (
	"fmt"
	"math"

	"github.com/tamis-filter/tamis/filters"
	"github.com/tamis-filter/tamis/ribbon"
)

// Size estimates what Build comes to for c.Keys distinct keys and so many excluded
// ones. The file can be a few blocks larger or smaller.
func Size(c filters.Config, excluded uint64) (filters.Size, error) {
	if err := c.Check(); err != nil {
		return filters.Size{}, err
	}
	if excluded > filters.MaxKeys {
		return filters.Size{}, &filters.FieldError{Err: filters.ErrConfig, Field: "excluded", Value: excluded, Bound: "must be at most 2^40"}
	}
	rate, err := plan(c, excluded, budget(c))
	if err != nil {
		return filters.Size{}, err
	}
	parts, err := partsOf(c.Keys, excluded, rate)
	if err != nil {
		return filters.Size{}, err
	}
	memory := filters.DistinctBytes(c.Keys) + filters.DistinctBytes(excluded) + parts.memory
	if budget(c) != 0 {
		memory += parts.memory // it may come to more than planned, and be built again
	}
	if err := c.CheckBuild(memory); err != nil {
		return filters.Size{}, err
	}
	size := filters.Size{
		Bytes:      parts.bytes,
		BitsPerKey: float64((parts.bytes-filters.HeaderSize)*8) / float64(c.Keys),
		FPR:        rate,
		BuildBytes: memory,
		Layout:     fmt.Sprintf("excluded: %d, rate of the first part: %.3g", excluded, rate),
	}
	if excluded > 0 {
		size.FPR /= 2
	}
	return size, nil
}

const (
	// fewKeys is where the fixed parts of the layout no longer count.
	fewKeys = 5000
	// fixedBytes is about what they take, to be sure.
	fixedBytes = 640
)

// budget returns how many bytes the file of a Config may take, 0 if the goal is a
// rate.
func budget(c filters.Config) uint64 {
	bits, ok := c.Budget()
	if !ok {
		return 0
	}
	bytes := filters.HeaderSize + bits/8
	if c.BitsPerKey != 0 && c.Keys < fewKeys {
		bytes += fixedBytes
	}
	return bytes
}

// plan chooses the rate of the first part, 1 if it is left out, for a Config that
// has passed Check and its budget, or less than that.
func plan(c filters.Config, excluded, budget uint64) (rate float64, err error) {
	if budget != 0 {
		return planBudget(c, excluded, budget)
	}
	if excluded == 0 {
		return min(c.FPR, 0.5), nil
	}
	return smallest(c.Keys, excluded, min(1, 2*c.FPR))
}

// smallest returns the rate up to most with which both parts together take the least
// room.
func smallest(keys, excluded uint64, most float64) (rate float64, err error) {
	best := min(most, max(filters.MinFPR, float64(keys)/(float64(excluded)*math.Ln2)))
	// A rate that is no power of two takes a little more than its neighbours
	// promise, and there is none between 1/2 and 1.
	_, exponent := math.Frexp(best)
	least := uint64(math.MaxUint64)
	for _, candidate := range []float64{best, math.Ldexp(1, exponent), math.Ldexp(1, exponent-1)} {
		if candidate > most || candidate < filters.MinFPR || candidate > 0.5 && candidate < 1 {
			continue
		}
		parts, err := partsOf(keys, excluded, candidate)
		if err != nil {
			return 0, err
		}
		if parts.bytes < least {
			rate, least = candidate, parts.bytes
		}
	}
	return rate, nil
}

// planBudget chooses the lowest rate with which the file takes at most so many
// bytes.
func planBudget(c filters.Config, excluded, budget uint64) (rate float64, err error) {
	best := 0.5 // of all rates, that of the smallest file
	if excluded > 0 {
		if best, err = smallest(c.Keys, excluded, 1); err != nil {
			return 0, err
		}
	}
	least, err := partsOf(c.Keys, excluded, best)
	if err != nil {
		return 0, err
	}
	if least.bytes > budget {
		room := float64(least.bytes)*1.005 + 2*filters.HeaderSize // it can come to a little more
		if c.MaxBytes != 0 {
			return 0, filters.TooSmall("MaxBytes", c.MaxBytes, math.Ceil(room))
		}
		return 0, filters.TooSmall("BitsPerKey", c.BitsPerKey, 8*(room-filters.HeaderSize)/float64(c.Keys))
	}
	fits := func(exponent float64) bool {
		parts, err := partsOf(c.Keys, excluded, math.Exp2(exponent))
		return err == nil && parts.bytes <= budget
	}
	// From there on, the lower the rate, the larger the file.
	low, high := math.Log2(filters.MinFPR), math.Log2(min(best, 0.5))
	switch {
	case fits(low):
		return filters.MinFPR, nil
	case !fits(high): // but without the first part it does
		return best, nil
	}
	for range 40 {
		if middle := (low + high) / 2; fits(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return math.Exp2(high), nil
}

// parts is what both parts take.
type parts struct {
	bytes  uint64 // of the file
	memory uint64 // to build them, and to put them together
}

// partsOf estimates the parts, of which the first has that rate.
func partsOf(keys, excluded uint64, rate float64) (p parts, err error) {
	p.bytes = filters.HeaderSize
	if rate < 1 {
		first, err := ribbon.Size(filters.Config{Keys: keys, FPR: rate})
		if err != nil {
			return p, err
		}
		p.bytes += first.Bytes
		p.memory += first.BuildBytes
	}
	if excluded > 0 {
		held := uint64(math.Ceil(float64(excluded) * rate))
		second, err := ribbon.RetrievalSize(keys+held, 1)
		if err != nil {
			return p, err
		}
		p.bytes += second.Bytes
		p.memory += second.BuildBytes + 16*held
	}
	p.memory += 3 * p.bytes
	return p, nil
}
