// Package filtertest is the conformance suite that every family passes: what
// the interfaces and the file format of package filters promise, checked from
// outside. A family's own package calls [Run] from a test.
package filtertest
