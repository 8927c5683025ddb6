package dialect

import "time"

// patience is how long the clients of a format wait for progress while pings or comments show life, by the name of the format. It is
// measured with the clients that people use, less what clocks and queues take. Formats that are not here have clients that wait as long as
// something comes.
//
//   - anthropic: Claude Code breaks off 600 seconds after the last event that is no ping, and sends the request again.
//
// A call that is held must be released or refused within it.
var patience = map[string]time.Duration{
	"anthropic": 570 * time.Second,
}

// PatienceOf is how long the clients of a format wait for progress; 0: as long as something comes.
func PatienceOf(format string) time.Duration { return patience[format] }
