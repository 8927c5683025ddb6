package doctor

import "golang.org/x/sys/windows"

// freeSpace returns how many bytes can be written at a path.
func freeSpace(path string) (bytes uint64, ok bool) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, false
	}
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return bytes, err == nil
}
