package main

import (
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"
)

// bePictured makes the test binary run the program for [TestTerminalPicture].
const bePictured = "FIVEFOLD_TEST_BE_PICTURED"

// pictured is the program on a fixed day. The first word is MAJOR.
func pictured() {
	random := rand.New(rand.NewPCG(5, 5))
	drawn := false
	tuned := tuning
	tuned.Pick = func(n int) int {
		if !drawn {
			drawn = true
			return pickWord("major", n)
		}
		return random.IntN(n)
	}
	var calls atomic.Int64
	begin := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	tuned.Now = func() time.Time { return begin.Add(time.Duration(calls.Add(1)) * time.Second) }
	os.Exit(start(tuned))
}
