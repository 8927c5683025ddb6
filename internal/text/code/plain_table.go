package code

// A plainDialect is what plain code of a language may name.
type plainDialect struct {
	barred  map[string]bool // modules and names that reach further, wherever they stand
	known   map[string]bool // functions that only compute, read and print
	methods map[string]bool // methods of values that do
	project bool            // names with a capital letter are modules of the project
}

func dialectOf(l *Language) *plainDialect {
	switch l {
	case Python, JavaScript, Ruby, PHP, Elixir:
		return plainDialects[l]
	}
	return nil
}

// plainDunders are the names with two underscores that only tell something.
var plainDunders = words("__version__ __file__ __name__ __doc__ __all__ __path__ __author__ __len__ __dirname __filename __VERSION__")

// plainWords are the words of languages that call nothing.
var plainWords = words(`import from for in of is and or not None True False null nil true false undefined this self lambda with while if
	else elif def function return class async await try except catch finally print_r using echo print puts p pp require require_relative
	include_once require_once end do typeof instanceof unless then case when del global as new fn`)

// barredEverywhere reach other programs, the network, or names that the text does not say.
const barredEverywhere = `eval exec execv execve execvp execl execlp compile system popen popen2 popen3 Popen spawn spawnSync spawnl spawnv
	fork vfork kill killpg subprocess shell sh bash cmd getattr setattr delattr globals locals vars builtins importlib import_module
	constructor prototype Function Reflect Proxy ctypes cffi ffi socket sockets net http https urllib urlopen requests httpx aiohttp
	fetch axios
	pickle marshal shelve dill cloudpickle joblib runpy code codeop pdb bdb gc inspect operator types signal multiprocessing threading
	asyncio concurrent pty tty paramiko fabric invoke plumbum pexpect ptyprocess webbrowser ftplib smtplib telnetlib xmlrpc imaplib poplib
	nntplib boto3 botocore google azure docker kubernetes psutil keyring dotenv getpass netrc sqlite3 atexit site settrace setprofile modules
	_getframe remove unlink rmtree rmdir removedirs rename replace_file chmod chown symlink link mkdir makedirs truncate write_text
	write_bytes writelines writeFile writeFileSync appendFile appendFileSync unlinkSync rmSync rmdirSync mkdirSync renameSync copyFile
	copyFileSync createWriteStream extractall extract shutil tempfile environ environb getenv putenv setenv
	send public_send __send__ instance_eval class_eval module_eval instance_exec const_get define_method method method_missing binding
	ObjectSpace Open3 PTY Socket TCPSocket Net FileUtils Fiddle DL Kernel Process IO_popen popen3 syscall trap at_exit load autoload
	ENV Marshal DRb OpenURI Dir IRB Pry UNIXSocket UDPSocket TCPServer
	delete_all destroy_all destroy delete drop drop_table drop_all execute purge truncate_all update_all flush flushall flushdb migrate
	rollback upload download publish deploy sendmail transfer terminate shutdown write`

var plainDialects = map[*Language]*plainDialect{
	Python: {
		barred: words(barredEverywhere + ` os __import__ __builtins__ __subclasses__ __globals__ __class__ __bases__ __mro__ input breakpoint push
			pip distutils setuptools ensurepip venv zipapp cProfile timeit trace profile pydoc idlelib lib2to3 posix nt _posixsubprocess fileinput
			mmap resource sched asyncore wsgiref socketserver ssl selectors pkgutil zipimport imp commands twine ansible salt`),
		known: words(`print len sum min max sorted list dict set tuple str int float bool repr type range enumerate zip any all
			abs round open isinstance issubclass hasattr dir id hash iter next reversed format bytes ord chr divmod pow json.load json.loads
			json.dumps yaml.safe_load yaml.safe_load_all tomllib.load tomllib.loads toml.load ast.parse ast.dump ast.walk csv.reader
			csv.DictReader configparser.ConfigParser sys.exit exit quit pathlib.Path Path glob.glob re.search re.findall re.match re.sub
			re.compile platform.platform platform.python_version platform.machine platform.system_alias sysconfig.get_path
			sysconfig.get_config_var importlib.metadata importlib.metadata.version importlib_metadata.version os.path
			os.path.exists os.path.join os.path.dirname os.path.abspath os.path.basename os.path.isfile os.path.isdir os.getcwd os.cpu_count
			os.listdir os.name os.sep shutil.which datetime.now time.time textwrap.dedent pprint.pprint pprint
			ET.parse minidom.parse tokenize.open html.unescape base64.b64encode hashlib.sha256 difflib.unified_diff`),
		methods: words(`read readlines readline read_text splitlines split strip lstrip rstrip join keys values items get format lower upper
			startswith endswith count index find decode encode title append extend sort copy hexdigest isoformat rglob glob exists is_file
			is_dir stat resolve relative_to group groups search match findall getroot iter attrib parse close is_available version`),
	},
	JavaScript: {
		barred: words(barredEverywhere + ` child_process cluster worker_threads vm http2 dgram dns tls inspector repl module wasi globalThis
			global window binding dlopen mainModule execSync execFile execFileSync execa shelljs zx createRequire env stdin Deno Bun Worker`),
		known: words(`console.log console.error console.table console.dir console.warn console.info require import JSON.stringify JSON.parse
			Object.keys Object.values Object.entries Object.fromEntries Array.from Array.isArray Math.max Math.min Math.round
			Math.floor Number parseInt parseFloat String Boolean Date BigInt Symbol process.exit process.cwd process.memoryUsage
			process.stdout.write fs.readFileSync fs.existsSync fs.readdirSync fs.statSync path.join path.resolve path.basename path.dirname
			util.inspect require.resolve Promise.all Promise.resolve assert assert.equal assert.strictEqual assert.ok assert.deepEqual os.cpus
			os.platform os.arch process.hrtime performance.now setTimeout readFileSync existsSync`),
		methods: words(`then catch map filter forEach reduce join split trim slice sort keys values entries toString length includes startsWith
			endsWith match flat flatMap find some every concat indexOf toFixed toUpperCase toLowerCase padEnd padStart log at has`),
	},
	Ruby: {
		project: true,
		barred: words(barredEverywhere + ` IO open pty socket fiddle fileutils tempfile drb net open3 Thread Ractor Object Module Class
			BasicObject Method Proc`),
		known: words(`puts print p pp require require_relative YAML.load_file YAML.safe_load_file YAML.safe_load JSON.parse File.read
			File.readlines File.exist? File.foreach Gem.loaded_specs Time.now Integer Float String Array exit printf format`),
		methods: words(`read each map select reject join keys values to_s to_i to_a to_h to_json inspect size count length first last sort
			sort_by uniq split strip lines dig fetch merge version name class new`),
	},
	PHP: {
		barred: words(barredEverywhere + ` shell_exec passthru proc_open pcntl_exec mail curl_exec curl_init file_put_contents fopen fsockopen
			stream_socket_client assert create_function call_user_func call_user_func_array preg_replace_callback extract parse_str dl putenv
			ini_set include ReflectionFunction ReflectionMethod array_map array_filter usort`),
		known: words(`phpversion var_dump print_r var_export json_decode json_encode file_get_contents extension_loaded php_sapi_name
			php_uname count strlen implode explode array_keys array_values in_array sprintf printf ini_get function_exists class_exists
			version_compare opcache_get_status get_loaded_extensions PHP_EOL`),
		methods: words("getVersion version toArray count"),
		project: true,
	},
	Elixir: {
		project: true,
		barred: words(barredEverywhere + ` System Port File Code Node Process Module Task Agent GenServer Supervisor Path os erl file erlang
			rpc apply cmd Macro EEx Req HTTPoison Finch Tesla spawn_link start_link`),
		known: words(`IO.inspect IO.puts inspect length to_string Application.spec Application.get_env Mix.env Mix.Project.config
			System.version System.otp_release Enum.map Enum.count Enum.each Enum.filter Enum.join Map.keys`),
		methods: words("version"),
	},
}
