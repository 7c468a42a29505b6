package game_test

import (
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

func TestMemory(t *testing.T) {
	var stores sync.Map // one for each test
	storagetest.Run(t, storagetest.Games(), func(t *testing.T) game.Store {
		s, _ := stores.LoadOrStore(t.Name(), newMemory())
		return s.(*memory)
	})
}
