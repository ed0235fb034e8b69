package asm

// Kernel is a function that is written for a level besides Generic.
type Kernel struct {
	Name      string // of the function that it stands in for
	Level     Level
	Limits    string // what it is not for; then a lower level does it
	Available bool   // on this machine and in this build
}

// Kernels lists the kernels of this build, for reports and tests.
func Kernels() []Kernel {
	list := make([]Kernel, len(kernels))
	for i, k := range kernels {
		for _, l := range Levels() {
			k.Available = k.Available || l == k.Level
		}
		list[i] = k
	}
	return list
}
