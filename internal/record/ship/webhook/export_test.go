package webhook

// Sign is for tests that check signatures as a receiver does.
var Sign = sign
