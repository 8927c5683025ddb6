package redact

import "strings"

// minKey is the least length of a key after its prefix. Real keys are longer. A truncated key is still worth hiding, a placeholder
// is not.
const minKey = 32

// minMarkedKey is the same behind a prefix that only keys have, so that even a part of one is recognized.
const minMarkedKey = 20

// findOpenAIKey finds keys of OpenAI, and of the many services that copied the form.
func findOpenAIKey(v view, i int) (span, bool) {
	start, ok := skPrefix(v.text, i)
	if !ok || strings.HasPrefix(v.text[i:], "-ant-") || wordBefore(v.text, start) {
		return span{}, false
	}
	body := i + 1
	for _, kind := range []string{"proj-", "svcacct-", "admin-", "None-"} {
		if strings.HasPrefix(v.text[body:], kind) {
			end, ok := keyAt(v.text, body+len(kind), keyChars, minKey)
			return span{start, end}, ok
		}
	}
	if end, ok := keyAt(v.text, body, alnumChars, minKey); ok {
		return span{start, end}, true
	}
	// Keys with a name in them are recognized by the word that every OpenAI key has in its middle.
	const mark, reach = "T3BlbkFJ", 160
	at := strings.Index(v.text[body:min(len(v.text), body+reach)], mark)
	if at < 0 || keyChars.runEnd(v.text[:body+at], body) != body+at {
		return span{}, false
	}
	end, ok := keyAt(v.text, body, keyChars, minKey)
	return span{start, end}, ok
}

// findAnthropicKey finds keys and OAuth tokens of Anthropic.
func findAnthropicKey(v view, i int) (span, bool) {
	const mark = "-ant-"
	start, ok := skPrefix(v.text, i)
	if !ok || !strings.HasPrefix(v.text[i:], mark) {
		return span{}, false
	}
	// The purpose of the key comes first, such as api03. Placeholders have it too.
	const maxKind = 8
	body, least := i+len(mark), minKey
	if kind := alnumChars.runEnd(v.text[:min(len(v.text), body+maxKind)], body); strings.HasPrefix(v.text[kind:], "-") {
		body, least = kind+1, minMarkedKey
	}
	end, ok := keyAt(v.text, body, keyChars, least)
	return span{start, end}, ok
}

// skPrefix returns the begin of a prefix "sk-" whose hyphen is at i.
func skPrefix(text string, i int) (start int, ok bool) {
	return i - 2, text[i] == '-' && endsWith(text, i, "sk")
}

// These are the characters of GitHub's fine-grained tokens, and of tokens that contain a JWT.
var (
	githubPATChars = newCharset("A-Za-z0-9_")
	jwtChars       = newCharset("A-Za-z0-9_.-")
)

// findGitHubToken finds tokens of GitHub. Their last six characters are a checksum. It is not verified: a token with one wrong
// character is hidden as well.
func findGitHubToken(v view, i int) (span, bool) {
	const classic, fineGrained = 36, 40
	text := v.text
	if endsWith(text, i, "github_pat") {
		end, ok := keyAt(text, i+1, githubPATChars, fineGrained)
		return span{i - len("github_pat"), end}, ok
	}
	if i < 3 || text[i-3] != 'g' || text[i-2] != 'h' || strings.IndexByte("pousr", text[i-1]) < 0 {
		return span{}, false
	}
	// Tokens of apps may be the id of the app and a JWT.
	app := alnumChars.runEnd(text[:min(len(text), i+1+classic)], i+1)
	if strings.HasPrefix(text[app:], "_eyJ") {
		end, ok := keyAt(text, i+1, jwtChars, classic)
		return span{i - 3, trimDots(text, end)}, ok
	}
	end, ok := keyAt(text, i+1, alnumChars, classic)
	return span{i - 3, end}, ok
}

// trimDots returns the end of a text without its final dots, which end a sentence.
func trimDots(text string, end int) int {
	for end > 0 && text[end-1] == '.' {
		end--
	}
	return end
}

// These are the characters of Slack's tokens, of its cookies, and of the paths of its webhooks.
var (
	slackTokenChars  = newCharset("A-Za-z0-9-")
	slackCookieChars = newCharset("A-Za-z0-9%+/=_-")
	slackPathChars   = newCharset("A-Za-z0-9/_-")
)

// minSlack is the least length of a Slack token after its prefix.
const minSlack = 16

// findSlackToken finds tokens of Slack, and the secret part of webhook addresses.
func findSlackToken(v view, i int) (span, bool) {
	text := v.text
	if text[i] == '.' {
		return findSlackWebhook(text, i)
	}
	if i < 4 {
		return span{}, false
	}
	start, chars := i-4, slackTokenChars
	switch prefix := text[start:i]; {
	case prefix == "xapp", prefix == "xwfp":
	case strings.HasPrefix(prefix, "xox") && strings.IndexByte("abceoprs", prefix[3]) >= 0:
	case prefix == "xoxd":
		chars = slackCookieChars
	default:
		return span{}, false
	}
	end, ok := keyAt(text, i+1, chars, minSlack)
	// A token that can be renewed has another prefix before it.
	if endsWith(text, start, "xoxe.") {
		start -= len("xoxe.")
	}
	return span{start, end}, ok
}

// findSlackWebhook finds the secret part of a webhook address whose first dot is at i.
func findSlackWebhook(text string, i int) (span, bool) {
	const host = "hooks"
	if i < len(host) || !strings.EqualFold(text[i-len(host):i], host) {
		return span{}, false
	}
	for _, domain := range []string{".slack.com/", ".slack-gov.com/"} {
		if !hasFoldPrefix(text[i:], domain) {
			continue
		}
		path := i + len(domain)
		for _, kind := range []string{"services/", "workflows/", "triggers/"} {
			if hasFoldPrefix(text[path:], kind) {
				end, ok := keyAt(text, path+len(kind), slackPathChars, minSlack)
				return span{path + len(kind), end}, ok
			}
		}
	}
	return span{}, false
}
