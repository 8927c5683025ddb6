//go:build !race

package proxy

// racing says that the race detector watches: what only counts cases tries fewer of them then.
const racing = false
