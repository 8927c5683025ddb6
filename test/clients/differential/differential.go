// Package differential holds no code of its own: its tests compare what SDKs make of broken answers with what weir recorded.
package differential
