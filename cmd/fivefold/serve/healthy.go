package serve

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"fivefold/bot/admin"
	"fivefold/cmd/fivefold/cli"
	"fivefold/cmd/fivefold/settings"
)

// HealthyCommand is the subcommand healthy.
func HealthyCommand(p *cli.Program) *cobra.Command {
	var (
		ready bool
		wait  time.Duration
	)
	cmd := &cobra.Command{
		Use:   "healthy",
		Short: "Ask the running bot whether it works",
		Long: "Ask the running bot at FIVEFOLD_ADMIN whether it works. The exit code is 0 only if it does, as Docker's " +
			"HEALTHCHECK wants it. With --ready, it must also be connected to Discord, and its store must take changes. " +
			"With --wait, it is asked again until it does, such as after a start.",
		Example: "  fivefold healthy\n  fivefold healthy --ready --wait 1m",
		Args:    cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&ready, "ready", false, "ask whether it can serve players")
	cmd.Flags().DurationVar(&wait, "wait", 0, "how long to go on asking until it works")
	cmd.RunE = settings.With(p, settings.OfStore, func(ctx context.Context, p *cli.Program, s settings.Settings, _ []string) error {
		if len(s.Admin) == 0 {
			return cli.WrongUse("%s is not set, so the bot cannot be asked", settings.EnvAdmin)
		}
		client := admin.NewClient(s.Admin[0])
		ask := client.Healthy
		if ready {
			ask = client.Ready
		}
		for end := time.Now().Add(wait); ; time.Sleep(100 * time.Millisecond) {
			err := ask(ctx)
			if err == nil {
				_, err = fmt.Fprintln(p.Out, "ok")
				return err
			}
			if ctx.Err() != nil || !time.Now().Before(end) {
				return err
			}
		}
	})
	return cmd
}
