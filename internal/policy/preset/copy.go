package preset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
)

// Revision identifies the text of a preset; "": there is no such preset.
func Revision(name string) string {
	text, err := Text(name)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// Copy is the text of a preset for people to change. Its first line says which revision it is of.
func Copy(name string) ([]byte, error) {
	text, err := Text(name)
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, copied, name, Revision(name)), text...), nil
}

// copied is the first line of a copy.
const copied = "# A copy of weir's preset %s, revision %s. A policy with \"extends: %[1]s\" follows the preset by itself.\n"

var firstLine = regexp.MustCompile(`^# A copy of weir's preset ([a-z]+), revision ([0-9a-f]{8})\.`)

// Outdated says whether a text is a copy of a preset that this weir has in another revision.
func Outdated(text []byte) (name, revision string, outdated bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	m := firstLine.FindSubmatch(line)
	if m == nil {
		return "", "", false
	}
	name, revision = string(m[1]), string(m[2])
	now := Revision(name)
	return name, revision, now != "" && now != revision
}
