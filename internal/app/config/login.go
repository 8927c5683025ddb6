package config

import (
	"os"
	"os/user"
	"strconv"
)

// TOTPFile is the file in the state folder with the secret of the authenticator of the person at the machine.
const TOTPFile = "totp"

// Login returns the login name of the user who runs weir.
func Login() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "uid " + strconv.Itoa(os.Getuid())
}
