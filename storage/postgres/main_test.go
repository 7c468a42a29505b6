package postgres_test

import (
	"testing"

	"fivefold/storage/postgres/postgrestest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }
