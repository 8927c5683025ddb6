package program

// Packages are the names of packages that very many projects take from a registry, by the programs that do. A name that differs from one
// of them by a letter is likely to be a trap. Names that are as close to another as that, but well known themselves, are here too.
var Packages = []PackageNames{
	{
		Programs: "npm pnpm yarn bun cnpm npx pnpx bunx ni",
		Names: `react react-dom react-router react-router-dom react-redux react-query react-hook-form react-native react-scripts react-icons
			preact redux lodash lodash-es underscore express expressjs expresso axios chalk commander commando debug dotenv dotenvx moment
			moment-timezone momentjs request requests request-promise request-promise-native
			webpack webpack-cli webpack-dev-server webpack-merge
			rollup rollups vite vitest eslint eslint-config-prettier eslint-config-airbnb eslint-config-next eslint-plugin-react
			eslint-plugin-import eslint-plugin-prettier eslint-plugin-react-hooks eslint-plugin-jsx-a11y eslint_d tslint jslint prettier
			prettierd typescript ts-node ts-jest ts-loader tsx tsup mocha jasmine jest karma cypress playwright puppeteer puppeteer-core
			cross-env cross-spawn cross-fetch node-fetch concurrently nodemon nodemailer body-parser cookie-parser express-session
			express-validator express-rate-limit passport passport-jwt passport-local
			jsonwebtoken bcrypt bcryptjs mongoose mongodb mysql mysql2
			sequelize typeorm prisma drizzle-orm drizzle-kit sqlite sqlite3 better-sqlite3
			ioredis redis pg-promise socket.io socket.io-client
			fastify apollo-server graphql graphql-tag graphql-yoga electron electron-builder electron-store electron-updater cheerio jsdom
			classnames styled-components tailwindcss postcss autoprefixer sass-loader css-loader style-loader file-loader babel-loader
			babel-core babel-cli bootstrap jquery angular svelte next nuxt gatsby vue vuex
			vue-router pinia yargs minimist inquirer prompts
			rimraf mkdirp glob globby semver semver-regex uuid nanoid date-fns dayjs luxon
			winston morgan helmet compression multer formidable
			sharp formik zustand jotai immer immutable mobx framer-motion three chart.js chartjs recharts d3 storybook husky lint-staged
			commitlint supertest nock sinon chai enzyme faker msw fs-extra chokidar ejs
			handlebars mustache marked showdown highlight.js prismjs
			ws websocket websockets async asyncs bluebird rxjs ramda validator ajv joi yup
			superagent got ky undici form-data qs colors color
			colord kleur ora boxen figlet ethers ethereum web3 web3.js solana hardhat truffle
			stripe twilio aws-sdk firebase firebase-admin
			firebase-tools openai langchain discord.js telegraf pino pino-pretty knex
			objection bull bullmq agenda cron node-cron serverless
			nodemon pm2 forever http-server live-server json-server core-js regenerator-runtime
			tslib ts-pattern browserify gulp grunt grunt-cli
			bower parcel esbuild terser uglify-js node-sass less stylus event-stream
			flatmap-stream ua-parser-js coa left-pad is-odd is-even
			is-number is-promise yargs-parser micromatch picomatch minimatch readable-stream through2 safe-buffer string-width strip-ansi
			wrap-ansi supports-color ansi-styles mime mime-types iconv-lite node-ipc shelljs execa zx dotenv-cli env-cmd npm-run-all`,
	},
	{
		Programs: "pip pip2 pip3 pipx uv uvx poetry pdm pipenv rye conda mamba micromamba pixi",
		Names: `requests request requests-oauthlib requests-toolbelt requests-mock urllib3 numpy pandas scipy matplotlib scikit-learn
			scikit-image scikit-build tensorflow tensorflow-gpu tensorboard keras torch torchvision torchaudio torchtext django
			djangorestframework django-cors-headers django-filter flask flask-cors flask-login flask-sqlalchemy fastapi starlette uvicorn
			gunicorn hypercorn sqlalchemy sqlmodel alembic psycopg psycopg2 psycopg2-binary
			mysqlclient pymysql pymongo boto3 boto botocore
			s3transfer s3fs awscli pydantic pydantic-core pydantic-settings pytest pytest-cov pytest-asyncio pytest-mock pytest-xdist
			pytest-django pytests coverage coveralls black flake8 pylint pyflakes pycodestyle pydocstyle mypy isort ruff setuptools wheel
			python-dateutil python-dotenv python-decouple python-multipart python-jose python-docx python-pptx python-slugify
			python-telegram-bot python-gitlab dateutils dotenv beautifulsoup4 beautifulsoup bs4 lxml html5lib pillow opencv-python
			opencv-contrib-python opencv-python-headless cryptography pycrypto pycryptodome
			pycryptodomex paramiko pyyaml jinja2 markupsafe
			celery redis hiredis kombu transformers tokenizers datasets accelerate
			huggingface-hub diffusers safetensors sentencepiece colorama
			click rich typer tqdm httpx aiohttp aiofiles aiosqlite asyncpg asyncio certifi charset-normalizer chardet idna six pytz tzdata
			jupyter jupyterlab notebook ipython ipykernel ipywidgets nbconvert seaborn plotly
			plotnine bokeh altair streamlit gradio dash openai
			anthropic langchain langchain-core langchain-community langgraph tiktoken scrapy selenium playwright poetry hatchling tox nox
			virtualenv pipenv docker docker-compose kubernetes ansible google-cloud-storage google-cloud-bigquery google-api-python-client
			google-auth grpcio grpcio-tools protobuf pyjwt passlib bcrypt argon2-cffi marshmallow loguru structlog pyarrow polars xgboost
			lightgbm catboost nltk spacy gensim networkx sympy statsmodels pyspark dask distributed numba cython jsonschema attrs cattrs
			websockets websocket websocket-client discord.py discord tweepy stripe sentry-sdk
			prometheus-client twine build packaging toml tomli
			pyinstaller pre-commit sphinx mkdocs mkdocs-material pexpect psutil pyserial
			pywin32 simplejson ujson orjson msgpack cachetools
			tenacity faker factory-boy hypothesis freezegun responses moto tabulate openpyxl
			xlrd xlsxwriter reportlab pypdf pypdf2 pdfplumber
			pymupdf geopandas shapely folium fabric invoke termcolor pygments pyqt5 pyqt6 pygame
			flask-restful python python3 uvloop watchdog watchfiles blake3`,
	},
	{
		Programs: "cargo",
		Names: `serde serde_json serde_yaml serde_derive serde_with tokio tokio-util tokio-stream reqwest request clap anyhow thiserror tracing
			tracing-subscriber regex regex-lite hyper axum actix-web actix-rt rayon chrono time diesel sqlx futures futures-util crossbeam
			itertools rand log env_logger once_cell lazy_static bitflags bytes async-trait
			rustls openssl rust_decimal uuid base64 url http
			tower tonic prost warp rocket config dotenv dotenvy tempfile walkdir indexmap hashbrown parking_lot criterion proptest mockall
			syn quote proc-macro2 nom pest libc num-traits ndarray bincode toml csv semver colored indicatif dialoguer crossterm ratatui`,
	},
	{
		Programs: "gem bundle bundler",
		Names: `rails rake rspec rspec-rails rspec-core nokogiri devise sidekiq bundler rubocop rubocop-rails puma activerecord activesupport
			actionpack rest-client rest_client faraday httparty capybara minitest sinatra
			jekyll simplecov factory_bot factory_bot_rails faker
			pry pry-byebug redis sequel mysql2 sqlite3 jwt bcrypt dotenv dotenv-rails webmock unicorn thor fastlane cocoapods omniauth
			carrierwave paperclip kaminari pundit cancancan selenium-webdriver brakeman bootsnap
			listen spring turbo-rails importmap-rails`,
	},
}

// PackageNames are the names of packages that programs take.
type PackageNames struct{ Programs, Names string }
