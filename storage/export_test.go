package storage

import "fivefold/storage/ordered"

// Saved waits until everything is saved that is saved in the background.
func (s *Store) Saved() { s.background.Wait() }

// Map returns the map of the store.
func (s *Store) Map() ordered.Map { return s.m }
