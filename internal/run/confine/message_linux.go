package confine

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// An order says what the process inside must do, and which program it becomes. It is not sent in arguments or variables, which
// other processes can read.
type order struct {
	Path      string
	Args, Env []string
	Dir       string
	Hide, Fix []string
	Covers    []Cover
	Masks     []string // what the program must not open: sockets, and for root some devices
	Ports     []uint16
	Socket    string // the name of an abstract unix socket; "": none
	Sandboxes bool
	Root      bool // all users are mapped, and the program keeps root's rights to files
	IPv6      bool // the machine has a route for IPv6
	Trial     bool // everything is prepared, but no program is started
}

// A reply is a message of the process inside. For each door one file follows it, sent with one byte.
type reply struct {
	Error string
	Doors []door
}

// A door is a socket that is handed to the outside.
type door struct {
	Kind doorKind
	Port uint16 // of a mirrored service
}

type doorKind uint8

const (
	doorTCP doorKind = iota + 1
	doorLoopback
	doorDNS
	doorDropped
	doorSocket
)

// maxMessage is the largest message. The kernel allows less than this for arguments and variables.
const maxMessage = 64 << 20

func writeMessage(w io.Writer, message any) error {
	var b bytes.Buffer
	b.Write(make([]byte, 4))
	if err := gob.NewEncoder(&b).Encode(message); err != nil {
		return err
	}
	if b.Len() > maxMessage {
		return errors.New("it is too long")
	}
	binary.BigEndian.PutUint32(b.Bytes(), uint32(b.Len()-4))
	_, err := w.Write(b.Bytes())
	return err
}

// readMessage reads no byte beyond the message, because the bytes after it carry files. io.EOF: there is no message.
func readMessage(r io.Reader, message any) error {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxMessage {
		return errors.New("it is too long")
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(r, body); errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF // an end inside a message is not a proper end
	} else if err != nil {
		return err
	}
	return gob.NewDecoder(bytes.NewReader(body)).Decode(message)
}

// sendFile sends a file.
func sendFile(socket, fd int) error {
	return unix.Sendmsg(socket, []byte{0}, unix.UnixRights(fd), nil, 0)
}

// receiveFile receives a file.
func receiveFile(conn *net.UnixConn) (*os.File, error) {
	oob := make([]byte, unix.CmsgSpace(4))
	n, oobn, _, _, err := conn.ReadMsgUnix(make([]byte, 1), oob)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		if fds, err := unix.ParseUnixRights(&m); err == nil && len(fds) == 1 {
			// Blocked reads and accepts must end when the file is closed.
			if err := unix.SetNonblock(fds[0], true); err != nil {
				return nil, errors.Join(err, unix.Close(fds[0]))
			}
			return os.NewFile(uintptr(fds[0]), "handed over"), nil
		}
	}
	return nil, errors.New("no file came with it")
}
