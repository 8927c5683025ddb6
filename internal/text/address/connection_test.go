package address

import (
	"fmt"
	"testing"
)

func TestServers(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://u:p@db.example.com:5433/app?sslmode=require":       "[{postgres db.example.com 5433}]",
		"postgresql://a:1,b:2/app":                                     "[{postgresql a 1} {postgresql b 2}]",
		"postgres:///app?host=db.example.com&port=6":                   "[{postgres db.example.com 6}]",
		"postgres:///app?host=/var/run":                                "[{postgres /var/run }]",
		"postgres://%2Fvar%2Frun/app":                                  "[{postgres /var/run }]",
		"mongodb+srv://u:p@cluster.example.net/app":                    "[{mongodb+srv cluster.example.net }]",
		"mongodb://a.example.net,b.example.net:27018/":                 "[{mongodb a.example.net } {mongodb b.example.net 27018}]",
		"mysql+pymysql://u@db.example.com/x":                           "[{mysql db.example.com }]",
		"redis://:secret@[2001:db8::1]:6380/0":                         "[{redis [2001:db8::1] 6380}]",
		"jdbc:postgresql://db.example.com/x?user=a":                    "[{postgresql db.example.com }]",
		"jdbc:sqlserver://db.example.com\\sql1:1433;databaseName=x":    "[{sqlserver db.example.com 1433}]",
		"jdbc:sqlserver://;serverName=db.example.com;portNumber=1":     "[{sqlserver db.example.com 1}]",
		"jdbc:oracle:thin:u/p@//db.example.com:1521/svc":               "[{ db.example.com 1521}]",
		"jdbc:mysql:loadbalance://a,b/x":                               "[{loadbalance a } {loadbalance b }]",
		"host=db.example.com port=5433 dbname=x":                       "[{ db.example.com 5433}]",
		"host = 'db.example.com' dbname = x":                           "[{ db.example.com }]",
		"host=a,b port=1,2":                                            "[{ a 1} { b 2}]",
		"Server=tcp:db.example.com,1433;Database=x":                    "[{ db.example.com 1433}]",
		"Data Source=db.example.com;Initial Catalog=x":                 "[{ db.example.com }]",
		"u/p@(DESCRIPTION=(ADDRESS=(HOST=db.example.com)(PORT=1521)))": "[{ db.example.com 1521}]",
		"me@db.example.com:3306/app":                                   "[{ db.example.com 3306}]",
		"db.example.com:27017/app":                                     "[{ db.example.com 27017}]",
		"service=prod":                                                 "[{ \xff }]",
		"sqlite:///x.db":                                               "[]",
		"app":                                                          "[]",
		"app_production":                                               "[]",
		"/var/run/x.sock":                                              "[]",
	} {
		if got := fmt.Sprint(Servers(text, false)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"db.example.com":           "[{ db.example.com }]",
		"tcp:db.example.com,1433":  "[{ db.example.com 1433}]",
		`db.example.com\sql1,1433`: "[{ db.example.com 1433}]",
		"db.example.com:5":         "[{ db.example.com 5}]",
		"2001:db8::1":              "[{ 2001:db8::1 }]",
		"/tmp/mysql.sock":          "[{ /tmp/mysql.sock }]",
	} {
		if got := fmt.Sprint(Servers(text, true)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
