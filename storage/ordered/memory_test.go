package ordered_test

import (
	"testing"

	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

func TestMemory(t *testing.T) {
	orderedtest.Run(t, false, func(*testing.T) ordered.Map { return &ordered.Memory{} })
}
