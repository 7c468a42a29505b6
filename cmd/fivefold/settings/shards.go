package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot/discord"
)

// shardCount reads how many shards there are: 0 for as many as Discord recommends.
func shardCount(text string) (int, error) {
	if text == "" || text == "auto" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > discord.MaxShards {
		return 0, fmt.Errorf("%q is neither auto nor a number from 1 to %d", text, discord.MaxShards)
	}
	return n, nil
}

// shardIDs reads which of count shards this process has, such as 0-3,7: in ascending
// order; none for all.
func shardIDs(text string, count int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	if count == 0 {
		return nil, fmt.Errorf("it needs %s to be a number, the same for all processes", envShards)
	}
	var ids []int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := strconv.Atoi(low)
		last := first
		if err == nil && isRange {
			last, err = strconv.Atoi(high)
		}
		switch {
		case err != nil || first < 0 || last < first:
			return nil, fmt.Errorf("%q is not a list of shards such as 0-3 or 0-3,7", text)
		case last >= count:
			return nil, fmt.Errorf("there is no shard %d: of %d shards, the last is %d", last, count, count-1)
		}
		for id := first; id <= last; id++ {
			if slices.Contains(ids, id) {
				return nil, fmt.Errorf("shard %d is in the list twice", id)
			}
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
