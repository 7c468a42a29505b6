package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// shardIDs reads which of count shards this process has, such as 0-3,7: in ascending
// order.
func shardIDs(text string, count int) ([]int, error) {
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
