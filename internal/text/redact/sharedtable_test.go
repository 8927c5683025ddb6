package redact

import (
	"encoding/base64"
	"strings"
)

// The parts of tokens of Discord and Telegram, and keys of Azure.
const (
	discordBot  = "MTIzNDU2Nzg5MDEyMzQ1Njc4"
	discordRest = "GaBcDe.x7Qm_2Lk-9Zp4Vt8Rw1Ys6Hn3Bd5"
	telegramKey = "AAx7Qm_2Lk-9Zp4Vt8Rw1Ys6Hn3Bd5Gf0Jc"
	azureSecret = "aB38Q~~x7Qm_2Lk-9Zp4Vt8Rw1Ys6Hn3Bd5Gf0J"
)

// sharedTables are for kinds of secrets that are told by more than a prefix.
var sharedTables = map[string]table{
	"azure_key": {
		found: []string{
			"«AccountKey=" + base86 + "==»;EndpointSuffix=core.windows.net", "DefaultEndpointsProtocol=https;AccountName=a;«AccountKey=" + base86 + "==»", "Endpoint=sb://x/;SharedAccessKeyName=Root;«SharedAccessKey=" + base86[:43] + "=»",
			"«" + azureSecret + "»", "AZURE_CLIENT_SECRET=«" + azureSecret + "» az login", `{"clientSecret":"«` + azureSecret + `»"}`, "az login --service-principal -p '«" + azureSecret + "»'", "(«" + azureSecret + "»)", "«" + azureSecret + "», «" + azureSecret + "»", "密钥«" + azureSecret + "»",
			"https://a.blob.core.windows.net/c/f?sv=2022-11-02&sp=r&sig=«x7Qm2Lk9Zp4Vt8Rw1Ys6Hn3Bd5Gf0Jc7Xa2Ke9Mu4Ti%3D»", "https://a/c?sig=«x7Qm2Lk9Zp4Vt8Rw1Ys6Hn3Bd5Gf0Jc7Xa2Ke9Mu4Ti%3D»&sv=2022-11-02", "«aB38Q\u200b" + azureSecret[5:] + "»", "«" + azureSecret + "».", "x=«" + azureSecret + "»&y",
			"echo «" + base64.StdEncoding.EncodeToString([]byte("the key is "+strings.ReplaceAll(azureSecret, "~~", "~"))) + "» | base64 -d", "`«AccountKey=" + base86 + "==»`",
		},
		nothing: []string{
			"AccountKey=", "AccountKey=...", "AccountKey=<key>", "AccountKey=" + strings.Repeat("A", 88), "SharedAccessKeyName=RootManageSharedAccessKey", "SharedAccessKey=short1", "aB38Q~~", "aB38Q~~short1", "aaB38Q~~" + azureSecret[7:], "aB3xQ~~" + azureSecret[7:], "aB38q~~" + azureSecret[7:],
			azureSecret + "tooLong1", "sig=x7Qm2Lk9Zp4Vt8Rw1Ys6Hn3Bd5Gf0Jc7Xa2Ke9Mu4Ti", "https://x/?sig=x7Qm2Lk9Zp4Vt8Rw1Ys6Hn3Bd5Gf0Jc7Xa2Ke9Mu4Ti%3D", "https://x/?sv=1&sig=abc", "https://x/?sv=1&design=x7Qm2Lk9Zp4Vt8Rw1Ys6Hn3Bd5Gf0Jc7Xa2Ke9Mu4Ti", "cd ~~/projects && ls 8Q~~",
		},
	},
	"discord_token": {
		found: []string{
			"«" + discordBot + "." + discordRest + "»", "DISCORD_TOKEN=«" + discordBot + "." + discordRest + "»", `client.login("«` + discordBot + "." + discordRest + `»")`, "Bot «" + discordBot + "." + discordRest + "»", "«NzkyNzE1NDU0MTk2MDg4ODQy.X-hvzA.Ovy4MCQywSkoMRRclStW4xAYK7I»",
			"https://discord.com/api/webhooks/123456789012345678/«" + dashed[:68] + "»", "https://discordapp.com/api/webhooks/123456789012345678/«" + dashed[:68] + "»", "https://canary.discord.com/api/webhooks/123456789012345678/«" + dashed[:68] + "» ", "(«" + discordBot + "." + discordRest + "»)",
			"«" + discordBot + "." + discordRest + "», «" + discordBot + "." + discordRest + "»", "密钥«" + discordBot + "." + discordRest + "»。", "«" + discordBot[:9] + "\u200b" + discordBot[9:] + "." + discordRest + "»", "«" + discordBot + "%2E" + discordRest + "»", "x=«" + discordBot + "." + discordRest + "»&y=1", "«" + discordBot + "．" + discordRest + "»",
			"«" + base64.StdEncoding.EncodeToString([]byte("the token is "+discordBot+"."+discordRest)) + "»",
		},
		nothing: []string{
			discordBot, discordBot + ".GaBcDe", discordBot + "." + "GaBcDe.short", discordBot[:20] + "." + discordRest, alnum24 + "." + discordRest, header + "." + payload + "." + sig, "MTIz.abcdef.ghijklmnopqrstuvwxyz1", "a.b.c", "https://discord.com/api/webhooks/", "https://discord.com/api/webhooks/123/abc",
			"https://discord.com/api/v10/users/123456789012345678", "https://discord.com.example.com/" + dashed, "https://accord.com/api/webhooks/123456789012345678/" + dashed[:68], "com.example.ClassNameOfTheService.method.call", discordBot + ".GaBcDe." + strings.Repeat("x", 38), "https://discord.com/api/webhooks/123456789012345678/" + strings.Repeat("x", 68),
		},
	},
	"telegram_token": {
		found: []string{
			"«123456789:" + telegramKey + "»", "https://api.telegram.org/bot«123456789:" + telegramKey + "»/sendMessage", "TOKEN=«1234567890:" + telegramKey + "»", `"«12345678:` + telegramKey + `»"`, "(«123456789:" + telegramKey + "»)", "«123456789:" + telegramKey + "», «123456789:" + telegramKey + "»", "密钥«123456789:" + telegramKey + "»",
			"«123456789:AA\u200b" + telegramKey[2:] + "»", "«123456789%3A" + telegramKey + "»", "«１２３４５６７８９:" + telegramKey + "»", "x «123456789:" + telegramKey + "» y", "`«123456789:" + telegramKey + "»`", "k=«123456789:" + telegramKey + "»&x=1", "«123456789:" + telegramKey + "»\nnext",
			"«" + base64.StdEncoding.EncodeToString([]byte("the token is 123456789:"+telegramKey)) + "»",
		},
		nothing: []string{
			"123456789:", "123456789:AA", "123456789:AAshort1", "1234567:" + telegramKey, "12345678901:" + telegramKey, "a123456789:" + telegramKey, "123456789:BB" + telegramKey[2:], "123456789 " + telegramKey, "12:34:56", "10.0.0.1:8080", "2024-05-06T07:08:09Z", "123456789:" + strings.Repeat("A", 35), "sha256:" + hex64, "localhost:AAAA", "123456789:AA…", "id: 123456789: AA" + telegramKey,
		},
	},
	"url_password": {
		found: []string{
			"https://user:«hunter2»@example.com/x", "postgres://app:«s3cret»@db.example.com:5432/x", "mysql://root:«root1»@localhost/x", "redis://:«hunter2»@cache:6379", "mongodb+srv://u:«p@ss:word»@cluster.example.net/db", "amqp://guest:«guest»@mq", "https://«" + alnum24 + "»@example.com/x.git", "https://«" + alnum24 + "»:x-oauth-basic@example.com/x.git",
			"git clone https://ann:«correcthorse»@git.example.com/a.git", `"DATABASE_URL": "postgres://u:«p%40ss»@h/db"`, "HTTP_PROXY=http://u:«p»@proxy:3128", "ftp://u:«p*ss»@h", "(https://u:«secret1»@h)", "https://u:«pa$$w0rd»@h", "https://a:«b1»@h https://c:«d2»@h", "https\u200b://u:«secret1»@h", "https%3A%2F%2Fu%3A«secret1»%40h",
		},
		nothing: []string{
			"postgres://postgres:postgres@localhost:5432/app", "redis://app:app@127.0.0.1/0",
			"https://user@example.com/x", "https://example.com:8080/a@b", "https://user:$PASSWORD@example.com", "https://user:${PASSWORD}@example.com", "https://user:<password>@example.com", "https://user:password@example.com", "https://user:{pw}@example.com", "https://%s:%s@example.com", "https://user:***@example.com", "https://user:xxxx@example.com", "ssh://git@github.com/a",
			"https://example.com/?q=a:b@c", "https://example.com/#a:b@c", "https://user:@example.com", "://u:p1@h", "user:pass1@host", "mailto:ann@example.com", "https://github.com/@ann/x:y@z", "postgres://localhost:5432/db", "https://x-access-token:...@github.com", "https://your-user@h", "https://ci-user-of-team-payments-2@h/x", "http://[::1]:80/",
		},
	},
	"generic_secret": {
		found: []string{
			"api_key=«" + alnum24 + "»", "MISTRAL_API_KEY=«" + alnum36[:32] + "»", "apiKey: '«" + alnum24 + "»'", `"client_secret": "«` + dashed[:40] + `»"`, "X-API-Key: «" + hex32 + "»", "TWILIO_AUTH_TOKEN=«" + hex32 + "»", "access_token=«" + alnum24 + "»&x=1", "secret => «" + alnum24 + "»", "--api-key «" + alnum24 + "» run", "--token=«" + alnum24 + "»", "PRIVATE-TOKEN: «" + alnum24 + "»",
			"password=«hunter2»", "password: «Tr0ub4dor&3»", `PASSWORD="«c0rrect-horse»"`, "--password «hunter2» -u ann", "db_password := \"«pa55w0rd»\"", "Pwd=«s3cr3t!»;", "passphrase: «l0ng-one»", "api_key := `«" + alnum24 + "»`", "token: «550e8400-e29b-41d4-a716-446655440000»", "config[\"api_key\"] = \"«" + alnum24 + "»\"", "signing_key=«" + hex64 + "».", "ａｐｉ_key=«" + alnum24 + "»", "api%5Fkey%3D«" + alnum24 + "»",
		},
		nothing: []string{
			"api_key=", "api_key=$KEY", "api_key=${KEY}", "api_key=<your key>", "api_key: string", "apiKey = process.env.API_KEY_2", "api_key = os.environ[\"K1\"]", "token = getTokenFromConfiguration2()", "token: user.session.token2", "api_key=short1", "password: string", "password=password", "password = req.body.password2", "password: ${{ secrets.PW1 }}", "PWD=/home/ann/project1", "pwd: ./src1",
			"next_page_token=" + alnum24, "nextToken: " + alnum24, "max_tokens: 4096", "cache_key: v1-linux-" + hex32, "primary_key: id_of_the_row_1", "public_key=" + alnum24, "the secret: nobody knows", "token: aaaaaaaaaaaa1111", "api_key=xxxxxxxxxxxxxxxxxxxxxxxx", "password: ********", "key=" + alnum24, "secret=getUserAccountInformation2", "tokenizer=" + alnum24, "--password-file /run/secrets/p1", "password=your-password1", "passwords: 12", "token: https://example.com/oauth2/token1", "--token $TOKEN1",
			"secret: my-team-prod-db-secret-1", "secret=prod-db-creds-v2-2024", "token: 2024-05-06-build-1234-linux", "password: yes", "secretName: my-application-secret-name",
		},
	},
}

func init() {
	for name, t := range sharedTables {
		tables[name] = t
	}
}
