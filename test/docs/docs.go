// Package docs holds the pages for users to what weir does: the reference of the policy language is made from its schema, the steps of
// the tutorial and the policies of the cookbook are run, and links lead somewhere.
package docs
