package game_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
)

// plain is a match in turns or by vote in plain code.
type plain struct {
	vote    bool
	tickets map[game.PlayerID]int // of those who are in, ascending as they joined
	next    int                   // ticket
	missed  map[game.PlayerID]int // turns in a row
	turn    game.PlayerID
	due     time.Time // zero for none
	wants   map[game.PlayerID]string
	when    map[game.PlayerID]int // what they want was proposed
	clock   int
	made    []string // guesses
	by      []game.PlayerID
}

func (p *plain) join(player game.PlayerID) {
	if p.tickets[player] > 0 {
		return
	}
	p.next++
	p.tickets[player] = p.next
	if !p.vote && len(p.tickets) == 2 {
		p.due = time.Now().Add(2 * time.Minute)
	}
}

// pass gives the turn to the next one: the one who joined first after the present one or, after the last, the first.
func (p *plain) pass() {
	now, lowest, next := p.tickets[p.turn], game.PlayerID(""), game.PlayerID("")
	for player, ticket := range p.tickets {
		if lowest == "" || ticket < p.tickets[lowest] {
			lowest = player
		}
		if ticket > now && (next == "" || ticket < p.tickets[next]) {
			next = player
		}
	}
	if p.turn = next; next == "" {
		p.turn = lowest
	}
	p.due = time.Now().Add(2 * time.Minute)
}

func (p *plain) guess(player game.PlayerID, word string) error {
	_, in := p.tickets[player]
	p.join(player)
	switch {
	case p.vote && slices.Contains(p.made, word):
		if !in {
			delete(p.tickets, player) // a refused proposal is nothing
		}
		return errors.New("repeated")
	case p.vote:
		if len(p.wants) == 0 {
			p.due = time.Now().Add(20 * time.Second)
		}
		if p.wants[player] != word {
			p.clock++
			p.wants[player], p.when[player] = word, p.clock
		}
		if len(p.wants) == len(p.tickets) {
			p.play()
		}
	case !in:
	case p.turn != player:
		return game.ErrNotTurn
	case slices.Contains(p.made, word):
		return errors.New("repeated")
	default:
		p.made, p.by, p.missed[player] = append(p.made, word), append(p.by, player), 0
		p.pass()
	}
	return nil
}

// play plays what most want.
func (p *plain) play() {
	votes, first := map[string]int{}, map[string]game.PlayerID{}
	for player, word := range p.wants {
		votes[word]++
		if other, ok := first[word]; !ok || p.when[player] < p.when[other] {
			first[word] = player
		}
	}
	words := slices.SortedFunc(maps.Keys(votes), func(a, b string) int {
		if votes[a] != votes[b] {
			return votes[b] - votes[a]
		}
		return p.when[first[a]] - p.when[first[b]]
	})
	p.made, p.by = append(p.made, words[0]), append(p.by, first[words[0]])
	clear(p.wants)
}

// meet does what is due.
func (p *plain) meet() {
	switch {
	case p.vote && len(p.wants) > 0 && !time.Now().Before(p.due):
		p.play()
	case !p.vote && len(p.tickets) > 1 && !time.Now().Before(p.due):
		was := p.turn
		p.pass()
		if p.missed[was]++; p.missed[was] == 2 {
			delete(p.tickets, was)
			p.missed[was] = 0
		}
	}
}

// TestPacedAsPlain plays matches in turns and by vote at random, each on two machines that share a store, and compares them after
// each step with plain code.
func TestPacedAsPlain(t *testing.T) {
	words := []string{"slate", "brick", "mound", "shave", "grape", "fuzzy", "hover", "pilot"}
	lists := mustLists(t, "crane", strings.Join(words, " "))
	players := []game.PlayerID{"ana", "ben", "cara", "dora"}
	passed, left, ties := 0, 0, 0
	for round := range uint64(120) {
		synctest.Test(t, func(t *testing.T) {
			s, random := newMemory(), rand.New(rand.NewPCG(37, round))
			machines := []machine{newManager(s, lists), newManager(s, lists)}
			for _, m := range machines {
				m.Now = time.Now
			}
			p := plain{vote: round%2 == 0, tickets: map[game.PlayerID]int{}, missed: map[game.PlayerID]int{}, wants: map[game.PlayerID]string{}, when: map[game.PlayerID]int{}, turn: "ana"}
			p.join("ana")
			mode := "turns"
			if p.vote {
				mode = "vote"
			}
			match := mustPlay(t, machines[0], place, "ana start "+mode)
			for step := range 60 {
				m, player, word := machines[random.IntN(2)], players[random.IntN(4)], words[random.IntN(len(words))]
				what := ""
				switch random.IntN(6) {
				case 0:
					what = string(player) + " join"
					p.join(player)
					mustPlay(t, m, place, what)
				case 1:
					d := time.Duration(1+random.IntN(150_000)) * time.Millisecond
					what = d.String()
					time.Sleep(d)
					before, in := len(p.made), len(p.tickets)
					if len(p.wants) > 1 && !time.Now().Before(p.due) {
						ties++
					}
					if !p.vote && in > 1 && !time.Now().Before(p.due) {
						passed++
					}
					p.meet()
					if before == len(p.made) && len(p.tickets) < in {
						left++
					}
					if err := m.MeetDeadlines(t.Context()); err != nil {
						t.Fatal(err)
					}
				default:
					typed := word
					if random.IntN(2) == 0 {
						typed = " " + strings.ToUpper(word)
					}
					what = fmt.Sprint(player, " guess ", word)
					want := p.guess(player, word)
					_, err := m.Move(t.Context(), game.Origin{Request: game.RequestID(fmt.Sprint("s", step)), Location: place, Player: player}, matches.Target{Kind: wordgame.Kind, Mode: game.Current}, typed)
					if (err == nil) != (want == nil) || errors.Is(want, game.ErrNotTurn) != errors.Is(err, game.ErrNotTurn) {
						t.Fatalf("round %d, step %d, %s: %v, want %v", round, step, what, err, want)
					}
				}
				var err error
				match, err = s.Load(t.Context(), match.Slot())
				if err != nil {
					t.Fatal(err)
				}
				var made []string
				for _, turn := range wordOf(match).Turns() {
					made = append(made, strings.ToLower(turn.Guess.String()))
				}
				by := game.Each(match.Moves, func(v game.Move) game.PlayerID { return v.Player })
				if !slices.Equal(made, p.made) || !slices.Equal(by, p.by) {
					t.Fatalf("round %d, step %d, %s: guesses are %v by %v, want %v by %v", round, step, what, made, by, p.made, p.by)
				}
				if match.Status() != game.Playing {
					return
				}
				o := match.Order()
				in := slices.SortedFunc(maps.Keys(p.tickets), func(a, b game.PlayerID) int { return p.tickets[a] - p.tickets[b] })
				wants := map[game.PlayerID]string{}
				for _, c := range o.Proposals {
					wants[c.Player] = strings.ToLower(strings.TrimSpace(c.Proposed))
				}
				due := p.due
				if p.vote && len(p.wants) == 0 || !p.vote && len(in) == 1 {
					due = time.Time{}
				}
				turn := p.turn
				if p.vote {
					turn = ""
				}
				if !slices.Equal(o.Players, in) || o.Turn != turn || !maps.Equal(wants, p.wants) || o.Due.Sub(due).Abs() > time.Millisecond {
					t.Fatalf("round %d, step %d, %s: %+v, want %v, turn %s, due %v, %v", round, step, what, o, in, turn, due, p.wants)
				}
			}
		})
	}
	if passed < 50 || left < 10 || ties < 10 {
		t.Errorf("%d turns passed, %d players left and %d votes ended: too few to mean anything", passed, left, ties)
	}
}

// TestDeadlineOnTwoMachines: both carry out the same deadline from the same version. It happens once, and to both it did.
func TestDeadlineOnTwoMachines(t *testing.T) {
	for script, want := range map[string]string{
		"ana start turns; ben join":                 "ben 0",
		"ana start vote; ben join; ana guess slate": " 1",
	} {
		synctest.Test(t, func(t *testing.T) {
			s, lists := newMemory(), mustLists(t, "crane", "slate")
			m := newManager(s, lists)
			m.Now = time.Now
			was := mustPlay(t, m, place, script)
			time.Sleep(2*time.Minute + time.Second)
			shared, commits := meeting(s, 2)
			var running sync.WaitGroup
			for range 2 {
				other := newManager(shared, lists)
				other.Now = time.Now
				running.Go(func() {
					told := 0
					other.Changed = func(m game.Match) {
						if told++; m.Version != was.Version+1 {
							t.Errorf("told of version %d", m.Version)
						}
					}
					if err := other.MeetDeadlines(t.Context()); err != nil || told != 1 {
						t.Errorf("told %d times, %v", told, err)
					}
				})
			}
			running.Wait()
			match, err := s.Load(t.Context(), was.Slot())
			if got := fmt.Sprint(match.Order().Turn, " ", match.Used()); err != nil || match.Version != was.Version+1 || got != want || commits.Load() != 2 {
				t.Errorf("after %d commits, version %d is %q, want %q; %v", commits.Load(), match.Version, got, want, err)
			}
		})
	}
}

// TestDeadlineAndGuess: of a deadline and a guess of the same moment, from the same version, the one that is committed first
// counts, and the other changes nothing.
func TestDeadlineAndGuess(t *testing.T) {
	for _, guessFirst := range []bool{false, true} {
		for mode, start := range map[game.Mode]string{game.Turns: "ana start turns; ben join", game.Vote: "ana start vote; ben join; ben guess brick"} {
			synctest.Test(t, func(t *testing.T) {
				s, lists := newMemory(), mustLists(t, "crane", "slate brick")
				at := newManager(s, lists)
				at.Now = time.Now
				was := mustPlay(t, at, place, start)
				time.Sleep(3 * time.Minute)
				release := make(chan struct{})
				second := &hooks{Store: s}
				second.commit = func(matches.Change) error { <-release; return nil }
				guesser, keeper := newManager(s, lists), newManager(second, lists)
				if !guessFirst {
					guesser.Store, keeper.Store = second, s
				}
				guesser.Now, keeper.Now = time.Now, time.Now
				var guessed, met error
				guess := func() { _, guessed = parse(place, "late", "ana guess slate together").run(t.Context(), guesser) }
				meet := func() { met = keeper.MeetDeadlines(t.Context()) }
				late, early := meet, guess
				if !guessFirst {
					late, early = guess, meet
				}
				go late()
				synctest.Wait() // it has planned its commit
				early()
				close(release)
				synctest.Wait()
				match, err := s.Load(t.Context(), was.Slot())
				want := map[bool]string{true: "1 slate ben", false: "0  ben"}[guessFirst]
				if mode == game.Vote {
					want = map[bool]string{true: "1 brick ", false: "1 brick "}[guessFirst] // a tie goes to ben's
				}
				word := ""
				if match.Used() > 0 {
					word = strings.ToLower(wordOf(match).Turns()[0].Guess.String())
				}
				if got := fmt.Sprint(match.Used(), " ", word, " ", match.Order().Turn); got != want || err != nil || met != nil {
					t.Errorf("%s, the guess first %t: %q, want %q; %v, %v", mode, guessFirst, got, want, err, met)
				}
				refused := mode == game.Turns && !guessFirst
				if errors.Is(guessed, game.ErrNotTurn) != refused || !refused && guessed != nil {
					t.Errorf("%s, the guess first %t: the guess: %v", mode, guessFirst, guessed)
				}
				proposed := match.Order().Proposal("ana") // after the deadline, the guess is a proposal for the next one
				if (proposed == "slate") != (mode == game.Vote && !guessFirst) {
					t.Errorf("%s, the guess first %t: %q is proposed", mode, guessFirst, proposed)
				}
			})
		}
	}
}

// TestDeadlineCutOff: a deadline whose process is killed before or after its commit happens once, by a process that starts later.
func TestDeadlineCutOff(t *testing.T) {
	for _, stored := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s, lists := newMemory(), mustLists(t, "crane", "slate")
			m := newManager(s, lists)
			m.Now = time.Now
			was := mustPlay(t, m, place, "ana start turns; ben join; cara join")
			time.Sleep(2*time.Minute - time.Second)
			if err := m.MeetDeadlines(t.Context()); err != nil {
				t.Fatal(err)
			}
			if match, err := s.Load(t.Context(), was.Slot()); err != nil || match.Version != was.Version {
				t.Errorf("a second too early, it became %v, %v", match, err)
			}
			time.Sleep(2 * time.Second)
			killed := errors.New("killed")
			m.Store = &hooks{Store: s, commit: func(c matches.Change) error {
				if stored {
					return errors.Join(s.Commit(t.Context(), c), killed)
				}
				return killed
			}}
			if err := m.MeetDeadlines(t.Context()); !errors.Is(err, killed) {
				t.Fatal(err)
			}
			for range 3 {
				later := newManager(s, lists)
				later.Now = time.Now
				if err := later.MeetDeadlines(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			match, err := s.Load(t.Context(), was.Slot())
			if o := match.Order(); err != nil || match.Version != was.Version+1 || o.Turn != "ben" || !o.Due.Equal(time.Now().Add(2*time.Minute)) {
				t.Errorf("stored %t: %+v, %v", stored, o, err)
			}
		})
	}
}

// TestPacedEnd: once a match has ended, nothing tells who only joined, and what they proposed, and nothing is due.
func TestPacedEnd(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate brick"))
	for i, text := range []string{"ana start vote", "dora join", "eve guess brick", "ana guess crane", "ben guess crane", "dora guess crane"} {
		o := parse(place, fmt.Sprint("r", i), text)
		o.origin.Name = "Miss " + string(o.origin.Player)
		if _, err := o.run(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	past, err := s.Finished(t.Context(), "r0")
	if err != nil || past.Match.Winner() != "ana" || !reflect.DeepEqual(past.Match.Names, game.Names{"ana": "Miss ana"}) {
		t.Errorf("it ended as %v with %v, %v", past.Match.Winner(), past.Match.Names, err)
	}
	for _, p := range s.state() {
		topic, _, _ := strings.Cut(p.Key, "\x00")
		if all := p.Key + string(p.Value); topic == "due" || strings.Contains(all, "brick") || strings.Contains(all, "eve") || strings.Contains(all, "dora") {
			t.Errorf("%q is kept: %s", p.Key, p.Value)
		}
	}
}

// TestPacedDeletedPlayer: the turns and proposals of a player who deletes their data go on without a name.
func TestPacedDeletedPlayer(t *testing.T) {
	for script, want := range map[string]string{
		"ana start turns; ben join":                    "ben 0 []",
		"ana start vote; ben join; ana guess slate":    " 1 []",
		"ana start vote; ben guess brick; cara join":   " 1 [ben]",
		"ana start turns; ben join; ana guess slate":   " 1 []",
		"ana start turns; ben join; cara guess brick ": "ben 0 []",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newMemory()
			m := newManager(s, mustLists(t, "crane", "slate brick"))
			m.Now = time.Now
			was := mustPlay(t, m, place, script)
			if err := m.past.Delete(t.Context(), game.Origin{Request: "zz-clear", Location: place, Player: "ana"}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2*time.Minute + time.Second)
			if err := m.MeetDeadlines(t.Context()); err != nil {
				t.Fatal(err)
			}
			match, err := s.Load(t.Context(), was.Slot())
			by := game.Each(match.Moves, func(v game.Move) game.PlayerID { return v.Player })
			if got := fmt.Sprint(match.Order().Turn, " ", match.Used(), " ", by); err != nil || got != want {
				t.Errorf("%s: %q, want %q, %v", script, got, want, err)
			}
		})
	}
}

// TestExportWhileVoting: an export has one's own proposal, nobody else's, and takes none from the match.
func TestExportWhileVoting(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate brick"))
	mustPlay(t, m, place, "ana start vote; ben join; cara join; ben guess brick; ana guess slate")
	file, _, _, err := s.Export(t.Context(), "ana", 0, 1<<20, func(game.Result) (bool, error) { return true, nil })
	exported := string(file)
	if err != nil || !strings.Contains(exported, "slate") || strings.Contains(exported, "brick") {
		t.Errorf("exported %s, %v", exported, err)
	}
	if match := mustPlay(t, m, place, "cara guess brick"); match.Moves[0].Player != "ben" {
		t.Errorf("then %s's guess was played", match.Moves[0].Player)
	}
}

// TestSameBoardProposed: boards that mean the same count together, whatever the order of their flop.
func TestSameBoardProposed(t *testing.T) {
	for _, same := range []bool{true, false} {
		m := newManager(newMemory(), mustLists(t, "crane", "slate"))
		m.kind = pokergame.Kind
		match := mustPlay(t, m, place, "ana start vote; ben join; cara join")
		var boards []string
		for _, guess := range otherGuesses[26:] {
			if _, err := m.Rules[1].Guess(match.State, guess); err == nil {
				boards = append(boards, guess)
			}
		}
		cards := strings.Fields(boards[1])
		third, want := []string{cards[2], cards[0], cards[1], cards[3], cards[4]}, game.PlayerID("ben")
		if !same { // another turn and river
			third, want = []string{cards[0], cards[1], cards[2], cards[4], cards[3]}, "ana"
		}
		for i, board := range []string{boards[0], boards[1], strings.Join(third, " ")} {
			by := []game.PlayerID{"ana", "ben", "cara"}[i]
			var err error
			match, err = m.Move(t.Context(), game.Origin{Request: game.RequestID("v" + by), Location: place, Player: by}, matches.Target{Kind: m.kind, Mode: game.Vote}, board)
			if err != nil {
				t.Fatal(err)
			}
		}
		if match.Used() != 1 || match.Moves[0].Player != want {
			t.Errorf("the same %t: %+v, want %s's", same, match.Moves, want)
		}
	}
}

// TestFullMatch: no more than sixteen players take turns.
func TestFullMatch(t *testing.T) {
	for _, mode := range []string{"turns", "vote"} {
		m := newManager(newMemory(), mustLists(t, "crane", "slate"))
		mustPlay(t, m, place, "p0 start "+mode)
		for i := range game.MostPlayers - 1 {
			mustPlay(t, m, place, fmt.Sprintf("p%d join; p%[1]d join", i+1))
		}
		for _, text := range []string{"late join", "late guess slate"} {
			if match, err := parse(place, "late", text).run(t.Context(), m); !errors.Is(err, game.ErrFull) || len(match.Order().Players) != game.MostPlayers {
				t.Errorf("%s, %s: %v with %d", mode, text, err, len(match.Order().Players))
			}
		}
	}
}
