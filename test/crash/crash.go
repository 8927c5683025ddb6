// Package crash kills weir at random moments and checks that every call that reached a client is in the record.
package crash
