package redact

import (
	"encoding/base64"
	"strings"
)

// azureSecretChars are the characters of client secrets of Microsoft Entra.
var azureSecretChars = newCharset("A-Za-z0-9_~.-")

// findAzureKey finds keys of Azure without a prefix: client secrets, whose sixth character is a tilde, and the signatures of shared
// links, after an equals sign.
func findAzureKey(v view, i int) (span, bool) {
	const head, least, most = 5, 31, 34
	text := v.text
	if text[i] == '=' {
		return findAzureSignature(text, i)
	}
	start := i - head
	if start < 0 || text[i-1] != 'Q' || !isDigit(text[i-2]) || azureSecretChars.runStart(text, i-2, 3) != start {
		return span{}, false
	}
	end := azureSecretChars.runEnd(text[:min(len(text), i+1+most+1)], i+1)
	body := text[i+1 : end]
	if start > 0 && azureSecretChars[text[start-1]] && text[start-1] != '.' || end-i-1 > most || !isKey(body, least) {
		return span{}, false
	}
	return span{start, trimDots(text, end)}, true
}

// findAzureSignature finds the signature of a shared link whose equals sign is at i. The same link names the version that the
// signature is for.
func findAzureSignature(text string, i int) (span, bool) {
	const reach, least = 512, 40
	if !endsWith(text, i, "sig") || i < 4 || text[i-4] != '?' && text[i-4] != '&' {
		return span{}, false
	}
	near := text[max(0, i-reach):min(len(text), i+reach)]
	if !strings.Contains(near, "sv=") {
		return span{}, false
	}
	end, ok := keyAt(text, i+1, slackCookieChars, least)
	return span{i + 1, end}, ok
}

// These are the lengths of the parts of a Discord bot token.
const (
	minDiscordID = 23
	maxDiscordID = 28
	discordTime  = 6
	discordCheck = 27
)

// findDiscordToken finds bot tokens of Discord whose first dot is at i: the bot's number in base64, a time, and a checksum; and
// the secret part of webhook addresses.
func findDiscordToken(v view, i int) (span, bool) {
	text := v.text
	if at, ok := findDiscordWebhook(text, i); ok {
		return at, true
	}
	second := i + 1 + discordTime
	if second >= len(text) || text[second] != '.' || keyChars.runEnd(text[:second], i+1) != second {
		return span{}, false
	}
	start := keyChars.runStart(text, i, maxDiscordID+1)
	if n := i - start; n < minDiscordID || n > maxDiscordID || !isBotNumber(text[start:i]) {
		return span{}, false
	}
	end, ok := keyAt(text, second+1, keyChars, discordCheck)
	return span{start, end}, ok
}

// isBotNumber reports whether a text is a number in base64.
func isBotNumber(text string) bool {
	number, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return false
	}
	for _, c := range number {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// findDiscordWebhook finds the secret part of a webhook address whose dot before com is at i.
func findDiscordWebhook(text string, i int) (span, bool) {
	const path, maxID, least = ".com/api/webhooks/", 20, 60
	if !endsWith(text, i, "discord") && !endsWith(text, i, "discordapp") || !strings.HasPrefix(text[i:], path) {
		return span{}, false
	}
	id := i + len(path)
	slash := digitsEnd(text, id)
	if slash == id || slash-id > maxID || slash == len(text) || text[slash] != '/' {
		return span{}, false
	}
	end, ok := keyAt(text, slash+1, keyChars, least)
	return span{slash + 1, end}, ok
}

// findTelegramToken finds bot tokens of Telegram whose colon is at i: the bot's number, and 35 characters.
func findTelegramToken(v view, i int) (span, bool) {
	const minID, maxID, least, mark = 8, 10, 35, ":AA"
	text := v.text
	if !strings.HasPrefix(text[i:], mark) {
		return span{}, false
	}
	start := i
	for start > 0 && i-start <= maxID && isDigit(text[start-1]) {
		start--
	}
	// In addresses the word bot comes right before the token.
	if n := i - start; n < minID || n > maxID || wordBefore(text, start) && !endsWith(text, start, "bot") {
		return span{}, false
	}
	end, ok := keyAt(text, i+1, keyChars, least)
	return span{start, end}, ok
}
