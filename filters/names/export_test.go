package names

var (
	IsPlain   = isPlain
	Canonical = canonical
)
