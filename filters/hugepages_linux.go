package filters

import (
	"os"
	"syscall"
	"unsafe"
)

// hugePages asks the kernel for huge pages under an array that has not been
// written yet: random reads of a large filter otherwise miss the translation
// cache too. It is a hint; a kernel that cannot or will not changes nothing.
func hugePages(array []byte) {
	page := uintptr(os.Getpagesize())
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(array))) % page
	whole := (uintptr(len(array)) - skip) / page * page
	_ = syscall.Madvise(array[skip:skip+whole], syscall.MADV_HUGEPAGE)
}
