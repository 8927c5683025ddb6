package config

import (
	"strings"
	"testing"
)

func TestPeople(t *testing.T) {
	cfg := mustParse(t, "people: [{user: ann@acme.com, totp: JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP, roles: approver, teams: [a, b]}]\n")
	if m := cfg.People[0]; m.User != "ann@acme.com" || len(m.Roles) != 1 || len(m.Teams) != 2 || m.Secret == nil {
		t.Errorf("read %+v", m)
	}
	for text, want := range map[string]string{
		"[{user: ann}]": `people[0]: the key "totp" is missing`,
		"[{user: 'a b', totp: JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP}]": "people[0].user: this is not a name for a person, a role or a team",
		"[{user: ann, totp: SECRET}]":                             "people[0].totp: this is no secret of an authenticator; make one with: weir approvals enrol",
		"[{user: ann, totp: JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP}, {user: Ann, totp: JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP}]": "people[1].user: this person is named twice, first on line 1",
		"[{user: ann, role: x, totp: JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP}]":                                             "people[0].role: unknown key; did you mean roles?",
	} {
		_, err := Parse("weir.yaml", []byte("people: "+text+"\n"), environment("HOME", "/home/ann"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: the error repeats the secret", text)
		}
	}
}
