package store

import "testing"

// TestKindsInWords: what people read wherever a URL is asked for, or refused.
func TestKindsInWords(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{forms(), "write sqlite:///absolute/path.db or postgres://user:password@host:5432/database"},
		{Forms.Examples, "sqlite:///path/to/weir.db or postgres://user@host/database"},
		{Forms.Described, "sqlite:// and a path, or postgres:// with user, host and database"},
		{Forms.Advised, "sqlite:// and a path, such as sqlite:///var/lib/weir/weir.db, or postgres://user@host/database"},
	} {
		if test.got != test.want {
			t.Errorf("%q\nwant %q", test.got, test.want)
		}
	}
}
