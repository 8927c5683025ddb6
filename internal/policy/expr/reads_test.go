package expr

import "testing"

func TestReads(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ host, server bool }{
		`args.port == 25`:                                  {},
		`args["port"] == 25 && tool == "connect"`:          {},
		`has(args.port)`:                                   {},
		`"port" in args`:                                   {host: true},
		`args.host == "a.example"`:                         {host: true},
		`has(args.host)`:                                   {host: true},
		`args["host"].endsWith(".example")`:                {host: true},
		`args["ho" + "st"] == "a.example"`:                 {host: true},
		`args.exists(k, args[k] == "a.example")`:           {host: true},
		`args.port == 25 && [args].exists(a, a.x > 1)`:     {host: true},
		`[args.host, "b"].exists(h, h == "b")`:             {host: true},
		`server == "files"`:                                {server: true},
		`args.port == 1 ? server == "" : args.Host == "x"`: {host: true, server: true},
	}
	for source, want := range tests {
		e, err := Compile(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if got := e.ReadsMember("host"); got != want.host {
			t.Errorf("%s: reads host: %v", source, got)
		}
		if got := e.ReadsServer(); got != want.server {
			t.Errorf("%s: reads server: %v", source, got)
		}
	}
}
