package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// machine is a machine on which documents install the bot, and run it as a service on the
// fake Discord. Its folders are in one of the test's; the commands that only root can use
// are scripts that do as much as the test needs.
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
	"sudo":    `[ "$1" = -u ] && shift 2; exec "$@"`,
	"useradd": "exit 0",
	"chown":   "exit 0",
	"go":      `[ "$*" = "build ./cmd/fivefold" ] && cp -L "$(command -v fivefold)" fivefold`,
	"install": `set -- $(echo " $* " | sed 's/ -[og] [a-z]*//g'); exec /usr/bin/install "$@"`,
	// systemctl does what the unit says: one process, in that folder, that must get ready.
	"systemctl": `
stop() {
	[ -f $ROOT/pid ] || return 0
	kill $(cat $ROOT/pid)
	while kill -0 $(cat $ROOT/pid) 2>/dev/null; do sleep 0.02; done
	rm $ROOT/pid
}
start() {
	cd $ROOT/etc/fivefold && mkdir -p $ROOT/run/fivefold $ROOT/var/lib/fivefold || exit 1
	$ROOT/usr/local/bin/fivefold bot >>$ROOT/log 2>&1 &
	echo $! >$ROOT/pid
	tries=0
	until fivefold healthy --ready >/dev/null 2>&1; do
		tries=$((tries+1))
		if [ $tries = 6000 ] || ! kill -0 $(cat $ROOT/pid); then cat $ROOT/log; exit 1; fi
		sleep 0.05
	done
}
case "$*" in
daemon-reload) ;;
"start fivefold" | "enable --now fivefold") start ;;
"stop fivefold" | "disable --now fivefold") stop ;;
"restart fivefold") stop; start ;;
*) echo "systemctl does not know: $*"; exit 1 ;;
esac`,
	"journalctl": `[ "$1 $2" = "-u fivefold" ] && cat $ROOT/log`,
}

func newMachine(t *testing.T, programs string) *machine {
	t.Helper()
	root := filepath.Dir(socketPath(t)) // its path is short
	discord := discordtest.New(t, discordtest.Options{Token: machineToken})
	m := &machine{root: root, cwd: filepath.Join(root, "fivefold")}
	var to, from []string
	for _, folder := range machineFolders {
		to, from = append(to, folder, root+folder), append(from, root+folder, folder)
	}
	m.mapping, m.reverse = strings.NewReplacer(to...), strings.NewReplacer(append(from, discord.URL(), "https://discord.com/")...)
	m.env = []string{
		beSession + "=1", "ROOT=" + root, "HOME=" + root, "DISCORD_BASE_URL=" + discord.URL(),
		"PATH=" + filepath.Join(root, "bin") + ":" + programs + ":/usr/bin:/bin",
	}
	repository, err := filepath.Abs("../..")
	err = errors.Join(err,
		os.Mkdir(m.cwd, 0o755), os.Mkdir(filepath.Join(root, "bin"), 0o755),
		os.MkdirAll(filepath.Join(root, "etc/systemd/system"), 0o755), os.MkdirAll(filepath.Join(root, "usr/local/bin"), 0o755),
		os.Mkdir(filepath.Join(root, "tmp"), 0o755),
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
		if out, err := m.run(context.Background(), "systemctl stop fivefold"); err != nil {
			t.Errorf("stopping the bot: %v: %s", err, out)
		}
	})
	return m
}

// run is [shell.run] on the machine, where nothing is typed.
func (m *machine) run(ctx context.Context, command string) ([]string, error) {
	command = m.mapping.Replace(command)
	if folder, ok := strings.CutPrefix(command, "cd "); ok {
		m.cwd = folder
		_, err := os.Stat(folder)
		return []string{""}, err
	}
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.Dir, cmd.Env = m.cwd, m.env
	out, err := cmd.CombinedOutput()
	return []string{strings.ReplaceAll(m.reverse.Replace(string(out)), mark, "")}, err
}
