package outgoing

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
)

// failed is the error of a failed request, with weir's own text. The transport's text may quote the server and names in its
// certificate.
type failed struct {
	text  string
	cause error
}

func (f *failed) Error() string { return f.text }

// Unwrap returns the cause, so that callers can check it. Its text must not be shown.
func (f *failed) Unwrap() error { return f.cause }

// A body is the body of a response. Its read errors have weir's own texts.
type body struct {
	io.Closer
	src io.Reader       // without the server's credential
	ctx context.Context // of the request
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.src.Read(p)
	if err != nil && err != io.EOF { // the end is not wrapped
		err = failure(b.ctx, err)
	}
	return n, err
}

// failure returns the error of a request with weir's own text.
func failure(ctx context.Context, err error) error {
	for _, ours := range []error{ErrAddress, ErrFingerprint} {
		if errors.Is(err, ours) {
			return fromDial(err)
		}
	}
	// ctx.Err has only two texts; the cause of a cancellation could have any text.
	if cause := ctx.Err(); cause != nil {
		return &failed{"the request was given up: " + cause.Error(), cause}
	}
	return &failed{describe(err), err}
}

// fromDial returns the error of weir's own check, without the errors around it.
func fromDial(err error) error {
	var refused *refusedAddress
	if errors.As(err, &refused) {
		return refused
	}
	var other *otherCertificate
	if errors.As(err, &other) {
		return other
	}
	return &failed{"the connection was refused by a check", err}
}

// describe returns weir's own text for an error of the transport.
func describe(err error) string {
	var (
		dns         *net.DNSError
		op          *net.OpError
		unknownRoot x509.UnknownAuthorityError
		wrongName   x509.HostnameError
		invalid     x509.CertificateInvalidError
		verify      *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "the server's name is not known"
	case errors.As(err, &dns):
		return "the server's name could not be looked up"
	case errors.As(err, &unknownRoot):
		return "the server's certificate is signed by nobody who is trusted here"
	case errors.As(err, &wrongName):
		return "the server's certificate is for another name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "the server's certificate has expired or is not valid yet"
	case errors.As(err, &verify) || errors.As(err, &invalid):
		return "the server's certificate is not valid"
	case errors.As(err, &record):
		return "the server does not speak TLS"
	case errors.As(err, &op) && op.Op == "remote error": // the TLS library's name for an alert
		return "the server ended the TLS handshake"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "the server does not listen: connection refused"
	case errors.Is(err, os.ErrDeadlineExceeded) || timedOut(err):
		return "the server took too long"
	case errors.As(err, &op) && op.Op == "dial":
		return "the server could not be reached" + systemReason(err)
	default:
		return "the exchange with the server broke off" + systemReason(err)
	}
}

func timedOut(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// systemReason is the operating system's text for an error; "": there is none.
func systemReason(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return fmt.Sprintf(": %v", number)
	}
	return ""
}
