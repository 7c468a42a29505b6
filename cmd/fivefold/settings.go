package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fivefold/bot/admin"
	"fivefold/bot/discord"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/storage"
)

// The names of the settings.
const (
	envToken    = "DISCORD_TOKEN"
	envGuild    = "DISCORD_GUILD_ID"
	envBaseURL  = "DISCORD_BASE_URL"
	envShards   = "DISCORD_SHARDS"
	envShardIDs = "DISCORD_SHARD_IDS"
	envStore    = "FIVEFOLD_STORE"
	envPassword = "PGPASSWORD"
	envData     = "FIVEFOLD_DATA"
	envKeep     = "FIVEFOLD_KEEP"
	envIdle     = "FIVEFOLD_IDLE"
	envAnswers  = "FIVEFOLD_ANSWERS"
	envGuesses  = "FIVEFOLD_GUESSES"
	envTrees    = "FIVEFOLD_TREES"
	envLog      = "FIVEFOLD_LOG"
	envLogLevel = "FIVEFOLD_LOG_LEVEL"

	envAdmin       = "FIVEFOLD_ADMIN"
	envBackupDir   = "FIVEFOLD_BACKUP_DIR"
	envBackupEvery = "FIVEFOLD_BACKUP_EVERY"
	envBackupKeep  = "FIVEFOLD_BACKUP_KEEP"
)

// settingsTable says what each setting is for, in the order of the help.
var settingsTable = []setting{
	{envToken, "the bot's token; without it, fivefold plays in the terminal"},
	{envGuild, "register commands in this server only, at once; empty for everywhere"},
	{envBaseURL, "Discord's address (https://discord.com/), or that of a rate-limit proxy"},
	{envShards, "how many connections all processes share: auto, or a number (auto)"},
	{envShardIDs, "which of them are this process's, such as 0-3 (all)"},
	{envPublicKey, "the application's public key, for FIVEFOLD_HTTP"},
	{envHTTP, "take interactions by HTTP at this address, such as :8080, instead of over the\ngateway"},
	{envHTTPPath, "where Discord posts them (/interactions)"},
	{envTLSCert, "a certificate's file, where no balancer ends TLS"},
	{envTLSKey, "the file of its key"},
	{envGateway, "on keeps the gateway as well, in one process of many (off)"},
	{envStore, "where games are kept: bolt:PATH (fivefold.db in the data folder;\nterminal.db there when playing in the terminal), or a PostgreSQL database:\npostgres://USER@HOST/DATABASE"},
	{envPassword, "the password of that database, unless a file has it (PGPASSFILE)"},
	{envData, "the data folder (the user's, such as ~/.local/share/fivefold)"},
	{envKeep, "how long finished games are kept, such as 365d, from 7d (for ever);\nstatistics go on counting them"},
	{envIdle, "how long nobody may move until a game counts as given up, such as 90m, or off\n(24h)"},
	{envAnswers, "a file of words to find, one a line, instead of the built-in list"},
	{envGuesses, "a file of words that may be guessed, instead of the built-in list"},
	{envTrees, "files that \"fivefold tree\" wrote for your own lists, with commas between\nthem; hints are then found at once"},
	{envLog, "how to log: text or json (text)"},
	{envLogLevel, "the least to log: debug, info, warn or error (info; warn in the terminal)"},
	{envAdmin, "where the running bot shows how it is: unix:PATH, 127.0.0.1:PORT, or\nseveral with commas between them (off)"},
	{envBackupDir, "a folder in which the running bot keeps copies of its store (none)"},
	{envBackupEvery, "how often it makes one, such as 24h or 90m (24h)"},
	{envBackupKeep, "how many of them it keeps (7)"},
}

type setting struct{ name, help string }

func settingsHelp() string {
	width := 0
	for _, s := range settingsTable {
		width = max(width, len(s.name))
	}
	var b strings.Builder
	for _, s := range settingsTable {
		text := fill(strings.ReplaceAll(s.help, "\n", " "), helpWidth-width-4)
		fmt.Fprintf(&b, "  %-*s  %s\n", width, s.name, strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", width+4)))
	}
	return b.String()
}

// secret is a text that is never printed: what is printed is only whether it is set.
type secret string

func (s secret) String() string {
	if s == "" {
		return "not set"
	}
	return "set"
}

// GoString is String, for %#v.
func (s secret) GoString() string { return s.String() }

// LogValue is String, for logs.
func (s secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// settings are all settings, checked.
type settings struct {
	token    secret
	guild    string
	baseURL  *url.URL
	shards   discord.Shards
	http     httpSettings
	store    string // empty for the default
	password secret // of a database
	data     string
	keep     time.Duration // 0 for ever
	idle     time.Duration // 0 for never
	lists    *wordle.Lists
	trees    []*solver.Tree
	logJSON  bool
	logLevel *slog.Level // nil for the default

	admin       []admin.Address
	backupDir   string // empty for no scheduled copies
	backupEvery time.Duration
	backupKeep  int
}

// storeURL is where games are kept: by default in a file of that name in the data folder.
func (s settings) storeURL(file string) string {
	if s.store != "" {
		return s.store
	}
	return "bolt:" + filepath.Join(s.data, file)
}

// settingsOf says which settings a command reads: each value includes the values before it.
// Settings that a command does not use are not checked.
type settingsOf int

const (
	ofGames    settingsOf = iota // where games are kept, word lists, logs
	ofOperator                   // of the running bot: its admin address and backups
	ofBot                        // of Discord
	ofBotToken                   // and there must be a token
)

// settings reads and checks the settings that a command uses. Its error joins all
// faults, each with its variable's name and never with the token.
func (p *program) settings(of settingsOf) (settings, error) {
	var (
		s      settings
		err    error
		faults []error
		files  int // how many faults are about files; a restart may cure them
	)
	fault := func(name, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s: %w", name, fmt.Errorf(format, args...)))
	}
	if err := p.readDotEnv(of); err != nil {
		var errno syscall.Errno
		if errors.As(err, &errno) {
			files++
		}
		fault(dotEnv, "%w", err)
	}
	get := func(name string) string { return strings.TrimSpace(p.env[name]) }

	if of >= ofBot {
		s.token = secret(strings.TrimPrefix(get(envToken), "Bot "))
		if strings.ContainsFunc(string(s.token), func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\'' }) {
			fault(envToken, "it has a space, a quote or another character that no token has; copy it again")
		}
		if s.token == "" && of == ofBotToken {
			fault(envToken, "it is not set; README.md says how to get one, and \"fivefold play\" needs none")
		}
		s.guild = get(envGuild)
		if strings.Trim(s.guild, "0123456789") != "" || len(s.guild) > 20 {
			fault(envGuild, "%q is not a server's id, which is a number of up to 20 digits", s.guild)
		}
		if s.baseURL, err = baseURL(get(envBaseURL)); err != nil {
			fault(envBaseURL, "%w", err)
		}
		if s.shards.Count, err = shardCount(get(envShards)); err != nil {
			fault(envShards, "%w", err)
		} else if s.shards.IDs, err = shardIDs(get(envShardIDs), s.shards.Count); err != nil {
			fault(envShardIDs, "%w", err)
		}
	}
	if of >= ofBot {
		s.http = readHTTPSettings(get, fault)
	}
	s.store, s.password = get(envStore), secret(p.env[envPassword])
	if s.store != "" {
		if err := storage.Check(s.store); err != nil {
			fault(envStore, "%w", err)
		}
	}
	if s.data = get(envData); s.data == "" {
		if s.data, err = defaultData(runtime.GOOS, get); err != nil && s.store == "" {
			fault(envData, "%w", err)
		}
	}
	if s.keep, err = keepTime(get(envKeep)); err != nil {
		fault(envKeep, "%w", err)
	}
	if s.idle, err = idleTime(get(envIdle)); err != nil {
		fault(envIdle, "%w", err)
	}
	if s.lists, err = readLists(context.Background(), listFile{envAnswers, get(envAnswers)}, listFile{envGuesses, get(envGuesses)}); err != nil {
		files++
		faults = append(faults, err)
	} else if s.trees, err = readTrees(s.lists, get(envTrees)); err != nil {
		files++
		fault(envTrees, "%w", err)
	}
	switch format := get(envLog); format {
	case "", "text":
	case "json":
		s.logJSON = true
	default:
		fault(envLog, "%q is neither text nor json", format)
	}
	if level := get(envLogLevel); level != "" {
		s.logLevel = new(slog.Level)
		if err := s.logLevel.UnmarshalText([]byte(level)); err != nil {
			fault(envLogLevel, "%q is none of debug, info, warn and error", level)
		}
	}
	if of >= ofOperator {
		p.operatorSettings(&s, get, fault)
	}
	if len(faults) > 0 {
		err := fmt.Errorf("please correct these settings:\n%w", errors.Join(faults...))
		if files == 0 {
			return s, wrongUseError{err}
		}
		return s, err
	}
	return s, nil
}

// operatorSettings reads what ofOperator adds.
func (*program) operatorSettings(s *settings, get func(name string) string, fault func(name, format string, args ...any)) {
	var err error
	if text := get(envAdmin); text != "" {
		for part := range strings.SplitSeq(text, ",") {
			a, err := admin.ParseAddress(strings.TrimSpace(part))
			if err != nil {
				fault(envAdmin, "%w", err)
				continue
			}
			s.admin = append(s.admin, a)
		}
	}
	s.backupDir = get(envBackupDir)
	if _, err := storage.Path(s.store); s.backupDir != "" && errors.Is(err, storage.ErrNoFile) {
		fault(envBackupDir, "%w", err)
	}
	s.backupEvery = 24 * time.Hour
	if text := get(envBackupEvery); text != "" {
		if s.backupEvery, err = time.ParseDuration(text); err != nil || s.backupEvery < time.Minute {
			fault(envBackupEvery, "%q is not a duration of at least a minute, such as 24h or 90m", text)
		}
	}
	s.backupKeep = 7
	if text := get(envBackupKeep); text != "" {
		if s.backupKeep, err = strconv.Atoi(text); err != nil || s.backupKeep < 1 {
			fault(envBackupKeep, "%q is not a number from 1", text)
		}
	}
}

// leastKeep is the least time for which finished games are kept. The days of the latest
// daily puzzles, and of requests that may come again, are well within it.
const leastKeep = 7 * 24 * time.Hour

// keepTime reads a duration in days, such as 365d, or one in the form of [time.ParseDuration].
// It is 0, for ever, for an empty text.
func keepTime(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	var keep time.Duration
	var err error
	if days, inDays := strings.CutSuffix(text, "d"); inDays {
		const most = 36_500 // a hundred years
		var n int
		if n, err = strconv.Atoi(days); n > most {
			err = errors.New("too long")
		}
		keep = time.Duration(n) * 24 * time.Hour
	} else {
		keep, err = time.ParseDuration(text)
	}
	if err != nil || keep < leastKeep {
		return 0, fmt.Errorf("%q is not a duration of at least 7d, such as 365d; leave it empty to keep finished games for ever", text)
	}
	return keep, nil
}

// idleTime reads how long a game may go without a move; 0 is for ever.
func idleTime(text string) (time.Duration, error) {
	switch text {
	case "":
		return 24 * time.Hour, nil
	case "off":
		return 0, nil
	}
	idle, err := time.ParseDuration(text)
	if err != nil || idle < time.Minute {
		return 0, fmt.Errorf("%q is neither off nor a duration of at least a minute, such as 24h or 90m", text)
	}
	return idle, nil
}

func baseURL(text string) (*url.URL, error) {
	if text == "" {
		text = discord.DefaultBaseURL
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is not an address such as %s", text, discord.DefaultBaseURL)
	}
	return u, nil
}

// defaultData is the folder where the system keeps a user's data.
func defaultData(system string, get func(string) string) (string, error) {
	home := get("HOME")
	switch {
	case system == "windows" && get("LOCALAPPDATA") != "":
		return filepath.Join(get("LOCALAPPDATA"), "Fivefold"), nil
	case system == "windows" && get("USERPROFILE") != "":
		return filepath.Join(get("USERPROFILE"), "AppData", "Local", "Fivefold"), nil
	case system == "darwin" && home != "":
		return filepath.Join(home, "Library", "Application Support", "Fivefold"), nil
	case filepath.IsAbs(get("XDG_DATA_HOME")): // the XDG specification says to ignore a relative one
		return filepath.Join(get("XDG_DATA_HOME"), "fivefold"), nil
	case home != "":
		return filepath.Join(home, ".local", "share", "fivefold"), nil
	}
	return "", errors.New("the home folder is not known; set this to the folder for games")
}
