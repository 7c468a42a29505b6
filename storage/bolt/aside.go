package bolt

// asideKey is the key under which a record that could not be read is kept.
func asideKey(bucket, key []byte) []byte {
	return append(append(append([]byte(nil), bucket...), 0), key...)
}
