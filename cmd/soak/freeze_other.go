//go:build !unix

package main

import (
	"errors"
	"time"
)

// freeze is not needed here: the part processes, which uses it, is skipped, because package postgrestest
// starts no servers.
func (*supervised) freeze(time.Duration) error { return errors.ErrUnsupported }
