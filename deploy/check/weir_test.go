package check

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// program builds weir once.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "weir-check-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "weir")
	build := exec.Command("go", "build", "-o", path, "./cmd/weir")
	build.Dir, build.Stderr = "../..", os.Stderr
	return path, build.Run()
})

// place writes a file of a container's /etc/weir into a folder. Paths of the container become paths of the folder.
func place(t *testing.T, dir, name, text string) {
	t.Helper()
	text = strings.NewReplacer("/etc/weir-tls/tls.crt", dir+"/tls/cert.pem", "/etc/weir-tls/tls.key", dir+"/tls/key.pem",
		"/etc/weir-", dir+"/", "/etc/weir/", dir+"/", "/home/weir/", dir+"/home/").Replace(text)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// checkConfig has weir check the configuration of a folder.
func checkConfig(t *testing.T, dir string, env ...string) {
	t.Helper()
	weir, err := program()
	if err != nil {
		t.Fatal(err)
	}
	certificate(t, filepath.Join(dir, "tls"))
	check := exec.Command(weir, "config", "check", filepath.Join(dir, "weir.yaml"))
	check.Env = append([]string{"HOME=" + dir, "POD_NAME=weir-0"}, env...)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// certificate makes a certificate and its key.
func certificate(t *testing.T, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "weir"}, DNSNames: []string{"weir"}, NotAfter: time.Now().Add(time.Hour),
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: cert}, "key.pem": {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path)) // it is only a temporary folder
	}
	os.Exit(code)
}
