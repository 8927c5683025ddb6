// Package lookalike knows which characters look like ASCII letters.
package lookalike

// letters are characters by the ASCII character that they look like: in names and in running text, only in running text, and only
// in names. In a name every likeness in a common typeface counts; in a text only characters that people read as the letter. Names
// are folded before, so the lists for names have no capitals, no wide or styled letters, and no accents. No list has characters
// with a decomposition.
var letters = []struct {
	as                         rune
	anywhere, inTexts, inNames string
}{
	{'\'', "", "’‘ʼ", ""},
	{'-', "‐‒–—−", "‑", "ー"},
	{'6', "", "б", ""},
	{'_', "", "", "ˍ"},
	{'a', "аαɑᴀᎪ", "АΑ", "ⲁꓮᗅ"},
	{'b', "вьβʙᏴ", "ВΒ", "ƅƀҍѣⲃꓐᏏᗷᛒ"},
	{'c', "сϲᴄᏟ", "ꞓСϹ", "ҫȼⲥꓚᑕ"},
	{'d', "ԁᴅđᎠ", "Đ", "ɗժꓓᏧᗪᗞ"},
	{'e', "еєεᴇᎬ", "ёЕΕ", "ҽɛ℮ɇⲉꓰ"},
	{'f', "ꜰƒ", "", "ϝքғꓝ"},
	{'g', "ԍɡɢցᏀ", "", "ǥꓖ"},
	{'h', "нһʜհħᎻ", "НΗ", "ҥңӊⲏꓧᏂᕼ"},
	{'i', "іιıɩɪᎥ", "ІΙ", "1l|!ɨⲓꓲƚꓡᒪլוןا١ⵏᛁߊ"},
	{'j', "јϳᴊᎫ", "Ј", "ȷɉյꓙᒍ"},
	{'k', "кκᴋᏦ", "КΚ", "ƙқҝҟԟⲕꓗᛕ"},
	{'l', "ӏʟłǀᏞ", "ӀԼŁⅼ∣", ""},
	{'m', "мᴍᎷ", "МΜ", "ɱⲙꓟᗰᛖ"},
	{'n', "ηɴո", "Ν", "ռпɲŋղⲛꓠ"},
	{'o', "оοᴏօø", "ОΟՕØ", "0σഠ๐໐ଠ০୦ჿɵөⲟꓳᎾסه०੦౦೦൦ဝ၀߀ⵔ𐐬"},
	{'p', "рρᴘᏢ", "РΡք", "ƿƥⲣꓑᑭ"},
	{'q', "ԛ", "Ԛ", "գզꞯʠ"},
	{'r', "гʀᏒ", "", "ᴦꭇɍɾꓣᎡᖇᚱ"},
	{'s', "ѕꜱᏚ", "Ѕ", "ƽ5ʂꓢᏕ𐑈"},
	{'t', "тτᴛŧᎢ", "ТΤ", "ƭʈⲧꓔ"},
	{'u', "υᴜս", "Ս", "ʋцμʉꓴᑌ"},
	{'v', "ѵνᴠᏙ", "Ѵ", "טꓦᐯ"},
	{'w', "ԝωᴡᏔ", "Ԝ", "աѡꓪᎳ"},
	{'x', "хχ", "ХΧ", "×ҳⲭꓫ᙭ᚷ"},
	{'y', "уγʏ", "УҮΥ", "үყұɏƴⲩꓬᎽ"},
	{'z', "ζᴢᏃ", "зΖ", "ʐ2ƶȥꓜ"},
}

var texts, names = func() (texts, names map[rune]rune) {
	texts, names = map[rune]rune{}, map[rune]rune{}
	add := func(to map[rune]rune, as rune, others string) {
		for _, r := range others {
			to[r] = as
		}
	}
	for _, l := range letters {
		add(texts, l.as, l.anywhere+l.inTexts)
		if l.as == 'l' {
			l.as = 'i' // they are hard to distinguish
		}
		add(names, l.as, l.anywhere+l.inNames)
	}
	return texts, names
}()

// InText is the letter that people read for a character of a text, in lower case.
func InText(r rune) (as rune, ok bool) {
	as, ok = texts[r]
	return as, ok
}

// InName is the letter that a character of a folded name looks like. For letters that are hard to distinguish, such as i, l and 1,
// it is always the same one.
func InName(r rune) (as rune, ok bool) {
	as, ok = names[r]
	return as, ok
}
