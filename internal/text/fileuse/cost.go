package fileuse

// What it takes to compare the name of a file with a place, in steps of some tens of nanoseconds.
const stepsPerPlace = 4

// Cost is about how many steps it takes to say which of the uses touch one of the places.
func (p Places) Cost(uses []Use, deed Deed) int {
	spots := 0
	for i := range uses {
		if u := &uses[i]; u.Counts(deed) {
			for _, readings := range u.spots {
				spots += 1 + len(readings)
			}
		}
	}
	return len(uses) + stepsPerPlace*spots*len(p.places)
}
