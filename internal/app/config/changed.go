package config

import "reflect"

// sections are the keys of weir.yaml, with the value that each sets.
var sections = []struct {
	key string
	of  func(*Config) any
}{
	{"listen", func(c *Config) any { return c.Listen }},
	{"tls", func(c *Config) any { return c.TLS }},
	{"ingress", func(c *Config) any { return c.Ingress }},
	{"enforcement", func(c *Config) any { return c.Enforcement }},
	{"proxy", func(c *Config) any { return c.Proxy }},
	{"upstreams", func(c *Config) any { return c.Upstreams }},
	{"outgoing", func(c *Config) any { return c.Outgoing }},
	{"clients", func(c *Config) any { return c.Clients }},
	{"client_files", func(c *Config) any { return c.ClientFiles }},
	{"policy", func(c *Config) any { return [2]any{c.Policy.Path, c.Policy.Inline != nil} }},
	{"on_deny", func(c *Config) any { return c.OnDeny }},
	{"inbound", func(c *Config) any { return c.Inbound }},
	{"notice", func(c *Config) any { return c.Notice }},
	{"prices", func(c *Config) any { return c.Prices }},
	{"store", func(c *Config) any { return c.Store }},
	{"audit", func(c *Config) any { return c.Audit }},
	{"bodies", func(c *Config) any { return c.Bodies }},
	{"bounds", func(c *Config) any { return c.Bounds }},
	{"metrics", func(c *Config) any { return c.Metrics }},
	{"otlp", func(c *Config) any { return c.OTLP }},
	{"webhooks", func(c *Config) any { return c.Webhooks }},
	{"egress", func(c *Config) any { return c.Egress }},
	{"people", func(c *Config) any { return c.People }},
	{"log", func(c *Config) any { return c.Log }},
	{"drain", func(c *Config) any { return c.Drain }},
	{"drain_notice", func(c *Config) any { return c.DrainNotice }},
}

// Changed returns the keys of weir.yaml whose values differ between two configurations. An inline policy is not compared: it is not
// a setting of weir.
func Changed(one, other *Config) (keys []string) {
	for _, s := range sections {
		if !reflect.DeepEqual(s.of(one), s.of(other)) {
			keys = append(keys, s.key)
		}
	}
	return keys
}
