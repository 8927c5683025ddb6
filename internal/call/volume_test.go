package call

import "testing"

// What a response used is guessed by its size where it does not say so.
func TestVolumeUsage(t *testing.T) {
	for name, tt := range map[string]struct {
		v    Volume
		want Usage
	}{
		"nothing asked":           {Volume{Frames: 5, Answered: 1000}, Usage{}},
		"nothing answered":        {Volume{Asked: 400}, Usage{}},
		"a frame for each token":  {Volume{Asked: 400, Frames: 50, Answered: 50 * 190}, Usage{Input: 100, Output: 50}},
		"many tokens in a frame":  {Volume{Asked: 400, Frames: 2, Answered: 2 * 1000}, Usage{Input: 100, Output: 400}},
		"a body that is one text": {Volume{Asked: 400, Frames: 1, Answered: 800, Whole: true}, Usage{Input: 100, Output: 200}},
	} {
		if got := tt.v.Usage(); got != tt.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
