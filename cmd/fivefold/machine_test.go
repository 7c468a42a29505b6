package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// machine is a machine on which documents install the bot, and run it as a service on the
// fake Discord. Its folders are in one of the test's, and all its users are the test's own; the commands that
// only root can use are scripts that do as much as the test needs.
type machine struct {
	root    string // in place of /
	cwd     string
	env     []string
	mapping *strings.Replacer // of its folders to the test's
	reverse *strings.Replacer
}

// machineToken is the token in the documents.
const machineToken = "YOUR_TOKEN"

// machineFolders are the folders that documents name.
var machineFolders = []string{"/etc/fivefold", "/etc/systemd/system", "/usr/local/bin", "/var/lib/fivefold", "/var/backups/fivefold", "/run/fivefold", "/tmp"}

// machineScripts are the machine's commands, apart from those that every machine has.
var machineScripts = map[string]string{
	"sudo":    `[ "$1" != -u ] || shift 2; exec "$@"`,
	"useradd": "exit 0",
	"chown":   "exit 0",
	"go":      `[ "$*" = "build ./cmd/fivefold" ] && cp "$ROOT/programs/fivefold" fivefold`,
	"install": `for arg; do shift; case $arg in -[og]) owner=1 ;; *) [ "$owner" ] || set -- "$@" "$arg"; owner= ;; esac; done; exec /usr/bin/install "$@"`,
	// systemctl does what the unit says: one process, in that folder, that must get ready.
	"systemctl": `
stop() {
	[ -f "$ROOT/run/fivefold/pid" ] || return 0
	kill $(cat "$ROOT/run/fivefold/pid")
	while kill -0 $(cat "$ROOT/run/fivefold/pid") 2>/dev/null; do sleep 0.02; done
	rm "$ROOT/run/fivefold/pid"
}
start() {
	cd "$ROOT/etc/fivefold" && install -d -o fivefold -g fivefold -m 700 "$ROOT/run/fivefold" "$ROOT/var/lib/fivefold" || exit 1
	sudo -u fivefold sh -c 'echo $$ >"$ROOT/run/fivefold/pid"; exec "$ROOT/usr/local/bin/fivefold" bot 2>>"$ROOT/run/fivefold/log"' >/dev/null 2>&1 &
	fivefold healthy --ready --wait 2m >/dev/null || { cat "$ROOT/run/fivefold/log"; exit 1; }
}
case "$*" in
daemon-reload) ;;
"start fivefold" | "enable --now fivefold") start ;;
"stop fivefold" | "disable --now fivefold") stop ;;
"restart fivefold") stop; start ;;
*) echo "systemctl does not know: $*"; exit 1 ;;
esac`,
	"journalctl": `[ "$1 $2" = "-u fivefold" ] && cat "$ROOT/run/fivefold/log"`,
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	root := filepath.Dir(socketPath(t)) // its path is short
	discord := discordtest.New(t, discordtest.Options{Token: machineToken})
	m := &machine{root: root, cwd: filepath.Join(root, "fivefold")}
	var to, from []string
	for _, folder := range machineFolders {
		to, from = append(to, folder, strings.ReplaceAll(root, " ", `\ `)+folder), append(from, root+folder, folder)
	}
	m.mapping, m.reverse = strings.NewReplacer(to...), strings.NewReplacer(append(from, discord.URL(), "https://discord.com/")...)
	m.env = []string{
		beSession + "=1", "ROOT=" + root, "HOME=" + root, "DISCORD_BASE_URL=" + discord.URL(),
		fmt.Sprintf("PATH=%s/bin:%[1]s/usr/local/bin:/usr/bin:/bin", root),
	}
	var err error
	for _, folder := range []string{"bin", "programs", "etc/systemd/system", "usr/local/bin", "tmp", "fivefold"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	repository, failed := filepath.Abs("../..")
	self, noSelf := os.Executable()
	program, unread := os.ReadFile(self)
	err = errors.Join(err, failed, noSelf, unread,
		os.WriteFile(filepath.Join(root, "programs/fivefold"), program, 0o755),
		os.Symlink(filepath.Join(repository, "docs"), filepath.Join(m.cwd, "docs")),
		os.Symlink(filepath.Join(repository, ".env.example"), filepath.Join(m.cwd, ".env.example")),
	)
	for name, script := range machineScripts {
		err = errors.Join(err, os.WriteFile(filepath.Join(root, "bin", name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if out, err := m.run(context.Background(), "sudo systemctl stop fivefold"); err != nil {
			t.Errorf("stopping the bot: %v: %s", err, out)
		}
	})
	return m
}

// run is [shell.run] on the machine, where nothing is typed.
func (m *machine) run(ctx context.Context, command string) ([]string, error) {
	command = m.mapping.Replace(command)
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.Dir, cmd.Env = m.cwd, m.env
	out, err := cmd.CombinedOutput()
	if folder, ok := strings.CutPrefix(command, "cd "); ok && err == nil {
		m.cwd = strings.ReplaceAll(folder, `\ `, " ")
	}
	return []string{strings.ReplaceAll(m.reverse.Replace(string(out)), mark, "")}, err
}
