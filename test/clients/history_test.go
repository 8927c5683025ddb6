package clients

import "testing"

func TestCheckHistory(t *testing.T) {
	call := func(id, name, args, extra string) Item {
		return Item{Kind: CallItem, ID: id, Name: name, Args: args, Extra: extra}
	}
	a, b, c := call("1", "a", `{"x":1}`, `"sig"`), call("2", "b", "", ""), call("", "c", "{}", "")
	thought := Item{Kind: OtherItem, Type: "thought", Name: "hm", Args: "null", Extra: `"t"`}
	b2, otherArgs, unsigned, nameless := call("2", "b", "{}", ""), call("1", "a", `{"x":2}`, `"sig"`), call("1", "a", `{"x":1}`, ""), call("", "b", "{}", "")
	hi := Item{}
	message := func(role string) func(...Item) Message {
		return func(items ...Item) Message { return Message{role, items} }
	}
	user, says, tool := message("user"), message("assistant"), message("tool")
	ran := func(id, name string) Item { return Item{Kind: ResultItem, ID: id, Name: name} }
	type history []Message
	strict := Rules{Alternate: true, Joined: true, Ordered: true, Ahead: true, Leads: true}
	for name, tt := range map[string]struct {
		messages history
		rules    Rules
		good     bool
	}{
		"first":                        {history{user(hi)}, strict, true},
		"text":                         {history{user(hi), says(hi), user(hi)}, strict, true},
		"answered":                     {history{user(hi), says(thought, a, b2), tool(ran("2", "")), tool(ran("1", ""))}, Rules{}, true},
		"answered by name":             {history{user(hi), says(c), tool(ran("", "c")), user(hi)}, Rules{}, true},
		"answered in order":            {history{user(hi), says(a, b2), user(ran("1", "a"), ran("2", "b"), hi)}, strict, true},
		"turn of two messages":         {history{user(hi), says(a), says(b2), user(ran("1", "a"), ran("2", "b")), says(hi), user(hi)}, Rules{Joined: true}, true},
		"made up id":                   {history{user(hi), says(call("9", "c", "{}", "")), user(ran("9", ""))}, Rules{MadeUp: true}, true},
		"id left out":                  {history{user(hi), says(nameless), user(ran("", "b"))}, Rules{LeftOut: true}, true},
		"led by a signature":           {history{user(hi), says(a, b2), user(ran("1", ""), ran("2", ""))}, Rules{Leads: true}, true},
		"none":                         {nil, Rules{}, false},
		"assistant last":               {history{user(hi), says(hi)}, Rules{}, false},
		"unknown role":                 {history{message("robot")(hi)}, Rules{}, false},
		"user says nothing":            {history{user()}, Rules{}, false},
		"assistant says nothing":       {history{user(hi), says(), user(hi)}, Rules{}, false},
		"two users":                    {history{user(hi), user(hi)}, Rules{Alternate: true}, false},
		"assistant first":              {history{says(hi), user(hi)}, Rules{Alternate: true}, false},
		"unanswered":                   {history{user(hi), says(a), user(hi)}, Rules{}, false},
		"unanswered before more":       {history{user(hi), says(a), says(hi), user(ran("1", ""))}, Rules{}, false},
		"unanswered at the end":        {history{user(hi), says(a, b2), tool(ran("1", ""))}, Rules{}, false},
		"partly answered":              {history{user(hi), says(a, b2), user(ran("1", ""))}, Rules{}, false},
		"answered late":                {history{user(hi), says(a), user(hi), tool(ran("1", ""))}, Rules{}, false},
		"answered behind a text":       {history{user(hi), says(a), user(hi, ran("1", ""))}, Rules{Ahead: true}, false},
		"answered twice":               {history{user(hi), says(a), user(ran("1", ""), ran("1", ""))}, Rules{}, false},
		"answered in another order":    {history{user(hi), says(a, b2), user(ran("2", "b"), ran("1", "a"))}, Rules{Ordered: true}, false},
		"answer without call":          {history{user(hi), says(hi), user(ran("1", "a"))}, Rules{}, false},
		"answer without turn":          {history{user(ran("1", "a"))}, Rules{}, false},
		"answer with another name":     {history{user(hi), says(a), user(ran("1", "b"))}, Rules{}, false},
		"answer with another id":       {history{user(hi), says(a), user(ran("2", "a"))}, Rules{}, false},
		"answer to nobody":             {history{user(hi), says(c), user(ran("", ""))}, Rules{}, false},
		"call twice":                   {history{user(hi), says(a, a), user(ran("1", ""), ran("1", ""))}, Rules{}, false},
		"unknown call":                 {history{user(hi), says(call("9", "a", `{"x":1}`, `"sig"`)), user(ran("9", ""))}, Rules{}, false},
		"made up id that may not be":   {history{user(hi), says(call("9", "c", "{}", "")), user(ran("9", ""))}, Rules{}, false},
		"id left out that may not be":  {history{user(hi), says(nameless), user(ran("", "b"))}, Rules{MadeUp: true}, false},
		"other name":                   {history{user(hi), says(call("2", "a", "{}", "")), user(ran("2", ""))}, Rules{}, false},
		"other arguments":              {history{user(hi), says(otherArgs), user(ran("1", ""))}, Rules{}, false},
		"arguments are no JSON":        {history{user(hi), says(b), user(ran("2", ""))}, Rules{}, false},
		"other type":                   {history{user(hi), says(Item{Kind: CallItem, Type: "odd", ID: "2", Name: "b", Args: "{}"}), user(ran("2", ""))}, Rules{}, false},
		"signature gone":               {history{user(hi), says(unsigned), user(ran("1", ""))}, Rules{}, false},
		"thought with another":         {history{user(hi), says(Item{Kind: OtherItem, Type: "thought", Name: "hm", Args: "null", Extra: `"u"`}), user(hi)}, Rules{}, false},
		"first not signed":             {history{user(hi), says(b2), user(ran("2", ""))}, Rules{Leads: true}, false},
		"user calls":                   {history{user(a)}, Rules{}, false},
		"assistant has a result":       {history{user(hi), says(ran("1", "a")), user(hi)}, Rules{}, false},
		"two messages that are no one": {history{user(hi), says(a), says(b2), user(ran("1", "a"), ran("2", "b"))}, Rules{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tt.rules.Check(tt.messages, []Item{a, b, c, thought}); (err == nil) != tt.good {
				t.Errorf("got %v, good: %v", err, tt.good)
			}
		})
	}
}
