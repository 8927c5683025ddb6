package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"aead.dev/minisign"
)

const (
	keyVariable      = "WEIR_SIGNING_KEY"
	passwordVariable = "WEIR_SIGNING_PASSWORD"
)

// signingKey reads the key from the environment: the text of a file that keygen or minisign -G wrote.
func signingKey(env func(string) string) (key minisign.PrivateKey, err error) {
	text := []byte(env(keyVariable))
	if len(text) == 0 {
		return key, fmt.Errorf("%s is empty; set it to the text of a private key (release keygen makes one)", keyVariable)
	}
	if !minisign.IsEncrypted(text) {
		if err := key.UnmarshalText(text); err != nil {
			return key, fmt.Errorf("%s is not a private key of minisign; release keygen makes one", keyVariable)
		}
		return key, nil
	}
	if key, err = minisign.DecryptKey(env(passwordVariable), text); err != nil {
		return key, fmt.Errorf("the key in %s cannot be decrypted; set %s to its password", keyVariable, passwordVariable)
	}
	return key, nil
}

func runKeygen(flags *flag.FlagSet, args []string) error {
	paths, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(paths) != 2 {
		return errors.New("give two files to write: the private and the public key")
	}
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		return err
	}
	secret, err := private.MarshalText()
	if err != nil {
		return err
	}
	if password := os.Getenv(passwordVariable); password != "" {
		if secret, err = minisign.EncryptKey(password, private); err != nil {
			return err
		}
	}
	text, err := public.MarshalText()
	if err != nil {
		return err
	}
	// A key that is there is never overwritten: what it signed could not be checked any more.
	f, err := os.OpenFile(paths[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(secret, '\n')); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := f.Close(); err != nil {
		return err
	}
	return save(paths[1], append(text, '\n'))
}

func runSign(flags *flag.FlagSet, args []string) error {
	paths, err := parse(flags, args)
	if err != nil {
		return err
	}
	key, err := signingKey(os.Getenv)
	if err != nil {
		return err
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := save(path+".minisig", signature(key, data, filepath.Base(path))); err != nil {
			return err
		}
	}
	return nil
}

// signature signs a file. The comment has its name, which the signature covers, and no time, so that two builds are equal.
func signature(key minisign.PrivateKey, data []byte, name string) []byte {
	r := minisign.NewReader(bytes.NewReader(data))
	_, _ = io.Copy(io.Discard, r) // reading from memory does not fail
	return r.SignWithComments(key, "file:"+name, "signature of weir")
}

// isSigned says whether a signature of a file is by the key.
func isSigned(key minisign.PublicKey, data, signed []byte) bool {
	r := minisign.NewReader(bytes.NewReader(data))
	_, _ = io.Copy(io.Discard, r)
	return r.Verify(key, signed)
}

func runVerify(flags *flag.FlagSet, args []string) error {
	path := flags.String("key", "", "file of the public key")
	paths, err := parse(flags, args)
	if err != nil {
		return err
	}
	key, err := minisign.PublicKeyFromFile(*path)
	if err != nil {
		return fmt.Errorf("%s: %w", *path, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		signed, err := os.ReadFile(path + ".minisig")
		if err != nil {
			return fmt.Errorf("%w; was it signed?", err)
		}
		if !isSigned(key, data, signed) {
			return fmt.Errorf("%s is not what was signed, or not by this key; do not use it", path)
		}
	}
	return nil
}
