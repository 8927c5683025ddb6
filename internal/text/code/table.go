package code

import (
	"strings"

	"github.com/weir-gate/weir/internal/text/program"
)

// An effect is what a function does. It returns what is known of the result.
type effect func(e *evaluator, c invocation) value

// A row gives functions a meaning. Names have their last words, joined by dots whatever the language writes between them: rmtree is
// the function of that name in any module, os.remove only that of os, =open only the function without a module, Path().unlink the
// method of what Path returns.
type row struct {
	effect effect
	names  string
}

// meanings are the functions of all languages.
var meanings = []row{
	{removes, `os.remove os.unlink os.rmdir os.removedirs =unlink =rmdir =remove fs.unlink unlinkSync promises.unlink promises.rmdir
		fs.rmdir File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.safe_unlink Dir.rmdir Dir.delete Dir.unlink
		Path().unlink Path().rmdir Pathname().unlink Pathname().delete .unlink Files.delete Files.deleteIfExists File().delete
		File().deleteOnExit file.remove Bun.file().delete Bun.file().unlink lfs.rmdir =os_unlink send2trash posix.unlink`},
	{removesTree, `rmtree rm_rf rm_r remove_tree rmSync fs.rm promises.rm rmdirSync Deno.remove Deno.removeSync remove_dir
		remove_entry_secure remove_entry rimraf rimrafSync rimraf.sync fs-extra.remove fse.remove removeSync emptyDir emptyDirSync del.sync
		deleteSync Application().delete removeItemAtPathError trashItemAtURLResultingItemURLError
		deleteDirectory deleteDir deleteRecursively Pathname().rmtree shutil.rmtree FileUtils.remove_dir =rm Base.rm pl.dir.rmtree
		fs.removeSync`},
	{reads, `tarfile.open().add TarFile.open().add tarfile.TarFile().add ZipFile().write zipfile.ZipFile().write
		=file_get_contents =readfile =file =highlight_file =show_source =parse_ini_file readFile readFileSync createReadStream File.read
		File.readlines File.foreach File.binread IO.read IO.readlines IO.binread IO.foreach .read_text .read_bytes Path().read_text
		Path().read_bytes readTextFile readTextFileSync Deno.readFile Deno.readFileSync Bun.file Files.readString Files.readAllBytes
		Files.readAllLines Files.lines Files.newBufferedReader FileReader() FileInputStream() Scanner() io.lines readLines readRDS
		read.table read.csv pd.read_csv pandas.read_csv read_json read_parquet linecache.getlines linecache.getline fileinput.input
		ConfigParser().read mmap.mmap np.load np.loadtxt =readlines =readline =readchomp =scan readLink =slurp File.Slurp.read_file
		read_file path().slurp YAML.load_file JSON.load_file dotenv_values load_dotenv json_file
		=include =require_once =include_once`},
	{writes, `writeFile writeFileSync appendFile appendFileSync createWriteStream =file_put_contents File.write File.binwrite IO.write
		IO.binwrite writeTextFile writeTextFileSync Deno.writeFile Bun.write Files.writeString Files.write Files.newBufferedWriter FileWriter()
		FileOutputStream() PrintWriter() os.mknod os.mkfifo FileUtils.touch =touch
		outputFileSync write_file =mkfifo`},
	{empties, `fs.truncate truncateSync promises.truncate os.truncate File.truncate Deno.truncate Deno.truncateSync =truncate`},
	{writesReceiver, `.write_text .write_bytes Path().touch Path().write_text Path().write_bytes`},
	{runsFile, `runpy.run_path runpy.run_module =execfile`},
	{changesFolder, `os.chdir process.chdir Dir.chdir =chdir Deno.chdir =setwd =cd`},
	{makesFolder, `os.mkdir os.makedirs mkdirSync fs.mkdir promises.mkdir mkdir_p FileUtils.mkdir Dir.mkdir Deno.mkdir
		Files.createDirectories`},
	{copies, `shutil.copy shutil.copy2 copyfile copytree copyFile copyFileSync cpSync fs.cp promises.cp FileUtils.cp FileUtils.cp_r
		FileUtils.copy FileUtils.install Files.copy file.copy File.Copy.copy =copy =cp Deno.copyFile fs-extra.copy copySync`},
	{copiesStream, `IO.copy_stream stream_copy_to_stream`},
	{moves, `os.rename os.renames os.replace shutil.move =rename renameSync fs.rename promises.rename FileUtils.mv FileUtils.move File.rename
		Files.move Deno.rename file.rename File.Copy.move =move =mv Path().rename Path().replace`},
	{links, `os.symlink os.link symlinkSync linkSync fs.symlink FileUtils.ln_s FileUtils.ln_sf File.symlink File.link =symlink =link
		Deno.symlink Path().symlink_to`},
	{opens, `=open os.open io.open codecs.open gzip.open bz2.open lzma.open =fopen File.open File.new Path().open .openfile fs.open openSync
		promises.open Deno.open Deno.openSync Kernel.open IO.open aiofiles.open builtins.open =gzopen =popen_file`},
	{changesMode, `os.chmod fs.chmod chmodSync promises.chmod =chmod FileUtils.chmod FileUtils.chmod_R File.chmod Path().chmod Deno.chmod
		os.fchmod os.lchmod Sys.chmod`},
	{changesOwner, `os.chown shutil.chown fs.chown chownSync =chown FileUtils.chown FileUtils.chown_R File.chown Deno.chown`},

	{lists, `DirectoryIterator() FilesystemIterator() Files.newDirectoryStream os.listdir os.scandir readdirSync fs.readdir
		promises.readdir Dir.children Dir.entries Dir.each_child =scandir =readdir
		Deno.readDirSync Deno.readDir fs.opendir promises.opendir opendirSync Path().iterdir .iterdir list.files lfs.dir Files.list`},
	{walks, `os.walk os.fwalk Files.walk Find.find walkdir walkSync klaw RecursiveDirectoryIterator() Path().walk .walkFileTree`},
	{givesFirst, `RecursiveIteratorIterator() IteratorIterator() =iterator_to_array CallbackFilterIterator() RegexIterator() ArrayIterator()`},
	{globs, `GlobIterator()`},
	{yieldsPackages, `site.getusersitepackages site.getsitepackages sysconfig.get_path sysconfig.get_paths get_python_lib`},
	{normalizes, `unicodedata.normalize .normalize .unicode_normalize Normalizer.normalize =normalizer_normalize`},
	{globs, `=glob glob.glob glob.iglob globSync fg.sync Dir.glob Dir.[] Path().glob Path().rglob .rglob .glob Sys.glob Glob.glob
		new.Glob().scanSync bsd_glob`},
	{joinsPath, `path.join path.resolve os.path.join posixpath.join ntpath.join File.join joinpath Paths.get Path.of Path.join
		file.path filepath.join =joinpath catfile path.posix.join path.win32.join`},
	{makesPath, `Path pathlib.Path PurePath PosixPath Pathname File() pathlib.PosixPath URL.fileURLToPath fileURLToPath Path()
		.expanduser .resolve .absolute .toPath Paths.get path_expand`},
	{expandsHome, `expanduser expandvars File.expand_path path.expand Path.expand expandTilde expand-file-name normalizePath`},
	{getsVariable, `getenv os.getenv environ.get env.get ENV.fetch Sys.getenv System.getenv get_env`},
	{setsVariable, `os.putenv =putenv Deno.env.set os.Setenv =setenv System.put_env`},
	{unsetsVariable, `os.unsetenv os.Unsetenv .pop ENV.delete Deno.env.delete Sys.unsetenv System.delete_env =unsetenv`},
	{getsProperty, `System.getProperty sys.props sys.props.apply`},
	{yieldsHome, `homedir os.homedir user_home UserHomeDir NSHomeDirectory Path.home Dir.home =homedir Deno.homeDir`},
	{yieldsHere, `os.getcwd process.cwd Dir.pwd Deno.cwd =getcwd =getwd =pwd Path.cwd os.getcwdb`},
	{yieldsEnvironment, `Deno.env.toObject env.toObject os.environ.copy environ.items =phpinfo ENV.to_h ENV.to_a ENV.inspect`},

	{runs, `.system os.system =system popen os.popen popen2 popen3 popen4
		shell_exec =passthru =proc_open =pcntl_exec execSync child_process.exec
		getoutput getstatusoutput getstatus startfile os.execute io.popen IO.popen Kernel.system Kernel.exec Kernel.spawn Process.spawn
		capture capture2 capture2e capture3 pipeline Open3.popen3 PTY.spawn pty.spawn subprocess.run subprocess.call check_call
		check_output Popen subprocess.Popen create_subprocess_shell create_subprocess_exec child_process.spawn spawnSync execFile
		execFileSync child_process.fork execa execa.command execaSync execaCommand execaCommandSync shelljs.exec shell.exec getRuntime().exec
		ProcessBuilder() Bun.spawn Bun.spawnSync Bun.$ =$ zx.$ system2 =spawn posix_spawn posix_spawnp IPC.Run.run IPC.System.Simple.system
		=run Base.run invoke.run ActiveXObject().Run ActiveXObject().Exec callCommand readCreateProcess stringToProcess
		run-program Sys.command Deno.Command Deno.run =shell-command =call-process =start-process =make-process
		=async-shell-command =shell-command-to-string =call-process-shell-command =process-file process.spawn`},
	{executes, `os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.spawnl os.spawnle os.spawnlp os.spawnv
		os.spawnvp os.spawnve os.spawnlpe os.posix_spawn process.execve POSIX.execv`},
	{shellModule, `=sh.rm sh.Command sh.bash`},
	{runsReceiver, `.execute`},

	{evaluates, `timeit.timeit timeit.repeat cProfile.run profile.run
		=eval =Function Function() vm.runInNewContext vm.runInThisContext vm.runInContext vm.Script instance_eval class_eval
		module_eval =load =loadstring =evaluate Eval.me eval.parse =assert =create_function .runsource .runcode include_string builtins.exec
		builtins.eval Meta.parse .eval`},
	{restores, restorers},
	{parses, `=parse =compile str2lang`},
	{imports, `mainModule.require module.require .createRequire()
		=__import__ importlib.import_module import_module =require =import Kernel.require`},
	{getsAttribute, `=getattr Reflect.get`},
	{indexesGlobals, `=globals =locals =vars`},

	{fetches, `urlopen urllib.request.urlopen urlretrieve =fetch globalThis.fetch axios axios.get axios.post axios.put axios.patch
		axios.delete axios.request got got.post got.get got.put needle superagent.get superagent.post request.post request.get node-fetch
		undici.request undici.fetch http.get https.get http.request https.request requests.get requests.post requests.put requests.patch
		requests.delete requests.head requests.request httpx.get httpx.post httpx.put httpx.delete httpx.request httpx.stream
		Session().get Session().post Session().put Session().delete Session().request Client().get Client().post Client().put
		ClientSession().get ClientSession().post PoolManager().request urllib3.request HTTP.get HTTP.post HTTP.post_form HTTP.get_response
		HTTP.put HTTP.delete HTTP.request HTTP.download URI.open URI().open URI.parse().open URI.parse().read OpenURI.open_uri
		HTTParty.get HTTParty.post
		Faraday.get Faraday.post RestClient.get RestClient.post RestClient.delete Excon.get Excon.post LWP.Simple.get
		=get =getstore =getprint =mirror LWP.Simple.getstore
		UserAgent.new().get UserAgent.new().post UserAgent().get UserAgent().post HTTP.Tiny.new().get HTTP.Tiny.new().post
		HTTP.Tiny.new().put HTTP.Tiny.new().delete HTTP.Tiny.new().post_form UserAgent.new().put UserAgent().put
		HTTP.Tiny.new().request =curl_init download.file =download Downloads.download =GET =POST httr.GET httr.POST socket.http.request
		http.request.uri
		URL().openStream URL().openConnection URL().getText URL().text toURL().text toURL().getText HttpRequest.newBuilder URI.create
		WebSocket() =WebSocket webbrowser.open webbrowser.open_new
		webbrowser.open_new_tab wget.download WebClient().DownloadString Request() urllib.request.Request request.Request
		curl.curl_fetch_memory url.url sendBeacon`},
	{curlOption, `=curl_setopt`},
	{httpConnection, `HTTPConnection HTTPSConnection HTTP.new HTTP.start Net.HTTP.start FTP ftplib.FTP SMTP smtplib.SMTP SMTP_SSL FTP_TLS
		Net.SMTP.start Net.FTP.new`},
	{requestsOn, `HTTPConnection().request HTTPSConnection().request HTTP.new().post HTTP.new().get HTTP.new().request HTTP.start().post
		SMTP().sendmail SMTP().send_message SMTP_SSL().sendmail FTP().storbinary FTP().storlines`},
	{connects, `socket().connect .connect_ex socket.create_connection net.connect net.createConnection tls.connect
		net.Socket().connect Socket().connect TCPSocket.new TCPSocket.open TCPSocket() UDPSocket.new Socket.tcp IO.Socket.INET.new
		IO.Socket.INET IO.Socket.INET() IO.Socket.SSL IO.Socket.SSL() IO.Socket.IP.new IO.Socket.IP IO.Socket.IP() IO.Socket.INET6.new
		INET.new IO.Socket.SSL.new =fsockopen =pfsockopen =stream_socket_client =socket_connect Socket() Deno.connect Deno.connectTls
		asyncio.open_connection open_connection socketConnection make.socket Sockets.connect socket.tcp().connect socket.connect .connect
		=sockaddr_in pack_sockaddr_in =connect telnetlib.Telnet Telnet TCPClient() Net.Sockets.TcpClient() paramiko.connect`},
	{listens, `socket().bind .bind createServer().listen .listen HTTPServer ThreadingHTTPServer TCPServer ThreadingTCPServer UDPServer
		TCPServer.new TCPServer.open UDPSocket.bind Bun.serve Deno.serve Deno.listen ServerSocket() stream_socket_server create_server
		start_server socketserver.TCPServer uvicorn.run app.run WEBrick.HTTPServer.new`},
	{connectsHost, `SSHClient().connect paramiko.Transport =IP scapy.IP create_connection websocket.create_connection websockets.connect
		websocket.WebSocketApp WebSocketApp ws ws() ws.WebSocket() socketio.connect
		socket.io-client asyncssh.connect fabric.Connection`},
	{mails, `=mail`},
	{resolves, `gethostbyname getaddrinfo gethostbyname_ex dns.lookup dns.resolve dns.resolve4 dns.resolve6 dns.resolveTxt dns.resolveAny
		dns.resolveCname dns.resolveMx dns.resolveNs dns.resolveSrv promises.lookup promises.resolve4 promises.resolveTxt Deno.resolveDns
		Resolv.getaddress Resolv.getaddresses Resolv.getname Addrinfo.getaddrinfo Addrinfo.tcp IPSocket.getaddress TCPSocket.gethostbyname
		dns_get_record checkdnsrr InetAddress.getByName InetAddress.getAllByName nslookup dns.resolver.resolve dns.toip dns.getaddrinfo
		Sockets.getaddrinfo Dns.GetHostEntry Dns.GetHostAddresses Dns.Resolve Dns.GetHostByName inet_aton`},
	{sends, `.sendall .send .sendto .write .puts .print .end .pipe .println .syswrite =fwrite =fputs =socket_write =send .writelines`},

	{forks, `os.fork =fork Process.fork Kernel.fork =pcntl_fork posix.fork .fork`},
	{becomes, `os.setuid os.setreuid os.seteuid os.setresuid process.setuid process.seteuid Process.UID.change_privilege =posix_setuid
		Process.uid= POSIX.setuid posix.setuid`},
	{kills, `os.kill os.killpg process.kill Process.kill =kill =posix_kill psutil.Process().kill psutil.Process().terminate
		process_iter().kill process_iter().terminate process_iter().send_signal`},
	{queries, `.executescript .executemany .query .executeUpdate .executeQuery .executeLargeUpdate .raw .$executeRawUnsafe .$queryRawUnsafe
		.$executeRaw .unsafe .exec_query .exec_params .execute_query .fetchval .fetchrow =mysqli_query =pg_query =mysql_query =sqlsrv_query
		.multi_query .batch_execute .Exec .ExecContext .Query .QueryRow .QueryContext .MustExec .ExecuteNonQuery .do .prepare .exec
		.simple_query =dbExecute =dbSendQuery =dbGetQuery .async_exec .execute_sql`},
	{opensFile, `sqlite3.connect aiosqlite.connect apsw.Connection apsw.Connection() pysqlite3.connect sqlite.connect duckdb.connect
		better-sqlite3 better-sqlite3() Database() sqlite3.Database sqlite3.Database() DatabaseSync DatabaseSync() sqlite.DatabaseSync()
		SQLite3.Database.new SQLite3.Database.open SQLite3() =SQLite3 Sequel.sqlite sqlite3.open sqlite3.open_v2 =sqlite_open
		SQLite.DB SQLite3.open
		SqliteDatabase SqliteDatabase() peewee.SqliteDatabase sqlite_utils.Database sqlite_utils.Database()`},
	{asksKeyring, `keyring.get_password keyring.get_credential keytar.getPassword keytar.findCredentials keytar.findPassword
		secretstorage.get_all_items secretstorage.search_items Secret.password_lookup_sync
		Secret.password_search_sync win32cred.CredRead win32cred.CredEnumerate Keyring.get_password Keyring.new().get_password
		browser_cookie3.chrome browser_cookie3.firefox browser_cookie3.load browser_cookie3.brave browser_cookie3.edge`},
	{readsNetrc, `netrc.netrc =netrc`},
	{readsShadow, `spwd.getspall spwd.getspnam =getspnam =getspent Etc.getspnam`},
	{reads, `=CURLFile CURLFile() =curl_file_create`},
	{asksKeyring, `.get_all_items .get_secret
		.get_credentials .get_frozen_credentials .getCredentials win32crypt.CryptUnprotectData
		CryptUnprotectData Dpapi.unprotectData`},
	{unpacksTo, `shutil.unpack_archive .extractall .extractAllTo .extractAll tar.x tar.extract Zip.File.extract extract-zip decompress`},
	{killsFound, `.kill .terminate .suspend .send_signal`},
	{uploads, `.upload_file .upload_fileobj .upload_from_filename .upload_blob .fput_object .fPutObject .put .putFile .put_file .upload
		.uploadFile .put_object .putObject .sendFile .send_file .send_document .sendDocument .files_upload .files_upload_v2`},
	{flushes, `.flushall .flushdb .flush_all .flushAll .flushDb .FlushAll .FlushDB`},
	{dropsDocuments, `.drop_database .dropDatabase .deleteMany .delete_many .drop_collection .dropCollection .drop`},
	{loads, `ctypes.CDLL ctypes.PyDLL ctypes.WinDLL cdll.LoadLibrary ctypes.cdll.LoadLibrary =CDLL ffi.dlopen process.dlopen Fiddle.dlopen
		Fiddle.Handle.new dl_load_file package.loadlib dyn.load Libdl.dlopen System.load ffi.Library importlib.machinery.SourceFileLoader
		SourceFileLoader spec_from_file_location dlopen LoadLibrary NativeLibrary.Load Assembly.LoadFrom Assembly.LoadFile ffi_lib
		FFI.load load_extension loadExtension load_dynamic`},

	{decodesBase64, `b64decode urlsafe_b64decode standard_b64decode decodebytes decodestring Base64.decode64 Base64.strict_decode64
		Base64.urlsafe_decode64 =atob =base64_decode decode_base64 MIME.Base64.decode Base64.getDecoder().decode .decodeBase64
		base64decode Convert.FromBase64String base64.decode =decode64`},
	{decodesBase32, `b32decode`},
	{decodesBase85, `b85decode a85decode`},
	{decodesHex, `fromhex unhexlify a2b_hex bytes.fromhex bytearray.fromhex =hex2bin hex_to_bytes decodeHex`},
	{encodes, `b64encode encodebytes Base64.encode64 Base64.strict_encode64 =btoa =base64_encode hexlify =bin2hex encode_base64 .hex
		json.dumps JSON.stringify =json_encode to_json .encode .upper .lower .toUpperCase`},
	{unpacks, `zlib.decompress gzip.decompress bz2.decompress lzma.decompress inflateSync gunzipSync unzipSync Zlib.inflate
		Zlib.Inflate.inflate =gzinflate =gzuncompress =gzdecode Compress.Zlib.memGunzip brotliDecompressSync`},
	{rotates, `=str_rot13 codecs.decode`},
	{decodesPercent, `=urldecode =rawurldecode =decodeURIComponent =decodeURI =unescape querystring.unescape urllib.parse.unquote =unquote
		parse.unquote unquote_plus unquote_to_bytes CGI.unescape CGI.unescapeURIComponent URI.decode_www_form_component
		URI.decode_uri_component URI.unescape URLDecoder.decode =uri_unescape URI.Escape.uri_unescape url.QueryUnescape url.PathUnescape
		Uri.UnescapeDataString =URLdecode HTTP.unescapeuri`},
	{decodesOtherwise, `=convert_uudecode =quoted_printable_decode =html_entity_decode =htmlspecialchars_decode html.unescape
		CGI.unescapeHTML quopri.decodestring binascii.a2b_uu binascii.a2b_qp`},
	{translates, `=strtr .tr`},
	{unpacksList, `=unpack =pack .unpack .unpack1 .pack`},
	{makesChar, `=chr String.fromCharCode String.fromCodePoint string.char =chr_utf8 =Char`},
	{makesText, `=str =String =bytes =bytearray Buffer.from Buffer.of .decode .toString .read .readlines .readline .text .getvalue .strip .trim
		.rstrip .lstrip .chomp .to_s .to_str .as_posix .join_ .toCharArray =list =iter =repr =utf8 .content .getBytes .toURL .toURI .toPath
		.asString =dict =fspath os.fspath os.path.abspath os.path.realpath os.path.normpath path.normalize .freeze .dup =paste0_ .sub_
		.trimEnd .body =iter =sorted =set =tuple =Array.from =String.raw String.raw =Array =split_ .buffer .flush_ stream_get_contents
		.bytes .arrayBuffer .json .blob .slurp .gets`},
	{reverses, `=reversed =reverse .reverse =strrev string.reverse`},
	{joinsList, `.join =join =implode =paste0 =paste =string table.concat =concat`},
	{replaces, `.replace .replaceAll .gsub .sub =str_replace =gsub`},
	{formats, `.format =sprintf =format string.format =printf String.format`},
	{splits, `.split =split =explode shlex.split`},
	{maps, `=map .map .forEach .each .filter .flatMap .then .for_each .each_line .each_with_index Promise.all
		=array_map =array_walk =grep =sapply =lapply`},
}

// others are the functions that mean something else in a language.
var others = map[*Language][]row{
	Python:     {{evaluates, `=exec`}, {runs, `sh.Command`}, {becomes, `=setuid`}},
	JavaScript: {{runs, `=exec $.system .doShellScript`}, {moves, `fs.promises.rename`}, {walks, `=walk`}},
	Ruby:       {{runs, `=exec =system =spawn =sh`}, {sends, `.<<`}},
	Perl: {
		{runs, `=exec =system =readpipe`},
		{removes, `=unlink`},
		{writesSecond, `=store`},
		{opens, `=sysopen`},
		{globs, `=glob`},
		{findsFiles, `=find =finddepth File.Find.find File.Find.finddepth`},
		{reads, `.slurp .slurp_utf8 .slurp_raw .lines_utf8 =read_text =read_binary =read_lines =slurp`},
		{makesPath, `=path Path.Tiny.path =file Path.Class.file Mojo.File.path IO.File.new =io`},
		{installs, `=install CPAN.Shell.install CPAN.install Shell.install`},
		{runs, `=shell CPAN.shell`},
	},
	PHP: {
		{callsNamed, `=call_user_func =call_user_func_array ReflectionFunction().invoke`},
		{runs, `=exec =popen`},
		{imports, `=require_`},
		{evaluates, `=eval`},
		{fetches, `=http_get =http_post_data`},
	},
	R:     {{removesTree, `=unlink`}, {runs, `=system =shell =system2 processx.run`}, {evaluates, `=source =eval`}},
	Julia: {{runs, `=run`}, {reads, `=read =open_`}, {removesTree, `=rm`}, {writes, `=write`}},
	Lua:   {{evaluates, `=load =dofile =loadfile`}, {runs, `=execute`}},
	Java: {
		{removesTree, `FileUtils.deleteDirectory removeItem os.remove.all MoreFiles.deleteRecursively PathUtils.deleteDirectory`},
		{removes, `os.remove`},
		{lists, `.listFiles os.list .useDirectoryEntries .listDirectoryEntries`},
		{walks, `os.walk .walkBottomUp .walkTopDown .walk Files.find .eachFileRecurse .eachFile .traverse FileUtils.listFiles`},
		{runsReceiver, `.! .!!`},
		{runs, `=Process launchedProcess`},
		{evaluates, `=evaluate`},
	},
	AppleScript: {{runs, `=do_shell_script`}, {evaluates, `=run_script`}},
	PowerShell:  powerMeanings,
	Go:          goMeanings,
	Any: {
		{runs, `=exec =spawn =call =sh =cmd System.cmd os.cmd System.shell =shell =execShellCmd =execCmdEx =gorge =staticExec =Exec
			=unix =dos =run-shell-command os.shell os.execute =proc =system*`},
		{removesTree, `=delete-directory =delete-directory-tree File.rm_rf File.rm_r file.delete`},
		{removes, `=delete-file File.rm`},
		{reads, `File.read slurp =insert-file-contents`},
	},
}

// goMeanings are the functions of Go.
var goMeanings = []row{
	{removes, `os.Remove`},
	{removesTree, `os.RemoveAll`},
	{reads, `os.ReadFile os.Open ioutil.ReadFile`},
	{moves, `os.Rename`},
	{writes, `os.WriteFile os.Create ioutil.WriteFile os.OpenFile`},
	{runs, `exec.Command syscall.Exec`},
	{executes, `exec.CommandContext`},
	{fetches, `http.Get http.Post http.PostForm http.NewRequest`},
	{connects, `net.Dial tls.Dial net.DialTimeout`},
	{listens, `net.Listen http.ListenAndServe`},
	{changesMode, `os.Chmod`},
	{getsVariable, `os.Getenv`},
	{yieldsHome, `os.UserHomeDir`},
	{yieldsEnvironment, `os.Environ`},
	{joinsPath, `filepath.Join path.Join`},
	{makesText, `io.ReadAll strings.NewReader bytes.NewReader`},
	{formats, `fmt.Sprintf`},
	{changesFolder, `os.Chdir`},
	{walks, `filepath.Walk filepath.WalkDir`},
	{lists, `os.ReadDir ioutil.ReadDir`},
	{globs, `filepath.Glob`},
	{empties, `os.Truncate`},
	{listens, `net.Listen http.ListenAndServe`},
	{loads, `plugin.Open`},
	{resolves, `net.LookupHost net.LookupIP net.LookupTXT net.LookupCNAME net.LookupAddr net.ResolveIPAddr`},
	{joinsList, `strings.Join`},
}

// index finds the meaning of a function of a language.
var index map[*Language]map[string]effect

func init() {
	out := map[*Language]map[string]effect{nil: {}}
	add := func(to map[string]effect, rows []row) {
		for _, r := range rows {
			for name := range strings.FieldsSeq(r.names) {
				to[strings.TrimSuffix(name, "()")] = r.effect
			}
		}
	}
	add(out[nil], libraryWrites)
	add(out[nil], meanings)
	others[R] = append(others[R], statisticsWrites...)
	for language, rows := range others {
		out[language] = map[string]effect{}
		if language == PHP { // the case of its names does not count
			for name, effect := range out[nil] {
				out[PHP][strings.ToLower(name)] = effect
			}
		}
		add(out[language], rows)
	}
	index = out
}

// powerProfile is the file that PowerShell runs when it starts.
const powerProfile = Home + "/Documents/PowerShell/Microsoft.PowerShell_profile.ps1"

// fixedNames are names whose text is known.
var fixedNames = map[string]string{
	"Dir.home": Home, "Path.home": Home, "os.homedir": Home, "Dir.pwd": Here, "user.home": Home, "os.home": Home,
	"os.sep": "/", "path.sep": "/",
	"$home": Home, "$env:home": Home, "$env:userprofile": Home, "$pwd": Here, "$psscriptroot": Here,
	"$profile": powerProfile, "$profile.allusersallhosts": powerProfile, "$profile.alluserscurrenthost": powerProfile,
	"$profile.currentuserallhosts": powerProfile, "$profile.currentusercurrenthost": powerProfile,
	"$env:appdata": Home + "/AppData/Roaming", "$env:localappdata": Home + "/AppData/Local", "$env:programdata": "C:/ProgramData",
	"$env:temp": Home + "/AppData/Local/Temp", "$env:tmp": Home + "/AppData/Local/Temp", "$env:public": "C:/Users/Public",
	"$env:systemroot": "C:/Windows", "$env:windir": "C:/Windows", "$env:systemdrive": "C:", "$env:programfiles": "C:/Program Files",
	"$env:comspec": "cmd", "$env:homepath": Home, "$env:homedrive": "",
	"$psreadlineoption.historysavepath": Home + "/AppData/Roaming/Microsoft/Windows/PowerShell/PSReadLine/ConsoleHost_history.txt",

	"__dirname": Here, "os.path.sep": "/", "File.SEPARATOR": "/",
}

// fixedText is the text of a name such as process.env.HOME.
func fixedText(name string) (string, bool) {
	if text, ok := fixedNames[name]; ok {
		return text, ok
	}
	cut := strings.LastIndexByte(name, '.')
	if cut < 0 || !isEnvironment(name[:cut]) {
		return "", false
	}
	return variableText(name[cut+1:])
}

// variableText is the text of a variable of the environment.
func variableText(name string) (string, bool) {
	switch strings.ToUpper(name) {
	case "HOME", "USERPROFILE":
		return Home, true
	case "PWD":
		return Here, true
	}
	if place, ok := program.PlaceVariables[name]; ok {
		return strings.Replace(place, "~", Home, 1), true
	}
	return "", false
}

// isEnvironment reports a name for all variables of the environment. What a browser keeps for a page has the secrets of its user as well.
func isEnvironment(name string) bool {
	switch name {
	case "os.environ", "environ", "process.env", "ENV", "$ENV", "$_ENV", "$_env", "$_server", "ENVIRON", "Bun.env", "Deno.env", "env",
		"import.meta.env", "os.environb", "System.getenv()", "$env", "document.cookie", "localStorage", "sessionStorage",
		"window.localStorage", "window.sessionStorage", "Cypress.env":
		return true
	}
	if method, ok := strings.CutPrefix(name, "ENV."); ok && method != "" && method[0] >= 'a' && method[0] <= 'z' {
		return true // a method of all variables, in Ruby
	}
	return strings.HasSuffix(name, ".environ") || strings.HasSuffix(name, "process.env")
}
