package main
import "context"
const envEcho = "FIVEFOLD_SOAK_ECHO"
func echo() int { return 1 }
func mutations(ctx context.Context, s *soak) error { return nil }
func memory(ctx context.Context, s *soak) error { return nil }
func load(ctx context.Context, s *soak) error { return nil }
