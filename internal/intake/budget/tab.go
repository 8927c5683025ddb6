package budget

import "context"

// A Tab is an account that is open only while it holds something, for users without a clear end. Its user must have a lock. A Tab
// without Open has no limit.
type Tab struct {
	Open    func() *Account // opens the account; nil: there is none
	account *Account
	held    int
}

// Take takes n bytes for messages, or returns why there is no room.
func (t *Tab) Take(n int) error {
	if t.Open == nil || n <= 0 {
		return nil
	}
	if t.account == nil {
		t.account = t.Open()
	}
	err := t.account.Take(Messages, n)
	if err == nil {
		t.held += n
	}
	t.settle()
	return err
}

// Give gives back n bytes that were taken.
func (t *Tab) Give(n int) {
	if t.Open == nil || n <= 0 {
		return
	}
	t.account.Give(Messages, n)
	t.held -= n
	t.settle()
}

// settle closes the account if it holds nothing.
func (t *Tab) settle() {
	if t.held == 0 {
		t.account.Close()
		t.account = nil
	}
}

type accountKey struct{}

// NewContext returns a context with the account of its connection.
func NewContext(ctx context.Context, a *Account) context.Context {
	return context.WithValue(ctx, accountKey{}, a)
}

// FromContext returns the account in a context; nil: none.
func FromContext(ctx context.Context) *Account {
	a, _ := ctx.Value(accountKey{}).(*Account)
	return a
}
