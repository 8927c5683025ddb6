package pathname

import (
	"fmt"
	"strings"
)

// NewRoot reads a folder of a policy: absolute, below the user's folder (~/x), or relative to the session's folder (.).
func NewRoot(text string) (Root, error) {
	wrong := func(why, cure string) (Root, error) { return Root{}, fmt.Errorf("folder %q %s: %s", text, why, cure) }
	const examples = "write a folder such as /srv/data, ~/work or ."
	switch {
	case strings.TrimSpace(text) == "":
		return wrong("is empty", examples)
	case strings.TrimSpace(text) != text:
		return wrong("has blanks at its ends", "remove them")
	case strings.ContainsFunc(text, isControl):
		return wrong("has control characters", examples)
	case strings.Contains(text, "://"):
		return wrong("is a URL", examples)
	case strings.ContainsAny(text, "*?[]{}"):
		return wrong("has a pattern", "write the folder alone; everything below it counts")
	case strings.ContainsAny(text, "$`%"):
		return wrong("has a variable", "write ~ for the user's folder, or the folder itself")
	case strings.HasPrefix(text, "~") && len(text) > 1 && !strings.HasPrefix(text, "~/") && !strings.HasPrefix(text, `~\`):
		return wrong("names another user's folder", "write its absolute path")
	}
	r := readPlain(text, isWindows(text))
	if r.start == startUnknown {
		return wrong("is relative to a drive", `write an absolute path, such as C:\work`)
	}
	return Root{reading: r}, nil
}

func isControl(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029'
}
