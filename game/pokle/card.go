package pokle

// Rank is the rank of a card, from [Two] to [Ace].
type Rank uint8

// The ranks, in their order.
const (
	Two Rank = iota
	Three
	Four
	Five
	Six
	Seven
	Eight
	Nine
	Ten
	Jack
	Queen
	King
	Ace
)

// ranks are the ranks as they are written, by Rank.
var ranks = [...]string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}

// String returns "2" to "10", "J", "Q", "K" or "A".
func (r Rank) String() string { return ranks[r] }

// Suit is the suit of a card.
type Suit uint8

// The suits, in the order of cards of one rank. No suit is worth more than another.
const (
	Clubs Suit = iota
	Diamonds
	Hearts
	Spades
)

var (
	suitSigns   = [...]string{"♣", "♦", "♥", "♠"}
	suitLetters = [...]string{"C", "D", "H", "S"}
)

// String returns "♣", "♦", "♥" or "♠".
func (s Suit) String() string { return suitSigns[s] }

// Deck is the number of cards.
const Deck = 52

// Card is one of the 52 cards: rank × 4 + suit, 0 to 51. So numbers order cards as they are written, by rank and then ♣ ♦ ♥ ♠,
// and the four cards of a rank are neighbours in the set [Cards]. The zero value is the 2♣; 52 and above are not cards, and must
// not be passed to anything here.
type Card uint8

// NewCard returns the card of this rank and suit.
func NewCard(r Rank, s Suit) Card { return Card(r)<<2 | Card(s) }

// Rank returns the card's rank.
func (c Card) Rank() Rank { return Rank(c >> 2) }

// Suit returns the card's suit.
func (c Card) Suit() Suit { return Suit(c & 3) }

// String returns the card as players see it, such as "10♥".
func (c Card) String() string { return ranks[c.Rank()] + suitSigns[c.Suit()] }

// Plain returns the card in letters and digits, such as "10H". Cards are stored so.
func (c Card) Plain() string { return ranks[c.Rank()] + suitLetters[c.Suit()] }
