package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// envBare makes this program a bare bot to compare with by HTTP: it checks the signature, and answers every
// interaction at once with the same text.
const envBare = "FIVEFOLD_SOAK_BARE"

// bare is that bot, which has the same environment as the program.
func bare() {
	public, _ := hex.DecodeString(os.Getenv("DISCORD_PUBLIC_KEY")) // the fake Discord's own
	err := http.ListenAndServe(os.Getenv("FIVEFOLD_HTTP"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != endpoint {
			return // /readyz
		}
		body, err := io.ReadAll(r.Body)
		sum, wrong := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
		if err != nil || wrong != nil || !ed25519.Verify(public, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), sum) {
			http.Error(w, "", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer := `{"type":4,"data":{"content":"hello","allowed_mentions":{"parse":[]}}}`
		if strings.Contains(string(body), `"token":"ping"`) {
			answer = `{"type":1}`
		}
		_, _ = io.WriteString(w, answer) // whoever counts answers misses it
	}))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
