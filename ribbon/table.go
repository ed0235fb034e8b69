package ribbon

import (
	"encoding/binary"
	"fmt"

	"github.com/tamis-filter/tamis/asm"
	"github.com/tamis-filter/tamis/filters"
)

// The payload begins with a table of one cache line, as doc.go draws it. Behind it
// lie the solutions of all layers, then the thresholds of all but the last.
const (
	tableSize    = 64
	offNarrow    = 0
	offLayers    = 4
	offLastRound = 5
	offBlocks    = 8
)

// table is what the table of a payload holds, and the columns.
type table struct {
	columns   columns
	lastRound uint64
	blocks    []uint64 // of each layer
}

func (t *table) encode(payload []byte) {
	binary.LittleEndian.PutUint32(payload[offNarrow:], t.columns.narrow)
	payload[offLayers] = byte(len(t.blocks))
	payload[offLastRound] = byte(t.lastRound)
	for i, n := range t.blocks {
		binary.LittleEndian.PutUint64(payload[offBlocks+8*i:], n)
	}
}

// decodeTable reads and validates the table of a file, and all of its header
// that concerns it.
func decodeTable(file *filters.Envelope) (*table, error) {
	p := file.Payload
	if len(p) < tableSize {
		return nil, filters.Malformed("payload length", len(p), "must be at least 64")
	}
	t := &table{
		columns:   columns{int(file.Param), binary.LittleEndian.Uint32(p[offNarrow:])},
		lastRound: uint64(p[offLastRound]),
		blocks:    make([]uint64, min(p[offLayers], maxLayers)),
	}
	if c := t.columns; c.wide < 1 || c.wide > maxColumns || c.wide == 1 && c.narrow != 0 {
		return nil, filters.Malformed("columns", fmt.Sprintf("%d, narrow %d", c.wide, c.narrow), "must be 1 to 32, and 2 or more if some blocks have one less")
	}
	if int(p[offLayers]) != len(t.blocks) || (len(t.blocks) == 0) != (file.Keys == 0) {
		return nil, filters.Malformed("layers", p[offLayers], "must be 1 to 4, and 0 for no keys")
	}
	if n := len(t.blocks); t.lastRound >= maxLayers*lastLayerAttempts || n > 0 && t.lastRound%maxLayers != uint64(n-1) || n == 0 && t.lastRound != 0 {
		return nil, filters.Malformed("last round", t.lastRound, "must be a round of the last layer")
	}
	rows := uint64(0)
	for i := range t.blocks {
		n := binary.LittleEndian.Uint64(p[offBlocks+8*i:])
		if n < 2 || n > filters.MaxPayload/8 {
			return nil, filters.Malformed("blocks", n, "must be 2 to 2^35")
		}
		t.blocks[i] = n
		rows += 64 * n
	}
	if rows != file.Size {
		return nil, filters.Malformed("size", file.Size, fmt.Sprintf("the layers have %d rows", rows))
	}
	if file.Keys != file.Capacity || file.Keys > rows {
		return nil, filters.Malformed("keys", file.Keys, fmt.Sprintf("must be the capacity, %d, and at most the rows, %d", file.Capacity, rows))
	}
	canonical := make([]byte, tableSize)
	t.encode(canonical)
	if string(canonical) != string(p[:tableSize]) {
		return nil, filters.Malformed("table", fmt.Sprintf("%x", p[:tableSize]), "has bytes that must be 0")
	}
	if want := payloadBytes(t.blocks, t.columns); want != uint64(len(p)) {
		return nil, filters.Malformed("payload length", len(p), fmt.Sprintf("the layers take %d", want))
	}
	return t, nil
}

// filter makes the filter of a file whose table is t.
func (t *table) filter(file filters.Envelope) *Filter {
	layers := make([]asm.RibbonLayer, len(t.blocks))
	rest := file.Payload[tableSize:]
	take := func(n uint64) []byte {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	for i, n := range t.blocks {
		layers[i] = asm.RibbonLayer{
			Starts:   64 * (n - 1),
			Columns:  t.columns.wide,
			Narrow:   t.columns.narrowBlocks(n),
			Tiled:    t.columns == forTiles,
			Solution: take(t.columns.solutionBytes(n)),
		}
	}
	for i, n := range t.blocks[:max(0, len(t.blocks)-1)] {
		layers[i].Thresholds = take(thresholdBytes(n))
	}
	return &Filter{file: file, columns: t.columns, ribbon: asm.MakeRibbon(layers, t.lastRound)}
}
