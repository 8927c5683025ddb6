package service

import (
	"net"
	"os"
)

// Notify tells systemd what this process does: READY=1 when it serves, STOPPING=1 when it is about to end. It does nothing where nobody
// waits for that.
func Notify(state string) error {
	socket := os.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return nil
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer conn.Close() // the datagram is sent by then
	_, err = conn.Write([]byte(state))
	return err
}
