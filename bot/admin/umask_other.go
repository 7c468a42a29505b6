//go:build !unix

package admin

// setUmask does nothing: there is no such mask here.
func setUmask(int) (reset func()) { return func() {} }
