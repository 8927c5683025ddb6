package gateway

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/weir-gate/weir/internal/strictjson"
)

// The prefix and suffix of a value that is encoded because a header cannot hold it otherwise.
const (
	base64Prefix = "=?base64?"
	base64Suffix = "?="
)

// decodeValue decodes a mirrored header. It is not ok if readers could decode it differently.
func decodeValue(value string) (text string, ok bool) {
	inner, wrapped := strings.CutPrefix(value, base64Prefix)
	if !wrapped {
		// Some readers ignore the case of the prefix.
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

// encodeValue encodes a text for a mirrored header.
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

// primitiveText returns the text of a value in a mirrored header. It is not ok for a value that no header mirrors.
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
