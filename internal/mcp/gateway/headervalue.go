package gateway

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// What stands around a value that a header cannot hold as it is.
const (
	base64Prefix = "=?base64?"
	base64Suffix = "?="
)

// decodeValue returns what a mirrored header says. It is not ok if it says so in a form that readers could take differently.
func decodeValue(value string) (text string, ok bool) {
	inner, wrapped := strings.CutPrefix(value, base64Prefix)
	if !wrapped {
		// Some compare prefixes without regard to case.
		if len(value) >= len(base64Prefix) && strings.EqualFold(value[:len(base64Prefix)], base64Prefix) {
			return "", false
		}
		return value, true
	}
	inner, ended := strings.CutSuffix(inner, base64Suffix)
	if !ended {
		return value, true
	}
	decoded, err := base64.StdEncoding.Strict().DecodeString(inner)
	if err != nil || strings.ContainsAny(inner, "\r\n") {
		return "", false
	}
	return string(decoded), true
}

// encodeValue returns a text as a mirrored header says it.
func encodeValue(text string) string {
	plain := strings.TrimSpace(text) == text && !strings.HasPrefix(strings.ToLower(text), base64Prefix)
	for i := 0; plain && i < len(text); i++ {
		plain = text[i] >= ' ' && text[i] <= '~'
	}
	if plain {
		return text
	}
	return base64Prefix + base64.StdEncoding.EncodeToString([]byte(text)) + base64Suffix
}

// primitiveText returns the text by which a header mirrors a value. It is not ok for a value that no header mirrors.
func primitiveText(v strictjson.Value) (text string, ok bool) {
	switch v.Kind() {
	case strictjson.String:
		return v.Text()
	case strictjson.Bool:
		b, _ := v.Bool()
		return strconv.FormatBool(b), true
	case strictjson.Number:
		n, isInt := v.Int64()
		if !isInt {
			return string(v.Raw()), true
		}
		return strconv.FormatInt(n, 10), true
	}
	return "", false
}
