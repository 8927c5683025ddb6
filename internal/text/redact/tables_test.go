package redact

import (
	"encoding/base64"
	"strings"
)

// Bodies of made-up keys.
const (
	alnum24 = "aB3dE5fG7hJ9kL1mN3pQ5rS7"
	alnum36 = "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"
	alnum48 = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9fG1hJ3"
	dashed  = "x7Qm_2Lk-9Zp4Vt8Rw1Ys6Hn3Bd5Gf0Jc-7Xa_2Ke9Mu4Ti8Oq1Pl6Sv3Nb5Wg0Dh-7Fr_2Jy9Ez4Ca8Ub1Io"
	secret  = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
	random  = "h9Kd+2LmQ7/xVb4TzR1nYc8WpJ0sUe6GfA3iOo5B"
	header  = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9"
	payload = "eyJzdWIiOiIxMjM0NTY3ODkwIn0"
	sig     = "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	pemBody = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
)

var tables = map[string]table{
	"aws_access_key": {
		found: []string{
			"«AKIA~IOSFODNN7EXAMPLE»", "key=«AKIA~IOSFODNN7EXAMPLE»", "«ASIA~Y34FZKBOKMUTVV7A»", "«ABIA~Y34FZKBOKMUTVV7A»",
			"«ACCA~Y34FZKBOKMUTVV7A»", "AWS_ACCESS_KEY_ID=«AKIA~Y34FZKBOKMUTVV7A»\nAWS_REGION=eu-west-1", `"«AKIA~Y34FZKBOKMUTVV7A»"`,
			"s3://«AKIA~Y34FZKBOKMUTVV7A»:x@bucket", "«AKIA~Y34FZKBOKMUTVV7A», «AKIA~IOSFODNN7EXAMPLE»", `a\n«AKIA~Y34FZKBOKMUTVV7A»\n`,
			"my«AKIA~Y34FZKBOKMUTVV7A»", "«AKIA~Y34FZKBOKMUTVV7A»_old", "«AKIA\u200bY34FZKBOKMUTVV7A»", "«AKIAY34F\u00adZKBOKM\ufeffUTVV7A»",
			"密钥«AKIA~Y34FZKBOKMUTVV7A»。", "«AKIA~2345672345AB89CD»", "«ＡＫＩＡY34FZKBOKMUTVV7A»", "«AKIA%593%34FZKBOKMUTVV7A»", "«" + base64.StdEncoding.EncodeToString([]byte("id=AKIA"+"Y34FZKBOKMUTVV7A")) + "»",
		},
		nothing: []string{
			"AKIA", "AKIAIOSFODNN7", "AKIAXXXXXXXXXXXXXXXX", "akiaiosfodnn7example", "AKIAIOSFODNN7EXAMPLEEXTRA", "AKIA-IOSFODNN7EXAMPLE",
			"AIDAJQABLZS4A3QDU576Q", "AROAJQABLZS4A3QDU576Q", "AKIAiosfodnn7example1", "SLAKIA IOSFODNN7EXAMPLE", "AKIA0000000000000000",
			"AKIA_IOSFODNN7EXAMPL", "arn:aws:iam::123456789012:user/Asia", "ASIA PACIFIC REGION EAST", "ABIA", "AKIAIOSFODNN7EXAMPL",
		},
	},
	"aws_secret_key": {
		found: []string{
			"«" + secret + "»", "aws_secret_access_key = «" + secret + "»", "AWS_SECRET_ACCESS_KEY=«" + secret + "»", `"SecretAccessKey": "«` + secret + `»"`,
			"«" + random + "»", "key: «" + random + "».", "export X='«" + random + "»'", `secret:\n«` + secret + `»\n`, "«" + random + "»\n«" + secret + "»",
			"secret_access_key: «abcdefghijklmnopqrstuvwxyzabcdefghijklmn»", "aws configure set aws_secret_access_key «" + secret + "»",
			"id,secret\nAKIA,«" + secret + "»", "«" + random[:20] + "\u200b" + random[20:] + "»", "密钥是«" + random + "»", "«" + secret + "» and some text after it",
			"aws: «0123456789abcdef0123456789ABCDEFghijklmn»",
		},
		nothing: []string{
			"9fceb02d0ae598e95dc970b74767f19372d61af8", "aws commit 9fceb02d0ae598e95dc970b74767f19372d61af8", random + "x", random[:39], random + "=",
			"/usr/share/javascript/jquery/version3X/a", "getUserAccountInformationFromDatabaseV2X", strings.Repeat("a1B", 13) + "c", "aws " + strings.Repeat("x", 40),
			"abc." + random + ".def", "sha1-" + random, random + random, "0123456789012345678901234567890123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMN",
			"https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html",
			"https://example.com/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o", "data:;base64," + random + random[:8],
		},
	},
	"openai_key": {
		found: []string{
			"«sk-~" + alnum48 + "»", "«sk-~proj-" + dashed + "»", "«sk-~svcacct-" + dashed + "»", "«sk-~admin-" + dashed + "»", "«sk-~None-" + dashed + "»",
			"OPENAI_API_KEY=«sk-~proj-" + dashed + "» python a.py", `{"key":"«sk-~` + alnum48 + `»"}`, "«sk-~my-app-aB3dE5fG7hJ9kL1mN3pQT3BlbkFJ5rS7tU9vW1xY3zA5bC7d»",
			"x=«sk-~" + alnum36 + "».", `a\n«sk-~` + alnum48 + `»`, "%3D«sk-~" + alnum48 + "»", "«sk-~0123456789abcdef0123456789abcdef»", "密钥«sk-~" + alnum48 + "»",
			"«sk-~proj-" + dashed[:30] + "\u200b" + dashed[30:] + "»", "«sk-~proj-" + dashed[:40] + "\n" + dashed[40:] + "»", "_«sk-~" + alnum48 + "»", "(«sk-~" + alnum48 + "»)",
			"«sk-~proj-" + dashed[:40] + "\\\r\n    " + dashed[40:] + "» end",
		},
		nothing: []string{
			"sk-", "sk-…", "sk-...", "sk-proj-...", "sk-your-key-here", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "task-" + alnum48, "disk-" + alnum36,
			"sk-fading-circle sk-circle12", "sk-" + alnum24, "sk-proj-" + strings.Repeat("ab-", 20), "sk-ant-api03-" + dashed, "sk_live_" + alnum24,
			"sk-learn-contrib-hyperparameter-optimization", "risk-550e8400e29b41d4a716446655440000", "SK-" + alnum48, "sk-550e8400-e29b-41d4-a716-446655440000",
		},
	},
	"anthropic_key": {
		found: []string{
			"«sk-ant-~api03-" + dashed + "AA»", "«sk-ant-~oat01-" + dashed + "AA»", "«sk-ant-~ort01-" + dashed + "»", "«sk-ant-~admin01-" + dashed + "»", "«sk-ant-~sid01-" + dashed + "»",
			"ANTHROPIC_API_KEY=«sk-ant-~api03-" + dashed + "AA» claude", `"x-api-key: «sk-ant-~api03-` + dashed + `AA»"`, "a«sk-ant-~api03-" + dashed + "»", "«sk-ant-~" + alnum48 + "»",
			`\n«sk-ant-~api03-` + dashed + `»\n`, "«sk-ant-~api03-" + dashed + "», «sk-ant-~oat01-" + dashed + "»", "«sk-\u200bant-api03-" + dashed + "»",
			"«sk-ant-~api03-" + dashed[:50] + "\n" + dashed[50:] + "»\nnext line", "«sk-ant-~api03-" + dashed[:50] + "\r\n  " + dashed[50:] + "»", "key:«sk-ant-~api03-" + alnum36 + "».", "?key=«sk-ant-~api03-Zx81kPq0vN2mWc77RtYbLsDfGhJk»&host=ci", "«sk-ant-~api03-" + dashed + "»\necho done",
		},
		nothing: []string{
			"sk-ant-", "sk-ant-api03-", "sk-ant-api03-...", "sk-ant-…", "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-ant-your-key", "sk-ant-api03-abc123",
			"sk-ant-api03-YOUR-KEY-HERE", "sk-" + alnum48, "sk-proj-" + dashed, "ant-api03-" + dashed, "sk-ants-are-insects-that-live-in-colonies-of-many", "SK-ANT-API03-" + dashed,
			"sk-ant-********************************", "sk ant api03 " + dashed, "sk_ant_api03_" + dashed,
		},
	},
	"github_token": {
		found: []string{
			"«ghp_~" + alnum36 + "»", "«gho_~" + alnum36 + "»", "«ghu_~" + alnum36 + "»", "«ghs_~" + alnum36 + "»", "«ghr_~" + alnum36 + alnum36 + "»",
			"«github_pat_~11ABCDEFG0abcdefghijkl_" + alnum48 + "aB3dE5fG7hJ»", "https://x:«ghp_~" + alnum36 + "»@github.com/a/b", "GH_TOKEN=«ghp_~" + alnum36 + "» gh pr list",
			"token%3D«ghp_~" + alnum36 + "»", "MY_«ghp_~" + alnum36 + "»", `"«ghp_~` + alnum36 + `»"`, "«ghs_~123456_" + header + "." + payload + "." + sig + "».", "«ghp_~16C7e42F292c6912E7710c838347Ae178B4a»",
			"«ghp_~" + alnum36[:9] + "\u2060" + alnum36[9:] + "»", "«ghp_~" + alnum36[:18] + "\n" + alnum36[18:] + "»", "密钥«ghp_~" + alnum36 + "»",
		},
		nothing: []string{
			"ghp_", "ghp_...", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_" + alnum24, "ghx_" + alnum36, "ghp-" + alnum36, "GHP_" + alnum36, "github_pat_", "github_pat_your_token",
			"github_pat_" + alnum24, "gh_" + alnum36, "ghp_getUserTokenFromTheConfigurationFiles", "9fceb02d0ae598e95dc970b74767f19372d61af8", "ghs_token_from_environment_variable_of_ci",
			"ghp_<36 characters>", "github_patch_" + alnum48,
		},
	},
	"slack_token": {
		found: []string{
			"«xoxb-~123456789012-1234567890123-" + alnum24 + "»", "«xoxp-~123456789012-123456789012-123456789012-0123456789abcdef0123456789abcdef»", "«xoxa-~2-123456789012-" + alnum24 + "»",
			"«xoxo-~523423-234243-234233-e039d02840a0b9379c»", "«xoxr-~123456789012-" + alnum24 + "»", "«xoxs-~123456789012-" + alnum24 + "»", "«xoxe-~1-My0xLTEyMzQ1Njc4OTAxMi0xMjM0NTY3ODkw»", "«xoxe.xoxp-~1-Mi0yLTEyMzQ1Njc4OTAxMi0xMjM0NTY3»",
			"«xapp-~1-A0123456789-1234567890123-0123456789abcdef0123456789abcdef0123456789abcdef»", "https://hooks.slack.com/services/«T01234567/~B01234567/" + alnum24 + "»",
			"https://hooks.slack.com/workflows/«T01234567/~A01234567/123456789012345678/" + alnum24 + "»", "https://hooks.slack.com/triggers/«T01234567/~1234567890123/" + alnum24 + "»", "https://hooks.slack-gov.com/services/«T01234567/~B01234567/" + alnum24 + "»",
			"«xoxd-~AbC1dEf2GhI3%2BjKl4MnO5pQr6%3D%3D»", "SLACK=«xoxb-~123456789012-1234567890123-" + alnum24 + "» x", "HTTPS://HOOKS.SLACK.COM/services/«T01234567/~B01234567/" + alnum24 + "»", "«xoxb-~1234\u200b56789012-1234567890123-" + alnum24 + "»",
			"«xwfp-~123456789012-" + alnum24 + "»",
		},
		nothing: []string{
			"xoxb-", "xoxb-...", "xoxb-your-token-here", "xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxxxxxx", "xoxb-000000000000-000000000000", "xoxb-1234", "xoxz-123456789012-" + alnum24, "XOXB-123456789012-" + alnum24,
			"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "https://hooks.slack.com/services/", "https://api.slack.com/methods/chat.postMessage", "https://slack.com/services/T01234567/B01234567/" + alnum24,
			"xapp-1-your-token", "xoxoxo-hugs-and-kisses", "https://hooks.slack.com/docs/T01234567/B01234567/" + alnum24, "xox-123456789012-" + alnum24, "hooks.slackers.com/services/T01234567/B01234567/" + alnum24,
		},
	},
	"private_key": {
		found: []string{
			"«-----BEGIN ~PRIVATE KEY-----\n" + pemBody + "\n" + pemBody + "\n-----END PRIVATE KEY-----»\n", "«-----BEGIN ~RSA PRIVATE KEY-----\n" + pemBody + "\n-----END RSA PRIVATE KEY-----»", "«-----BEGIN ~EC PRIVATE KEY-----\n" + pemBody + "\n-----END EC PRIVATE KEY-----»",
			"a «-----BEGIN ~OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----» b", "«-----BEGIN ~ENCRYPTED PRIVATE KEY-----\n" + pemBody + "\n-----END ENCRYPTED PRIVATE KEY-----»", "«-----BEGIN ~DSA PRIVATE KEY-----\n" + pemBody + "\n-----END DSA PRIVATE KEY-----»",
			"«-----BEGIN ~PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQOYBFkz" + alnum48 + "\n=aBcD\n-----END PGP PRIVATE KEY BLOCK-----»", `KEY="«-----BEGIN ~PRIVATE KEY-----\n` + pemBody + `\n` + pemBody + `\n-----END PRIVATE KEY-----»\n"`,
			"x\n«-----BEGIN ~PRIVATE KEY-----\n" + pemBody + "\n" + pemBody + "»", "«-----BEGIN ~RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF0123456789ABCDEF\n\n" + pemBody + "\n-----END RSA PRIVATE KEY-----»",
			"«---- BEGIN ~SSH2 ENCRYPTED PRIVATE KEY ----\n" + pemBody + "\n---- END SSH2 ENCRYPTED PRIVATE KEY ----»", "  «-----BEGIN ~PRIVATE KEY-----\n    " + pemBody + "\n    -----END PRIVATE KEY-----»", "«-----BEGIN ~PRIVATE KEY-----\r\n" + pemBody + "\r\n-----END PRIVATE KEY-----»\r\n",
			"«-----BEGIN ~PRIVATE KEY-----" + pemBody + "-----END PRIVATE KEY-----» «-----BEGIN ~PRIVATE KEY-----" + pemBody + "-----END PRIVATE KEY-----»", "\"«-----BEGIN ~PRIVATE KEY-----\\n\" +\n\"" + pemBody + "\\n\" +\n\"-----END PRIVATE KEY-----»\"",
			"«-----BEGIN PRIV\u200bATE KEY-----\n" + pemBody + "\n-----END PRIVATE KEY-----»", "«-----BEGIN ~PRIVATE KEY-----\n" + pemBody + " and all that follows a key without end»",
			"«-----BEGIN ~PRIVATE KEY-----\n" + pemBody + "»\nand a line of words after it", "«-----BEGIN%20PRIVATE%20KEY-----%0A" + pemBody + "%0A-----END%20PRIVATE%20KEY-----»",
			"«-----BEGIN ~RSA PRIVATE KEY----- MIIEpAIBAAKCAQEA7bq acme prod key»", `«-----BEGIN ~RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7x»`,
			"«-----BEGIN ~PRIVATE KEY-----\nMIIEvQIBADANBgkqhki\nG9w0BAQEFAASCBKcwgg\nSjAgEAAoIBAQC7VJTUt9\n-----END PRIVATE KEY-----»", "printf '%s' «" + base64.StdEncoding.EncodeToString([]byte("-----BEGIN PRIVATE KEY-----\n"+pemBody+"\n-----END PRIVATE KEY-----\n")) + "»",
		},
		nothing: []string{
			"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n-----END RSA PRIVATE KEY-----", "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA",
			"-----BEGIN PRIVATE KEY-----", "grep -r -- '-----BEGIN RSA PRIVATE KEY-----' .", "sed -n '/-----BEGIN PRIVATE KEY-----/,/-----END PRIVATE KEY-----/p' f", "-----BEGIN CERTIFICATE-----\n" + pemBody + "\n-----END CERTIFICATE-----",
			"-----BEGIN PUBLIC KEY-----\n" + pemBody + "\n-----END PUBLIC KEY-----", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n" + pemBody + "\n-----END PGP PUBLIC KEY BLOCK-----", "PRIVATE KEY", "YOUR PRIVATE KEY HERE " + pemBody, "-----END PRIVATE KEY-----\n" + pemBody,
			"-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n<your key>\n-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("x", 64) + "\n-----END PRIVATE KEY-----", "BEGIN PRIVATE KEY " + pemBody,
			"-----BEGIN CERTIFICATE REQUEST-----\n" + pemBody, "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC7 me@host", "if strings.Contains(s, \"-----BEGIN EC PRIVATE KEY-----\") { return true }", "-----BEGIN SSH2 PUBLIC KEY-----\n" + pemBody,
			"grep -r -- '-----BEGIN RSA PRIVATE KEY-----' /home/ann/work/project/source/files", "rg '-----BEGIN PRIVATE KEY-----' /srv/MyApplication2/configuration/keys", "-----BEGIN PRIVATE KEY-----\npaste the 2048 bit key that you have made with the tool of your choice here\n-----END PRIVATE KEY-----",
		},
	},
	"jwt": {
		found: []string{
			"«" + header + "." + payload + "." + sig + "»", "token=«" + header + "." + payload + "." + sig + "»&x=1", "Bearer «" + header + "." + payload + "." + sig + "»", "«" + header + "." + payload + "»", "«" + header + "." + payload + "».",
			"«" + header + "." + payload + "." + sig + "». Next sentence", "«eyAiYWxnIjogIkhTMjU2IiB9." + payload + "." + sig + "»", "«ewogICJhbGciOiAiSFMyNTYiCn0." + payload + "." + sig + "»", `"«` + header + "." + payload + "." + sig + `»"`,
			"«eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2oja.48V1_ALb6US04U3b.5eym8TW_c8SuK0lt.XFBoMYUZodetZdvT»", "«eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..48V1_ALb6US04U3b.5eym8TW_c8SuK0lt.XFBoMYUZodetZdvT»", "20«" + header + "." + payload + "." + sig + "»",
			"access_token_«" + header + "." + payload + "." + sig + "»", "«" + header[:9] + "\u200b" + header[9:] + "." + payload + "." + sig + "»", "«" + header + "." + payload[:20] + "\n" + payload[20:] + "." + sig + "»", "«" + header + "." + payload + "." + sig[:20] + "\n" + sig[20:] + "»",
			"«eyJhbGciOiJub25lIn0." + payload + "».", "«" + header + "." + payload + "." + sig + "» «" + header + "." + payload + "." + sig + "»",
		},
		nothing: []string{
			header, header + ".", header + " " + payload, "eyJhbGciOi.abc.def", "www.example.com", "a.b.c", "eyJ.eyJ.eyJ", "eyJmb28iOiJiYXIifQ." + payload + "." + sig, payload + "." + payload + "." + sig, "com.example.package.EyJhbGciOiJIUzI1NiJ9",
			"eyewitness.report.final", "W10." + payload + "." + sig, "1.2.3", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ." + payload, "newest.version.of.everything", "key.json.example", "HeyJude.mp3.txt",
		},
	},
	"bearer_token": {
		found: []string{
			"Authorization: Bearer «" + alnum36 + "»", "curl -H 'Authorization: Bearer «" + alnum24 + "»' https://x", "Bearer «" + alnum24 + "»", "bearer «abc123def456ghi789»", "BEARER «" + alnum24 + "»", "Authorization: Bearer «" + header + "." + payload + "." + sig + "»",
			`{"Authorization": "Bearer «` + alnum24 + `»"}`, "Authorization: Basic «dXNlcjpwYXNzd29yZA==»", "authorization: basic «dXNlcjpwYXNz»", "Authorization: token «" + alnum24 + "»", "Authorization: «" + alnum24 + "»", "Authorization=Bearer%20«" + alnum24 + "»",
			"Authorization: Bearer «a1b2c3d4»", "-H \"authorization: Bearer   «" + alnum24 + "»\"", `headers["Authorization"] = "Bearer «` + alnum24 + `»"`, "Proxy-Authorization: Basic «dXNlcjpwYXNzd29yZA==»", "Authorization: ApiKey «" + alnum24 + "»",
			"Bearer «" + alnum24[:10] + "\u200b" + alnum24[10:] + "»", "Bearer «AbCdEfGhIjKlMnOpQr»",
			"Authorization: Bearer «abc123»", "-H 'Authorization: Bearer «abcdefghij»'", "Authorization: Bearer «abcdefghij»\nAccept: */*", `"Authorization: Bearer «s3cr3t»"`, "Authorization%3A%20Bearer%20«abc123»", "Ａｕｔｈｏｒｉｚａｔｉｏｎ: Bearer «abc123»",
		},
		nothing: []string{
			"Authorization: Bearer $TOKEN", "Authorization: Bearer ${TOKEN}", "Authorization: Bearer <token>", "Bearer token", "the bearer of bad news", "Bearer authentication", "Bearer xxxxxxxxxxxxxxxxxxxxxxxx", "Authorization: Bearer YOUR_TOKEN", "Basic training",
			"Authorization: Basic $CREDENTIALS", "Authorization: Basic realm", "Authorization: Basically none", "Authorization: Basic dXNlcg==", "standard-bearer responsibilities-and-duties", "forbearer " + alnum24, "authorization is required for this endpoint", "Authorization: None", "Bearer: internationalization", "Authorization: Bearer {{ token }}",
			"Authorization: Bearer ...", "bearers " + alnum24,
			"Authorization: Bearer token", "Authorization: Bearer authentication", "Authorization: Bearer abcdefghij is the form", "Authorization: Bearer abc", "Authorization: Bearer your-token", "Authorization: Bearer your-token-1", "'Authorization: Bearer ' + token",
		},
	},
	"email": {
		found: []string{
			"«ann@example.com»", "mail «ann.smith+tag@mail.example.co.uk» now", "<«ann@example.com»>", "mailto:«ann@example.com»", "«ann@example.com».", "'«ann@example.com»'", "email=«ann_1@example.com»&x=1", "«o'brien@example.ie»", "«jürgen@müller.de»", "«用户@例子.公司»",
			"«ann@xn--mller-kva.de»", "«a@b.co», «c@d.org»;", "«ANN@EXAMPLE.COM»", "https://example.com/?email=«ann@example.com»", "git config user.email «ann@example.com»", "(«ann@example.com»)", "«ann@sub-domain.example.museum»", `to:\n«ann@example.com»\n`, "«ann\u200b@example.com»",
			"«ann%x@example.com»", "...«ann@example.com»...", "«12345@qq.com»", "Ann<«ann@example.com»>,Bob", "«git@example.com»", "«ann@example。com»", "«ann@example.xn--p1ai»",
			"«ann＠example.com»", "«ann@example．com»", "«ａｎｎ@example.com»", "«ann%40example.com»", "q=«ann%2540example.com»&x", "«ann﹫example.com»", "echo «" + base64.StdEncoding.EncodeToString([]byte("To: ann@example.com, 1st")) + "» | base64 -d", "https://x/«" + base64.RawURLEncoding.EncodeToString([]byte("mail ann@example.com now")) + "»",
		},
		nothing: []string{
			"@ann", "ann@", "ann@localhost", "user@host", "git@github.com:org/repo.git", "lodash@4.17.21", "icon@2x.png", "@scope/pkg@1.2.3", "https://user@example.com/x", "https://user:pass@example.com/x", "getty@tty1.service", "a @ b.com", "ann@.com", "ann@example.", "deploy@10.0.0.1",
			"@app.route('/x')", "x@y.z", "ann.@example.com", "foo@bar.json", "postgres://u:p@db.example.com:5432/x", "@@ -1,2 +3,4 @@", "name@example.c0m", "ssh://git@github.com/org/repo",
			"100%40 off", "printf '%40s@%s.txt'", base64.StdEncoding.EncodeToString([]byte("a text without any address in it")), "＠ann", "date +%Y%m%d@%H",
		},
	},
	"ssn_us": {
		found: []string{
			"«123-45-6789»", "SSN: «123-45-6789».", "«123 45 6789»", "ssn «123456789»", "Social Security Number: «123456789»", `"«078-05-1120»"`, "(«899-99-9999»)", "«123–45–6789»", "«001-01-0001»", "«123-45-6789»,«234-56-7890»", "ssn=«123456789»&x", `\n«123-45-6789»\n`, "ssn-«123-45-6789»", "号码«123-45-6789»。",
			"«123-45\u200b-6789»", "«123\u00a045\u00a06789»", "x «665-12-3456» y", "«１２３-４５-６７８９»", "«123%2D45%2D6789»", "«١٢٣-٤٥-٦٧٨٩»",
		},
		nothing: []string{
			"000-12-3456", "666-12-3456", "900-12-3456", "987-65-4321", "123-00-4567", "123-45-0000", "123456789", "123-456-7890", "1123-45-6789", "123-45-67890", "123-45-6789-0", "0-123-45-6789", "2024-01-0203", "123.45.6789", "a123-45-6789", "123-45-6789b", "123-45 6789", "ssn 000123456", "12-345-6789", "lesson 123456789", "123\n45\n6789", "123\t45\t6789", "123  45  6789",
		},
	},
	"credit_card": {
		found: []string{
			"«4111111111111111»", "«4111 1111 1111 1111»", "«4111-1111-1111-1111»", "«5555555555554444»", "«2223003122003222»", "«378282246310005»", "«3782 822463 10005»", "«6011111111111117»", "«30569309025904»", "«3056 930902 5904»", "«3530111333300000»", "«6200000000000005»", "«4222222222222»",
			"card «4242 4242 4242 4242» 12/28 123", "12 «4111 1111 1111 1111»", "pan=«4111111111111111»&cvv", "«4111.1111.1111.1111»", "«4111–1111–1111–1111»", "card_«4111111111111111»", "«4111\u200b111111111111»", "«6759649826438453»", "«2200000000000004»", "卡号«4111111111111111»", "«4111111111111111»,123",
			"«4111111111111111».0", "x,«4111111111111111».00,y", "«4.111111111111111e15»", "«4.111111111111111E+15»", "«4111\n1111\n1111\n1111»", "«4111\t1111\t1111\t1111»", "«4111\u00a01111\u00a01111\u00a01111»", "«4111  1111  1111  1111»", "«4111 - 1111 - 1111 - 1111»", "«4111\r\n1111\r\n1111\r\n1111»\r\n",
			"«４１１１１１１１１１１１１１１１»", "«４１１１ １１１１ １１１１ １１１１»", "«٤١١١١١١١١١١١١١١١»", "«𝟒𝟏𝟏𝟏111111111111»", "«4111\u30001111\u30001111\u30001111»", "«4111%201111%201111%201111»", "n=«4111\n1111\n1111\n1111»\n12/28",
		},
		nothing: []string{
			"4111111111111112", "4111 1111 1111 1112", "1234567890123456", "0000000000000000", "1111 1111 1111 1111", "41111111111111111", "411111111111111", "0.4111111111111111", "a4111111111111111", "4111111111111111b", "4111-1111-1111-1111-1", "1700000000000", "20240506070809", "9999999999999995", "41 11 11 11 11 11 11 11",
			"4111 1111-1111 1111", "4111,1111,1111,1111", "550e8400-e29b-41d4-a716-446655440000", "4111111111111111.5",
			"4111111111111111.05", "4.111111111111112e15", "4.111111111111111e16", "4.111111111111111e-15", "14.111111111111111e14", "4.111111111111111", "4001\n4002\n4003\n4004\n4005\n4006\n4007\n4008\n4009", "1111\n4111\n1111\n1111\n1111", "4111\n1111\n1111\n1111\n2222", "4111\n\n\n\n\n1111\n1111\n1111", "4111 1111\n1111 1111",
		},
	},
	"iban": {
		found: []string{
			"«DE89370400440532013000»", "«DE89 3704 0044 0532 0130 00»", "«GB82 WEST 1234 5698 7654 32»", "«GB82WEST12345698765432»", "«FR1420041010050500013M02606»", "«NL91ABNA0417164300»", "«NO9386011117947»", "«CH9300762011623852957»", "«ES9121000418450200051332»", "«IT60X0542811101000000123456»", "«MT84MALT011000012345MTLCAST001S»",
			"«de89370400440532013000»", "IBAN: «DE89370400440532013000».", "IBAN «AT611904300234573201»", "«BE68 5390 0754 7034» and more", "«SE45 5000 0000 0583 9825 7466»", "«DE89-3704-0044-0532-0130-00»", "«DE89\u200b370400440532013000»", "账号«DE89370400440532013000»", "«PL61109010140000071219812874»", "«DE89\n3704\n0044\n0532\n0130\n00»", "«DE89\t3704\t0044\t0532\t0130\t00»", "«ＤＥ89370400440532013000»", "«DE89%203704%200044%200532%200130%2000»",
		},
		nothing: []string{
			"DE88370400440532013000", "DE8937040044053201300", "DE893704004405320130001", "XX89370400440532013000", "DE89", "GB82 TEST 1234 5698 7654 32", "ADE89370400440532013000", "De89370400440532013000x", "DE89 3704 0044 0532", "DE00370400440532013000", "NO12345", "US64SVBKUS6S3300958879", "be5e0ff1ce", "de89370400440532013001",
			"GB82west12345698765432", "IT60X054281110100000012345", "DE89_3704_0044_0532_0130_00",
		},
	},
	"phone": {
		found: []string{
			"«+12125550100»", "«+1 212 555 0100»", "«+1 (212) 555-0100»", "«(212) 555-0100»", "«212-555-0100»", "«212.555.0100»", "«212 555 0100»", "«1-212-555-0100»", "«+44 20 7946 0958»", "«+44 (0)20 7946 0958»", "«+49 30 123456»", "«+33 6 12 34 56 78»", "«06 12 34 56 78»", "«020 7946 0958»", "«030 1234567»", "«0171/1234567»", "«+8613812345678»", "«(11) 91234-5678»",
			"«090-1234-5678»", "«0412 345 678»", "phone: «2125550100»", "tel:«2125550100»", "tel:«+4930123456»", "call «800 555 0199» now", "«0049 30 1234567»", "电话«+8613812345678»", "«+1\u200b2125550100»", "Tel. «+1-212-555-0100».", "«(020) 7946 0958»", "«06.12.34.56.78»", "«+7 495 123-45-67»", "«+1 212 555 0100» 2024", "«%2B12125550100»", "«＋１２１２５５５０１００»", "«212－555－0100»",
		},
		nothing: []string{
			"2125550100", "123-456-7890", "555-123-4567", "1700000000", "+1700000000", "2024-05-06", "06.05.2024", "+2024-05-06 10:00", "10.0.0.1", "192.168.100.200", "+192.168.100.200", "255.255.255.0", "v1.212.555", "1.2.3-4", "978-3-16-148410-0", "0-306-40615-2", "550e8400-e29b-41d4-a716-446655440000", "12:34:56", "id-212-555-0100", "f(212) 555",
			"200 300 4000", "0644 0755 0777", "01 02 03 04 05 06 07 08", "05.12.2024 14:30", "0123 4567", "UTC+01:00", "+1", "x+12345678901", "$212-555-0100", "#212-555-0100", "+2812345678", "(2024) 123-4567", "(212) abc", "see (02) below", "212-555-01000", "+00123456789", "21-25-55-01-00", "911-555-0100", "0.12.345.6789", "4111 1111 1111 1111", "123-45-6789", "212\n555\n0100", "212\t555\t0100", "call 123456789012", "212  555  0100",
		},
	},
}
