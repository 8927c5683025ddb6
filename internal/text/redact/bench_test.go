package redact

import (
	"fmt"
	"strings"
	"testing"
)

// prose is text as agents write it, without a secret.
const prose = "The quick brown fox, version 1.2.3, jumps over the lazy dog on 2024-05-06 at 07:08. func main() { return x_y - z }\n" +
	"see https://example.com/a/b?c=d and commit 9fceb02d0ae598e95dc970b74767f19372d61af8 in internal/gate/response.go:42\n"

func repeated(text string, size int) string {
	return strings.Repeat(text, size/len(text)+1)[:size]
}

func BenchmarkFind(b *testing.B) {
	s := mustNew(b, Config{Presets: Presets()})
	texts := map[string]string{
		"clean": prose, "english": "It was the best of times and it was the worst of times, as everybody in the old town would say. ",
		"base64": "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk", "chinese": "这是一个没有任何秘密的中文句子，只是为了测量速度。",
		"digits": "12,345 67.8 9012 34-56 ", "secrets": prose + "mail ann@example.com, key " + "AKIA" + "IOSFODNN7EXAMPLE, card 4111 1111 1111 1111\n",
	}
	hostile := []string{
		"%40", "%25", "１", "٤", "YWFhYWFhYWFhYWFhYWFhYWFhYWFh ", "YWFh", "a/", "a://b:", "token:", "password=a1", "api_key=aB3dE5fG7hJ9kL1m ", "--token ", "-", "_", ".", ":", "=", "@", "V", "z", "1 ", "4111 ", "4111\n", "+1", "(", "DE89 ", "abcdefgh\naB3dE5fG7hJ9kL1m",
		"-----BEGIN PRIVATE KEY-----", "sk-", "hf_", "eyJhbGciOi.", "12345678:AA", "MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.", "a@b.", "?sv=&sig=", "Authorization: Bearer ", "ey", "\u200b",
	}
	for _, piece := range hostile {
		b.Run(fmt.Sprintf("hostile/%q", piece), func(b *testing.B) {
			text := repeated(piece, 1<<20)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				s.Find(text)
			}
		})
	}
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20} {
		for _, name := range []string{"clean", "english", "base64", "chinese", "digits", "secrets"} {
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				text := repeated(texts[name], size)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					s.Find(text)
				}
			})
		}
	}
}

func BenchmarkReplaceJSON(b *testing.B) {
	s := mustNew(b, Config{Presets: Presets()})
	for _, size := range []int{1 << 10, 100 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			doc := []byte(`{"command":"` + strings.ReplaceAll(repeated(prose, size), "\n", `\n`) + `","mail":"ann@example.com","lines":["a","b"]}`)
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.ReplaceJSON(doc, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
