package frame

import "testing"

func TestSniff(t *testing.T) {
	tests := []struct {
		in   string
		want Shape
	}{
		{"data: {}\n\n", EventStream},
		{"data:", EventStream},
		{"data\n", EventStream},
		{"data\r", EventStream},
		{"event: message_start\n", EventStream},
		{": hello", EventStream},
		{"id: 1\n", EventStream},
		{"retry: 1\n", EventStream},
		{"\ufeff\r\n\t data: x", EventStream},
		{"{", JSON},
		{"[", JSON},
		{"\ufeff \n{\"data:\":1}", JSON},
		{"", Undecided},
		{"\xef", Undecided},
		{"\xef\xbb", Undecided},
		{"\ufeff", Undecided},
		{" \r\n\t", Undecided},
		{"d", Undecided},
		{"data", Undecided},
		{"even", Undecided},
		{"\ufeff  i", Undecided},
		{"database", Unknown},
		{"Data: x", Unknown},
		{"data : x", Unknown},
		{"x: y\ndata: {}\n\n", Unknown},
		{"<html>", Unknown},
		{"\"text\"", Unknown},
		{"null", Unknown},
		{"\xef\xbbx", Unknown},
		{"\x1f\x8b", Unknown},
		{message(ordinary("messageStart"), "{}"), MessageStream},
		{message(nil, ""), MessageStream},
		{message(ordinary("e"), "{}")[:preludeSize], MessageStream},
		{message(ordinary("e"), "{}")[:preludeSize-1], Undecided},
		{"\x00", Undecided},
		{"\x01\x00\x00\x00", Undecided},
		{"\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00", Unknown},
		{"\x02\x00\x00\x00", Unknown},
		{" " + message(ordinary("e"), "{}"), Unknown},
	}
	for _, tt := range tests {
		if got := Sniff([]byte(tt.in)); got != tt.want {
			t.Errorf("Sniff(%q) = %d, want %d", tt.in, got, tt.want)
		}
		// Fewer bytes may leave it open, but never say otherwise.
		for i := range tt.in {
			if got := Sniff([]byte(tt.in[:i])); got != Undecided && got != tt.want {
				t.Errorf("Sniff(%q) = %d, of all of %q it is %d", tt.in[:i], got, tt.in, tt.want)
			}
		}
	}
}
