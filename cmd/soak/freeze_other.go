//go:build !unix

package main

import (
	"errors"
	"time"
)

// freeze is not needed here: there is no server that the processes could share.
func (*supervised) freeze(time.Duration) error { return errors.ErrUnsupported }
