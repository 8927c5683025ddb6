package clients

import (
	"cmp"
	"slices"
)

// A Common is what the scenes that all formats have ask of a format.
type Common[T Turn] struct {
	// Says is a model that says things in a turn, which it plays so.
	Says func(p Play, said ...Saying) Model
	// Seen is such a turn as a client has it.
	Seen func(k Kind, said []Saying) T
	// Breaking is the call in which a stream breaks off, and Cut what is recorded of it.
	Breaking Saying
	Cut      []Recorded
	// Told is what requests after the first say of refused calls; "": the notices, which stand in the history that clients send.
	Told string
	// Errors are what the SDK raises.
	Errors func(Kind) Errors
}

// Errors are what an SDK raises when an answer goes wrong, in a stream or whole, and why weir does not read on.
type Errors struct {
	Malformed  string // what weir says of a frame that cannot be read
	Overloaded Raised // in a stream
	Busy       Raised // the same whole
	Died       Raised // whole
	Rejected   Raised
	Redirected Raised
	NoKey      Raised
}

// Scenes are all that formats have in common.
func (c Common[T]) Scenes() []Scene[T] {
	return slices.Concat(c.policyScenes(), c.liveScenes(), c.brokenScenes(), c.doorScenes())
}

// Left is an outcome in which a client has what is left of what the model said, and runs the calls among it. The model is told of the rest.
func (c Common[T]) Left(said ...Saying) func(Kind) Outcome[T] {
	seen := make([]Saying, len(said))
	for i, s := range said {
		seen[i] = s.becomes()
	}
	return c.outcome(said, seen)
}

// outcome is one in which a client has what is seen of what was said.
func (c Common[T]) outcome(said, seen []Saying) func(Kind) Outcome[T] {
	return func(k Kind) Outcome[T] {
		o := Outcome[T]{Turn: c.Seen(k, seen)}
		for _, s := range said {
			if s.Tool == "" {
				continue
			}
			o.Calls = append(o.Calls, s.Recorded())
			if s.Code == "" && !s.Hosted {
				o.Executed = append(o.Executed, s.Ran())
			}
		}
		if slices.ContainsFunc(seen, func(s Saying) bool { return s.Notice }) {
			o.Told = []string{cmp.Or(c.Told, weirSays)}
		}
		return o
	}
}

// Played is a scene in which the model says things, and the client is left with what may pass of them.
func (c Common[T]) Played(name string, said ...Saying) Scene[T] {
	return Scene[T]{Name: name, Door: Replace, Model: c.Says(nil, said...), Want: c.Left(said...)}
}

// Dropped is a scene in which refused calls vanish.
func (c Common[T]) Dropped(name string, said ...Saying) Scene[T] {
	passing := slices.DeleteFunc(slices.Clone(said), func(s Saying) bool { return s.Code != "" })
	return Scene[T]{Name: name, Door: Drop, Model: c.Says(nil, said...), Want: c.outcome(said, passing)}
}

// policyScenes are answers in order, of which the policy lets through more or less.
func (c Common[T]) policyScenes() []Scene[T] {
	// A turn must not be empty, so this one says what was in it.
	nothing := c.Played("nothing left when dropped", Shell)
	nothing.Door = Drop
	return []Scene[T]{
		c.Played("text", Hello),
		c.Played("allowed", Hello, Weather),
		c.Played("allowed without text or arguments", Files),
		c.Played("denied by name", Hello, Shell),
		c.Played("denied by the last piece of an argument", Hello, Secret),
		c.Played("partly denied", Hello, Weather, Shell, Hosts, Secret),
		c.Played("first denied, without text", Shell, Weather),
		c.Played("all denied", Shell, Secret),
		c.Dropped("denied and dropped", Hello, Shell),
		c.Dropped("partly denied and dropped", Hello, Shell, Weather, Secret, Hosts),
		nothing,
	}
}

// liveScenes wait for the client in the middle of an answer. A client that is not given its part at once gets stuck.
func (c Common[T]) liveScenes() []Scene[T] {
	said := []Saying{Hello, Weather, Secret}
	live := func(name, waitsFor string, upTo func(Sent) int) Scene[T] {
		return Scene[T]{Name: name, Door: Replace, Model: c.Says(waiting(upTo), said...), WaitsFor: waitsFor, Want: c.Left(said...)}
	}
	return []Scene[T]{
		live("text is live", "text", func(s Sent) int { return s.Text }),
		live("a call does not wait for the next", "call", func(s Sent) int { return s.Call }),
	}
}

// brokenScenes are answers that go wrong.
func (c Common[T]) brokenScenes() []Scene[T] {
	never := 0
	broken := func(name string, p Play, want func(Kind) Outcome[T]) Scene[T] {
		return Scene[T]{Name: name, Door: Replace, Model: c.Says(p, Hello, c.Breaking), Retries: &never, Want: want}
	}
	fails := func(inStream, asBody func(Errors) Raised) func(Kind) Outcome[T] {
		return func(k Kind) Outcome[T] {
			if !k.Streamed {
				return failed[T](asBody(c.Errors(k)), 1)
			}
			o := failed[T](inStream(c.Errors(k)), 1)
			o.Calls = c.Cut // and nothing of the call in which the stream broke off
			return o
		}
	}
	rejected := broken("rejected", rejecting, func(k Kind) Outcome[T] { return failed[T](c.Errors(k).Rejected, 1) })
	redirected := broken("redirected", redirecting, func(k Kind) Outcome[T] { return failed[T](c.Errors(k).Redirected, 1) })
	rejected.Retries, redirected.Retries = nil, nil
	malformed := broken("malformed", garbled, c.wantMalformed)
	if c.Told != "" {
		malformed.Model = c.Says(garbled, Hello) // a provider that remembers a call waits for its result
	}
	return []Scene[T]{
		malformed,
		broken("overloaded", overloaded, fails(func(e Errors) Raised { return e.Overloaded }, func(e Errors) Raised { return e.Busy })),
		broken("died in a call", dying, fails(func(Errors) Raised { return Raised{} }, func(e Errors) Raised { return e.Died })),
		rejected, redirected,
	}
}

// failed is an outcome in which the SDK raises an error after so many requests.
func failed[T Turn](err Raised, asked int) Outcome[T] { return Outcome[T]{Err: &err, Asked: asked} }

// wantMalformed is a turn that ends in order, with one notice. Of a stream, what came before stays.
func (c Common[T]) wantMalformed(k Kind) Outcome[T] {
	refused := func(reason string) Saying {
		return noticed("The rest of this response was refused (malformed): " + reason + " Nothing after this point was delivered; tell the user.")
	}
	said := []Saying{refused("the response is not JSON.")}
	if k.Streamed {
		said = []Saying{Text(Hello.Pieces[0]), refused(c.Errors(k).Malformed)}
	}
	o := c.Left(said...)(k)
	o.Refused, o.Broken = "malformed", true
	if c.Told != "" {
		o.Told = nil // no call was refused
	}
	return o
}

// doorScenes are about who may ask, and how far the policy is enforced.
func (c Common[T]) doorScenes() []Scene[T] {
	watched := func(k Kind) Outcome[T] {
		o := c.Left(Hello, Listing)(k)
		o.Calls[0].Verdict, o.Calls[0].WouldBe, o.Calls[0].Code, o.Calls[0].Rule = "audit", "deny", "tool_denied", "no-shell"
		return o
	}
	at := func(door, name string, want func(Kind) Outcome[T], said ...Saying) Scene[T] {
		return Scene[T]{Name: name, Door: door, Model: c.Says(nil, said...), Want: want}
	}
	passed := c.Left(Hello, Weather)
	inHeader, inPath := at(Keyed, "key in the header", passed, Hello, Weather), at(Keyed, "key in the path", passed, Hello, Weather)
	inHeader.Headers = map[string]string{"x-weir-key": ClientKey}
	inPath.Path = "/k/" + ClientKey
	return []Scene[T]{
		at(Keyed, "client without key", func(k Kind) Outcome[T] { return failed[T](c.Errors(k).NoKey, None) }, Hello, Weather),
		inHeader, inPath,
		at(Shadow, "denied in shadow", watched, Hello, Listing),
		at(Observe, "denied while observed", watched, Hello, Listing),
	}
}
