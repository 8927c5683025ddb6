package code

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"
)

// decoded applies a decoder to the texts of a value. What cannot be decoded is unknown, but known to have been encoded.
func decoded(v value, decode func(string) (string, bool)) value {
	out := value{taint: v.whole()}
	out.taint.decoded = true
	for _, t := range v.alternatives() {
		text, ok := "", false
		if !hasHole(t) {
			text, ok = decode(t)
		}
		if !ok || len(text) > maxText {
			text = Unknown
		} else {
			text = latin(text)
		}
		out.texts = append(out.texts, text)
	}
	return out
}

// latin is text for bytes: valid text as it is, other bytes as the characters of these numbers, so that they can be decoded again.
func latin(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	out := make([]rune, len(s))
	for i := range len(s) {
		out[i] = rune(s[i])
	}
	return string(out)
}

// raw are the bytes of such a text.
func raw(s string) []byte {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return []byte(s)
		}
		out = append(out, byte(r))
	}
	return out
}

func fromBase64(s string) (string, bool) {
	s = strings.NewReplacer("-", "+", "_", "/", "\n", "", "\r", "", " ", "").Replace(strings.TrimRight(strings.TrimSpace(s), "="))
	data, err := base64.RawStdEncoding.DecodeString(s)
	return string(data), err == nil
}

func decodesBase64(_ *evaluator, c invocation) value { return decoded(c.subjectText(), fromBase64) }

func decodesBase32(_ *evaluator, c invocation) value {
	return decoded(c.subjectText(), func(s string) (string, bool) {
		data, err := base32.StdEncoding.DecodeString(s)
		return string(data), err == nil
	})
}

func decodesBase85(_ *evaluator, c invocation) value {
	return decoded(c.subjectText(), func(s string) (string, bool) {
		if strings.HasSuffix(c.name, "b85decode") {
			return "", false // another alphabet
		}
		out := make([]byte, len(s)*4)
		n, _, err := ascii85.Decode(out, []byte(s), true)
		return string(out[:n]), err == nil
	})
}

func fromHex(s string) (string, bool) {
	data, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	return string(data), err == nil
}

func decodesHex(_ *evaluator, c invocation) value { return decoded(c.subjectText(), fromHex) }

func unpacks(_ *evaluator, c invocation) value {
	return decoded(c.subjectText(), func(s string) (string, bool) {
		data := raw(s)
		var r io.Reader = flate.NewReader(bytes.NewReader(data))
		if z, err := zlib.NewReader(bytes.NewReader(data)); err == nil {
			r = z
		} else if z, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			r = z
		}
		out, err := io.ReadAll(io.LimitReader(r, maxText+1))
		return string(out), err == nil && len(out) <= maxText
	})
}

func rotates(_ *evaluator, c invocation) value {
	kind := strings.ToLower(strings.Join(c.arg(1).texts, ""))
	return decoded(c.arg(0), func(s string) (string, bool) {
		switch {
		case strings.Contains(kind, "hex"):
			return fromHex(s)
		case strings.Contains(kind, "base64"):
			return fromBase64(s)
		case kind != "" && !strings.Contains(kind, "rot"):
			return s, true
		}
		return strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z':
				return 'a' + (r-'a'+13)%26
			case r >= 'A' && r <= 'Z':
				return 'A' + (r-'A'+13)%26
			}
			return r
		}, s), true
	})
}

// unpacksList reads pack and unpack, by which perl and ruby decode texts: m0 and u are base64, H is hexadecimal.
func unpacksList(_ *evaluator, c invocation) value {
	format, data := c.arg(0), c.arg(1)
	if c.on != nil {
		format, data = c.arg(0), *c.on
		if data.list {
			data = data.elements()
		}
	}
	kind := strings.Join(format.texts, "")
	out := decoded(data, func(s string) (string, bool) {
		switch {
		case strings.HasPrefix(kind, "m"):
			return fromBase64(s)
		case strings.HasPrefix(kind, "H"):
			return fromHex(s)
		}
		return "", false
	})
	if strings.HasSuffix(c.name, "unpack") {
		return value{list: true, items: []argument{{value: out}}, texts: out.texts}
	}
	return out
}

// DataURL is decodedURL for a text in which some characters may be written as their codes.
func DataURL(address string) (string, bool) {
	text, ok := decodedURL(address)
	if plain, err := url.PathUnescape(text); ok && err == nil {
		text = plain
	}
	return text, ok
}

// decodedURL reads data: URLs, whose text is in the address.
func decodedURL(url string) (string, bool) {
	rest, ok := strings.CutPrefix(url, "data:")
	if !ok {
		return "", false
	}
	kind, data, ok := strings.Cut(rest, ",")
	if ok && strings.HasSuffix(kind, "base64") {
		return fromBase64(data)
	}
	return data, ok
}
