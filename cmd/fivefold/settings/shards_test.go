package settings

import (
	"fmt"
	"strings"
	"testing"
)

func TestShards(t *testing.T) {
	for _, test := range []struct{ count, ids, want string }{
		{"", "", "0 []"},
		{"auto", "", "0 []"},
		{"1", "", "1 []"},
		{"1000", "", "1000 []"},
		{"8", "0-3", "8 [0 1 2 3]"},
		{"8", "7, 0-3", "8 [0 1 2 3 7]"},
		{"8", "5", "8 [5]"},
		{"8", "5-5", "8 [5]"},

		{"0", "", "neither auto nor a number"},
		{"-1", "", "neither auto nor a number"},
		{"1001", "", "neither auto nor a number"},
		{"two", "", "neither auto nor a number"},
		{"99999999999999999999", "", "neither auto nor a number"},
		{"", "0", "it needs DISCORD_SHARDS"},
		{"auto", "0-3", "it needs DISCORD_SHARDS"},
		{"8", "0-8", "there is no shard 8"},
		{"8", "0-99999999", "there is no shard 99999999"},
		{"8", "3-0", "not a list"},
		{"8", "-3", "not a list"},
		{"8", "0-", "not a list"},
		{"8", "0,,1", "not a list"},
		{"8", "all", "not a list"},
		{"8", "0-3,2", "shard 2 is in the list twice"},
	} {
		read, err := readAtHome(map[string]string{envShards: test.count, envShardIDs: test.ids})
		got := fmt.Sprint(read.Shards.Count, read.Shards.IDs)
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != test.want || !strings.Contains(got, test.want) {
			t.Errorf("%q, %q: got %s, want %s", test.count, test.ids, got, test.want)
		}
	}
}
