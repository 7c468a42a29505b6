package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
)

// CardCommand is the command for puzzles of the poker game.
func (h *Handlers) CardCommand() bot.Command {
	return bot.Command{
		Name:        pokergame.NameSolve,
		HiddenArgs:  append([]string{argMarks, argAt, argFields}, dealFields...),
		Help:        "What to try next in your poker puzzle from elsewhere",
		Audience:    bot.Asker,
		NotSaved:    notSaved,
		ShowCommand: pokergame.NameSolve,
		Explain:     explainSession,
		Options: []bot.Option{
			{Name: "feedback", MultiWord: true, Help: "Its colours: g green, y yellow, e grey, such as gyeyg; squares work too"},
			{Name: "guess", MultiWord: true, Help: "Your board, if it isn't the one I proposed, such as " + exampleBoard},
			{Name: "deal", MultiWord: true, Help: "Six cards and nine places, such as " + ExampleDeal},
			{Name: "undo", Kind: bot.FlagOption, Help: "Take back the last guess"},
			{Name: "new", Kind: bot.FlagOption, Help: "Begin a new deal; your old puzzle stays until it's valid"},
		},
		Run: h.cards,
	}
}

func (h *Handlers) cards(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if r.Args[argMarks] != "" {
		return h.updateCards(ctx, r, versionOf(r), nil)
	}
	typed := solve.SplitCards(r.Args["deal"], r.Args["guess"], r.Args["feedback"])
	undo, begin := r.Args["undo"] == "true", r.Args["new"] == "true"
	deal, entered := fromForm(r.Args)
	if typed.Deal != "" {
		deal, entered = solve.SplitDeal(typed.Deal), true
	}
	played := typed.Guess != "" || typed.Feedback != ""
	switch {
	case undo && (begin || played || entered), played && (begin || entered):
		return bot.Reply{}, bot.Decline(bot.Text("One thing at a time: a guess with its colours, or a deal, or ", bot.Bold("undo"), "."))
	case undo:
		return h.updateCards(ctx, r, versionOf(r), solve.CardPuzzle.Undo)
	case entered:
		return h.beginCards(ctx, r, deal)
	case begin:
		reply := askForDeal(solve.SplitDeal(r.Args[argFields])).Say(bot.Text("Your old puzzle stays until the new deal is valid: ", bot.Slash(pokergame.NameSolve)))
		return reply, nil
	case played:
		return h.enterCards(ctx, r, typed)
	}
	v, err := h.Cards.Update(ctx, r.Origin(), 0, nil)
	return showCards(v), err
}

// enterCards enters a guess with its feedback, or one of both.
func (h *Handlers) enterCards(ctx context.Context, r bot.Request, typed solve.TypedCards) (bot.Reply, error) {
	var guess pokle.Board
	if typed.Guess != "" {
		var err error
		if guess, err = pokergame.Read(typed.Guess); err != nil {
			return bot.Reply{}, err
		}
	}
	feedback, err := cardMarks.read(typed.Feedback)
	if err != nil {
		return bot.Reply{}, err
	}
	return h.updateCards(ctx, r, versionOf(r), func(p solve.CardPuzzle) (solve.CardPuzzle, error) {
		guess = cmp.Or(guess, p.Next()) // in a retry, still the one that the player saw
		return p.Enter(guess, feedback)
	})
}

// beginCards begins a puzzle with a deal. The refusal of a form replaces the form's message, and has a button that leads back.
func (h *Handlers) beginCards(ctx context.Context, r bot.Request, typed solve.TypedDeal) (bot.Reply, error) {
	d, err := readDeal(typed)
	if err == nil {
		var reply bot.Reply
		reply, err = h.updateCards(ctx, r, 0, func(p solve.CardPuzzle) (solve.CardPuzzle, error) {
			if p.Setup.Deal == d && p.Status() == game.Playing {
				return p, nil // the same deal again keeps its guesses
			}
			return solve.CardPuzzle{Setup: solve.CardSetup{Deal: d}}, nil
		})
		if !errors.Is(err, poker.ErrNothingFits) {
			return reply, err
		}
		err = refuseDeal(typed, err, bot.Text("No board gives these places, so a card or a place is mistyped. Check ",
			bot.Bold(typed.String()), ". The places go player 1, 2, 3: first the flop, then the turn, then the river."))
	}
	refusal, refused := errors.AsType[bot.Refusal](err)
	if !r.FromComponent || !refused {
		return bot.Reply{}, err
	}
	reply := refusal.Reply
	reply.InPlace = true
	return bot.Reply{}, bot.RefuseWith(err, reply.Row(bot.Button{Label: "Back", Command: pokergame.NameSolve}))
}

// updateCards changes a player's puzzle. If a pressed button enters contradictory marks, the reply shows the puzzle with these
// marks, to be corrected.
func (h *Handlers) updateCards(ctx context.Context, r bot.Request, seen uint64, rule func(solve.CardPuzzle) (solve.CardPuzzle, error)) (bot.Reply, error) {
	v, err := h.Cards.Update(ctx, r.Origin(), seen, change(func(s *solve.Session) *solve.CardPuzzle { return &s.Cards }, rule))
	if contradiction, ok := errors.AsType[*solve.ContradictionError](err); ok && r.FromComponent {
		return under(contradictedLine(contradiction), cardReply(v, contradiction.Turn.Guess, contradiction.Turn.Feedback)), nil
	}
	board, wrong := pokle.ParseBoard(r.Args["guess"])
	shown, unmarked := pokle.ParseFeedback(r.Args[argMarks])
	if err != nil || wrong != nil || unmarked != nil { // no button for marks was pressed
		board, shown = v.Cards.Next(), blank
	}
	return answer(cardReply(v, board, shown), err, refuseCards)
}

// refuseCards turns err into a refusal that says why the puzzle was not changed. Other errors stay as they are.
func refuseCards(err error) error {
	if contradiction, ok := errors.AsType[*solve.ContradictionError](err); ok {
		return bot.Refuse(err, contradictedLine(contradiction))
	}
	if held, ok := errors.AsType[*pokle.HeldError](err); ok {
		return bot.Refuse(err, bot.Text(fmt.Sprintf("Player %d holds the %v, so it can't be on the board. Check that card.", held.Player, held.Card)))
	}
	if repeated, ok := errors.AsType[*marks.RepeatedError](err); ok {
		return bot.Refuse(err, bot.Text(fmt.Sprintf("That board is guess %d already. Wrong colours? Take back the guesses from there: ", repeated.Attempt), slashUndoCards, "."))
	}
	if errors.Is(err, solve.ErrNoDeal) || errors.Is(err, solve.ErrNoGuess) { // with a deal, a board is always proposed
		return bot.RefuseWith(err, bot.Ephemeral(bot.Text("There's no deal yet. Enter it first: ", bot.Slash(pokergame.NameSolve, "deal", ExampleDeal), ".")).
			Row(dealButton(solve.TypedDeal{}, "Enter the deal", bot.ButtonPrimary)))
	}
	return bot.RefuseAs(err, map[error]bot.Line{
		solve.ErrOver:   bot.Text("This puzzle is over. Begin the next one: ", slashNewDeal, ", or take back the last guess: ", slashUndoCards, "."),
		solve.ErrNoTurn: bot.Text("There's no guess to take back yet. See where you are: ", bot.Slash(pokergame.NameSolve), "."),
	})
}

// What a player can type to go on.
var (
	slashUndoCards = bot.Slash(pokergame.NameSolve, "undo", "true")
	slashNewDeal   = bot.Slash(pokergame.NameSolve, "new", "true")
)

func contradictedLine(c *solve.ContradictionError) bot.Line {
	return bot.Text(fmt.Sprintf("No board gives %v the colours %s, so I left guess %d out. Check the colours and the order of the cards.",
		c.Turn.Guess, cardMarks.write(c.Turn.Feedback), c.Number),
		" The mistake may also be earlier: ", slashUndoCards, " takes back the last guess, ", slashNewDeal, " starts over.")
}

// showCards draws a player's puzzle with blank marks on its buttons.
func showCards(v solve.CardView) bot.Reply { return cardReply(v, v.Cards.Next(), blank) }

// cardReply draws a player's puzzle of the poker game: the table, the guesses, what to try next and why, and how to
// go on. The buttons are for the board, with the marks shown. Without a deal it asks for one.
func cardReply(v solve.CardView, board pokle.Board, shown marks.Feedback) bot.Reply {
	p := v.Cards
	if !p.Setup.HasDeal() {
		return askForDeal(solve.TypedDeal{})
	}
	deal, reply := p.Setup.Deal, ended(p.Status(), len(p.Turns))
	lines := pokergame.PokerTableLines(picture.PokerTable{Deal: deal})
	for _, t := range p.Turns {
		lines = append(lines, pokergame.CardTiles(t))
	}
	switch p.Status() {
	case game.Won:
		lines = append(lines, pokergame.ShowdownLines(deal, p.Turns[len(p.Turns)-1].Guess)...)
	case game.Playing:
		reply = bot.Reply{InPlace: true}
		reply.Heading, reply.Subtext = cardProposal(p)
		if len(v.Left) > 1 {
			lines = append(lines, bot.Text(possibleBoards(v.Left)))
		}
		lines = append(lines, bot.Text("What colours did it get? ", bot.Slash(pokergame.NameSolve, "feedback", exampleFeedback).On(tapThem)))
		if len(p.Turns) == 0 {
			lines = append(lines, bot.Text("Guessed another board? ", slashStep(deal)))
		}
	default:
		lines = append(lines, bot.Text(possibleBoards(v.Left)))
	}
	return reply.Say(lines...).Add(cardButtons(v, board, shown)...)
}

const fewBoards = 5

func possibleBoards(left []pokle.Board) string {
	text := bot.Plural(len(left), "possible board")
	if len(left) > fewBoards {
		return text + "."
	}
	return text + ": " + strings.Join(bot.Each(left, pokle.Board.String), "; ") + "."
}

func cardProposal(p solve.CardPuzzle) (heading, subtext bot.Line) {
	turn, best := fmt.Sprintf("Guess %d of %d: ", len(p.Turns)+1, pokle.Attempts), p.Proposed[0]
	if p.Chosen != (pokle.Board{}) && p.Chosen.Compare(best.Board) != 0 {
		return bot.Text(turn, p.Chosen.String()), bot.Text("Your own choice. I'd try ", bot.Bold(best.Board.String()), ".")
	}
	// the board has the flop in the player's order, if there is one
	return bot.Text(turn, "try "+p.Next().String()), bot.Text(pokergame.BoardReason(best, pokle.Attempts-len(p.Turns)))
}

// cardButtons returns the cards of a board with their marks, and the buttons for all else.
func cardButtons(v solve.CardView, board pokle.Board, shown marks.Feedback) []bot.Block {
	p := v.Cards
	at := strconv.FormatUint(v.Version, 10)
	undo := bot.Button{Label: "Undo", Command: pokergame.NameSolve, Args: map[string]string{"undo": "true", argAt: at}}
	begin := dealButton(solve.TypedDeal{}, "New deal", bot.ButtonSecondary)
	if p.Status() != game.Playing {
		begin.Style = bot.ButtonPrimary
		return bot.Rows(begin, undo)
	}
	last := []bot.Button{undo, begin}
	if len(p.Turns) == 0 {
		last = []bot.Button{begin, dealButton(solve.WriteDeal(p.Setup.Deal), "Correct the deal", bot.ButtonSecondary)}
	}
	if board == (pokle.Board{}) {
		return bot.Rows(last...)
	}
	cards, enter := cardMarks.entryButtons(strings.Fields(board.String()), shown, pokergame.NameSolve, map[string]string{"guess": board.Plain(), argAt: at})
	return []bot.Block{bot.Row(cards), bot.Row(append(enter, last...))}
}
