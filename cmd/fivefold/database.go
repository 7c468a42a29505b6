package main

import (
	"fmt"

	"fivefold/storage/postgres"
)

// advised adds to the error of a database what to do about it. Other errors stay as they are.
func advised(err error) error {
	if advice := postgres.Advice(err); advice != "" {
		return fmt.Errorf("%w\n%s", err, advice)
	}
	return err
}
