// Command fivefold is a word game for Discord, and for the terminal.
//
// Without a subcommand it serves Discord where DISCORD_TOKEN is set, and
// otherwise plays in the terminal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"fivefold/storage/bolt"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal asks for a clean end; with the default back, a second
	// one kills.
	context.AfterFunc(ctx, stop)
	if err := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "fivefold: %v\n", err)
		os.Exit(exitCode(err))
	}
}

// exitRestart asks a supervisor to start the program again: EX_TEMPFAIL of sysexits.h.
const exitRestart = 75

func exitCode(err error) int {
	if errors.Is(err, bolt.ErrSync) {
		return exitRestart
	}
	return 1
}

// run is the whole program. The environment is a list of NAME=value, as
// os.Environ returns it; a file .env in the working folder adds what it does
// not set. When ctx ends, run ends cleanly and returns nil.
func run(ctx context.Context, args, environ []string, in io.Reader, out, errOut io.Writer) error {
	env := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		env[name] = value
	}
	p := &program{env: env, in: in, out: out, errOut: errOut}
	root := p.commands()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	return root.ExecuteContext(ctx)
}

// program is what every subcommand works with.
type program struct {
	env         map[string]string
	in          io.Reader
	out, errOut io.Writer
}

func (p *program) commands() *cobra.Command {
	root := &cobra.Command{
		Use:   "fivefold",
		Short: "A word game for Discord, and for the terminal",
		Long: "A word game for Discord, and for the terminal.\n\n" +
			"Without a subcommand: serves Discord where DISCORD_TOKEN is set, and otherwise\nplays in the terminal.\n\n" +
			"Settings, from the environment or a file .env:\n" + settingsHelp(),
		Args:          cobra.NoArgs,
		SilenceErrors: true, // main prints them
		SilenceUsage:  true,
		Version:       version,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.settings(false)
			if err != nil {
				return err
			}
			if s.token != "" {
				return p.serveDiscord(cmd.Context(), s)
			}
			return p.play(cmd.Context(), s)
		},
	}
	root.SetVersionTemplate(versionLine() + "\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	withSettings := func(needToken bool, run func(context.Context, settings) error) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, _ []string) error {
			s, err := p.settings(needToken)
			if err != nil {
				return err
			}
			return run(cmd.Context(), s)
		}
	}
	root.AddCommand(
		&cobra.Command{
			Use:   "play",
			Short: "Play in the terminal, with the same commands as on Discord",
			Long: "Play in the terminal, with the same commands as on Discord.\n\n" +
				"Lines are read from a pipe too. \"as NAME\" changes the player, \"quit\" ends.\n" +
				"Games and statistics are kept in terminal.db in the data folder, and what was\n" +
				"typed in the file lines.",
			Args: cobra.NoArgs,
			RunE: withSettings(false, p.play),
		},
		&cobra.Command{
			Use:   "bot",
			Short: "Serve Discord; needs DISCORD_TOKEN",
			Long: "Serve Discord until SIGINT or SIGTERM. It needs DISCORD_TOKEN; \"fivefold --help\"\n" +
				"lists all settings. Games and statistics are kept in fivefold.db in the data folder.",
			Args: cobra.NoArgs,
			RunE: withSettings(true, p.serveDiscord),
		},
		p.doctorCommand(),
		p.healthyCommand(),
		p.backupCommand(),
		p.restoreCommand(),
		p.checkCommand(),
		p.repairCommand(),
		p.compactCommand(),
		p.historyCommand(),
		p.solveCommand(),
		p.treeCommand(),
		p.openersCommand(),
		p.explainCommand(),
		p.reviewCommand(),
		p.pokleCommand(),
		p.simulateCommand(),
		&cobra.Command{
			Use:   "version",
			Short: "Print the version",
			Args:  cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := fmt.Fprintln(p.out, versionLine())
				return err
			},
		},
	)
	return root
}
