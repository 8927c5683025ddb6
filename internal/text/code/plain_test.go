package code

import "testing"

func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		l     *Language
		text  string
		plain bool
	}{
		{Python, `import mypkg; print(mypkg.__version__)`, true},
		{Python, `import sys; print(sys.version)`, true},
		{Python, `import torch; print(torch.cuda.is_available())`, true},
		{Python, `from app import create_app; create_app()`, true},
		{Python, `import json; print(json.load(open("package.json"))["version"])`, true},
		{Python, `import yaml,sys; yaml.safe_load(open('.github/workflows/ci.yml'))`, true},
		{Python, `import ast; ast.parse(open('src/a.py').read())`, true},
		{Python, "import ast, pathlib\nfor p in pathlib.Path('src').rglob('*.py'):\n    ast.parse(p.read_text(), str(p))\nprint('ok')", true},
		{Python, `print(sum(range(10)))`, true},
		{Python, `import mypkg; print(mypkg.parse("2024-01-01"))`, true},
		{Python, `from importlib.metadata import version; print(version("mypkg"))`, false},
		{Python, `import os; os.system("id")`, false},
		{Python, `__import__("os").system("id")`, false},
		{Python, `import mypkg; mypkg.run("rm -rf /")`, false},
		{Python, `import sh; sh.rm("x")`, false},
		{Python, `import m; [f(x) for f in [m.rm] for x in ["/home"]]`, false},
		{Python, `import m; x = "/home"; m.rm(x)`, false},
		{Python, `import m; sorted(["/home"], key=m.rm)`, false},
		{Python, `print(getattr(m, "system"))`, false},
		{Python, `exec(open("x").read())`, false},
		{Python, `print(().__class__.__bases__)`, false},
		{Python, `import sys; sys.modules["x"] = 1`, false},
		{Python, `(lambda: 1)()`, false},
		{Python, `open("x").write("y")`, false},
		{Python, `import os; print(os.environ)`, false},
		{JavaScript, `console.log(require('./package.json').version)`, true},
		{JavaScript, `require('./package.json').scripts`, true},
		{JavaScript, `process.version`, true},
		{JavaScript, `require('./dist/index.js')`, true},
		{JavaScript, `const a=require('./tsconfig.json'); console.log(Object.keys(a.compilerOptions))`, true},
		{JavaScript, `import('./dist/index.mjs').then(m => console.log(Object.keys(m)))`, true},
		{JavaScript, `import { parse } from './dist/x.js'; console.log(parse("a"))`, true},
		{JavaScript, `const {add}=require('./lib'); console.log(add(1,2))`, true},
		{JavaScript, `require('assert').strictEqual(require('./lib').add(1,2),3)`, true},
		{JavaScript, `const {exec}=require('./lib'); exec('x')`, false},
		{JavaScript, `const {run}=require('./lib'); run('rm -rf x')`, false},
		{JavaScript, `require('child_process').execSync('id')`, false},
		{JavaScript, `require('/tmp/x.js')`, false},
		{JavaScript, `require('child_' + 'process')`, false},
		{JavaScript, `require('../x.js')`, false},
		{JavaScript, `require('rimraf').sync('/home')`, false},
		{JavaScript, `require('rimraf')('x')`, false},
		{JavaScript, `[]["constructor"]["constructor"]("x")()`, false},
		{JavaScript, `console.log(process.env)`, false},
		{JavaScript, `['/home'].forEach(m.rm)`, false},
		{JavaScript, `fetch("https://x.example")`, false},
		{Ruby, `puts RUBY_VERSION`, true},
		{Ruby, `require "./lib/a"; puts A::VERSION`, true},
		{Ruby, `YAML.load_file(".rubocop.yml")`, true},
		{Ruby, `system "id"`, false},
		{Ruby, "puts `id`", false},
		{Ruby, `IO.read("|id")`, false},
		{Ruby, `User.delete_all`, false},
		{PHP, `echo PHP_VERSION;`, true},
		{PHP, `require "vendor/autoload.php"; echo App\Version::NUM;`, true},
		{PHP, `$f = "system"; $f("id");`, false},
		{PHP, `"system"("id");`, false},
		{Elixir, `IO.inspect Application.spec(:app, :vsn)`, true},
		{Elixir, `IO.inspect(Shop.Repo.aggregate(Shop.Order, :count))`, true},
		{Elixir, `IO.puts System.version()`, true},
		{Elixir, `System.cmd("rm", ["-rf", "x"])`, false},
		{Elixir, `:os.cmd('id')`, false},
		{Elixir, `Shop.Repo.delete_all(Order)`, false},
		{Perl, `print 1`, false},
	} {
		if got := Plain(tt.text, tt.l); got != tt.plain {
			t.Errorf("%s: %s: plain %v", tt.l.Program, tt.text, got)
		}
	}
}
