package redact

import "strings"

// ibanLengths are the lengths of the account numbers of each country, with country and check digits.
var ibanLengths = func() map[string]int {
	const table = "NO15 BE16 DK18 FI18 FK18 FO18 GL18 NL18 SD18 MK19 SI19 AT20 BA20 EE20 KZ20 LT20 LU20 MN20 XK20 CH21 HR21 LI21 " +
		"LV21 BG22 BH22 CR22 DE22 GB22 GE22 IE22 ME22 RS22 VA22 AE23 GI23 IL23 IQ23 OM23 SO23 TL23 AD24 CZ24 ES24 MD24 PK24 RO24 " +
		"SA24 SE24 SK24 TN24 VG24 LY25 PT25 ST25 IS26 TR26 BI27 DJ27 FR27 GR27 IT27 MC27 MR27 SM27 AL28 AZ28 BY28 CY28 DO28 GT28 " +
		"HN28 HU28 LB28 NI28 PL28 SV28 BR29 EG29 PS29 QA29 UA29 JO30 KW30 MU30 YE30 MT31 SC31 LC32 RU33"
	lengths := map[string]int{}
	for _, entry := range strings.Fields(table) {
		lengths[entry[:2]] = int(entry[2]-'0')*10 + int(entry[3]-'0')
	}
	return lengths
}()

// findIBAN finds an international bank account number whose check digits begin at i.
func findIBAN(v view, i int) (span, bool) {
	text, start := v.text, i-2
	if start < 0 || !isLetter(text[start]) || !isLetter(text[start+1]) || wordBefore(text, start) {
		return span{}, false
	}
	length := ibanLengths[strings.ToUpper(text[start:i])]
	if length == 0 {
		return span{}, false
	}
	account := make([]byte, 0, 34)
	at := start
	for at < len(text) && len(account) < length {
		if !alnumChars[text[at]] {
			gap, size := wideMark(text[at:])
			if gap != ' ' && gap != '-' && gap != '\n' {
				break
			}
			at += size
		}
		if at == len(text) || !alnumChars[text[at]] {
			break
		}
		account = append(account, text[at])
		at++
	}
	if len(account) != length || !isDigit(account[3]) || wordAfter(text, at) || !isOneCase(account) || remainder97(account) != 1 {
		return span{}, false
	}
	return span{start, at}, true
}

// isOneCase reports whether an account number has no capitals, or no small letters.
func isOneCase(account []byte) bool {
	text := string(account)
	return text == strings.ToUpper(text) || text == strings.ToLower(text)
}

// remainder97 is the remainder that is 1 for valid check digits. The first four characters are moved to the end, letters count from
// 10, and the resulting number is divided by 97.
func remainder97(account []byte) int {
	remainder := 0
	for i := range account {
		switch c := account[(i+4)%len(account)]; {
		case isDigit(c):
			remainder = (remainder*10 + int(c-'0')) % 97
		default:
			remainder = (remainder*100 + int((c|0x20)-'a') + 10) % 97
		}
	}
	return remainder
}
