// Reads and validates all settings. No other module reads process.env.
import { existsSync, readFileSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { CHARGE_COMMITS, DEFAULT_CHARGE_COMMIT } from './domain/account/charge-commit.ts'
import {
  addresses,
  contacts,
  describeSettingError,
  domains,
  email,
  groupRoles,
  integer,
  names,
  type Setting,
  secret,
  text,
  url,
  word,
} from './domain/setting.ts'

export type Config = ReturnType<typeof loadConfig>

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Loads the file .env from the working directory, if it exists. Environment variables that are already set take
 * precedence.
 */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env')
  return process.env
}

export function loadConfig(env: Environment) {
  return loadSettings(env, (read, errors) => ({ ...readSettings(read), feedSettings: readFeedSettings(env, errors) }))
}

/** The settings of a machine that only downloads files and has no database. */
export function loadDownloadConfig(env: Environment): Pick<Config, 'environment' | 'feeds' | 'feedSettings'> {
  return loadSettings(env, (read, errors) => ({
    environment: read(ENVIRONMENT),
    feeds: readFeedRunSettings(read),
    feedSettings: readFeedSettings(env, errors),
  }))
}

function loadSettings<T>(env: Environment, readAll: (read: Reader, errors: string[]) => T): Readonly<T> {
  const errors: string[] = []
  const read = <T>(setting: Setting<T>): T => {
    const text = setting.isSecret ? readTextOrFile(env, setting.name, errors) : env[setting.name]?.trim()
    const value = text ? setting.parse(text) : setting.fallback
    if (value === undefined) errors.push(describeSettingError(setting, text))
    // The cast is safe although the value may be undefined: in that case an error is recorded, and loadConfig throws
    // before the value is used.
    return value as T
  }
  const config = readAll(read, errors)
  if (errors.length > 0) throw new ConfigError(errors)
  return Object.freeze(config)
}

/**
 * Reads the setting NAME, or the file that NAME_FILE names: Docker, Kubernetes and systemd provide secrets as files.
 */
function readTextOrFile(env: Environment, name: string, errors: string[]): string | undefined {
  const [text, file] = [env[name]?.trim(), env[`${name}_FILE`]?.trim()]
  if (!file) return text
  if (text) errors.push(`${name} and ${name}_FILE are both set: remove one of them.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    errors.push(`${name}_FILE must name a readable file (${reason}).`)
    return text
  }
}

/** Returns all FEED_ settings as text. Each feed defines and parses its own settings (docs/feeds.md). */
function readFeedSettings(env: Environment, errors: string[]): Readonly<Record<string, string>> {
  const names = Object.keys(env).filter((name) => name.startsWith('FEED_'))
  return Object.fromEntries(
    names.flatMap((each) => {
      const name = each.replace(/_FILE$/, '')
      const text = readTextOrFile(env, name, errors)
      return text ? [[name, text]] : []
    }),
  )
}

export class ConfigError extends Error {
  constructor(errors: readonly string[]) {
    super(
      `The configuration is invalid:\n${errors.map((error) => `  - ${error}`).join('\n')}\n.env.example explains every setting.`,
    )
    this.name = 'ConfigError'
  }
}

const ENVIRONMENT = word('NODE_ENV', ['production', 'development', 'test'], 'production')

type Reader = <T>(setting: Setting<T>) => T

function readSettings(read: Reader) {
  return {
    environment: read(ENVIRONMENT),
    logLevel: read(word('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info')),
    http: readHttpSettings(read),
    database: readDatabaseSettings(read),
    redis: { url: read(url('REDIS_URL', ['redis:', 'rediss:'], null)), prefix: read(text('REDIS_PREFIX', 'vis:')) },
    credits: {
      chargeDeadlineMs: read(integer('CHARGE_DEADLINE_MS', 50, 10_000, 250)),
      commit: read(word('CHARGE_COMMIT', CHARGE_COMMITS, DEFAULT_CHARGE_COMMIT)),
      concurrentCalls: read(integer('CONCURRENT_CALLS_PER_ACCOUNT', 1, 100_000, 256)),
    },
    fairness: {
      databaseMsPerMinute: read(integer('DATABASE_MS_PER_ACCOUNT_MINUTE', 100, 10_000_000, 60_000)),
      searchesPerAccount: read(integer('SEARCHES_PER_ACCOUNT', 1, 200, 2)),
      batchesPerAccount: read(integer('BATCHES_PER_ACCOUNT', 1, 200, 1)),
      longCallMs: read(integer('LONG_CALL_MS', 1, 60_000, 100)),
      maxEventLoopDelayMs: read(integer('MAX_EVENT_LOOP_DELAY_MS', 20, 10_000, 200)),
    },
    largeAnswers: {
      unsentMegabytesPerAccount: read(integer('UNSENT_MB_PER_ACCOUNT', 1, 100_000, 32)),
      unsentMegabytesPerNode: read(integer('UNSENT_MB_PER_NODE', 1, 100_000, 64)),
      minReadKilobytesPerSecond: read(integer('MIN_READ_KB_PER_SECOND', 1, 100_000, 16)),
      readWindowSeconds: read(integer('READ_RATE_WINDOW_SECONDS', 1, 3600, 60)),
    },
    cursors: {
      secret: read(secret('CURSOR_SECRET', 32)),
      previousSecret: read(secret('CURSOR_SECRET_PREVIOUS', 32)),
    },
    cveCacheMegabytes: read(integer('CVE_CACHE_MB', 0, 100_000, 64)),
    rateLimit: {
      requests: read(integer('RATE_LIMIT_REQUESTS', 1, 1_000_000, 60)),
      windowSeconds: read(integer('RATE_LIMIT_WINDOW_SECONDS', 1, 3600, 60)),
      nodeCount: read(integer('NODE_COUNT', 1, 10_000, 1)),
    },
    console: {
      isOn: read(word('CONSOLE', ['on', 'off'], 'on')) === 'on',
      allowsKeySignIn: read(word('CONSOLE_KEY_SIGN_IN', ['on', 'off'], 'off')) === 'on',
      readsPerMinute: read(integer('CONSOLE_READS_PER_MINUTE', 1, 1_000_000, 120)),
      readsPerDay: read(integer('CONSOLE_READS_PER_DAY', 1, 100_000_000, 1000)),
    },
    signIn: readSignInSettings(read),
    feeds: readFeedRunSettings(read),
    snapshots: {
      isOn: read(word('SNAPSHOTS', ['on', 'off'], 'on')) === 'on',
      hour: read(integer('SNAPSHOT_HOUR', 0, 23, 2)),
    },
  }
}

function readFeedRunSettings(read: Reader) {
  return {
    privateHosts: read(names('FEEDS_PRIVATE_HOSTS')),
    concurrentRuns: read(integer('FEEDS_CONCURRENT_RUNS', 1, 20, 2)),
    bundlePrivateKey: read(text('FEEDS_BUNDLE_PRIVATE_KEY', '')),
    bundlePublicKey: read(text('FEEDS_BUNDLE_PUBLIC_KEY', '')),
  }
}

function readHttpSettings(read: Reader) {
  return {
    host: read(text('HOST', '127.0.0.1')),
    port: read(integer('PORT', 0, 65_535, 3000)),
    opsHost: read(text('OPS_HOST', '127.0.0.1')),
    opsPort: read(integer('OPS_PORT', 0, 65_535, 9464)),
    // The default of WORKER_OPS_PORT (operators' port of a worker) differs from that of OPS_PORT (operators' port of an
    // API node), because a node and a worker often run on the same host.
    workerOpsPort: read(integer('WORKER_OPS_PORT', 0, 65_535, 9465)),
    publicUrl: read(url('PUBLIC_URL', ['http:', 'https:'], null)),
    trustProxy: read(addresses('TRUST_PROXY')),
    securityContacts: read(contacts('SECURITY_CONTACT')),
    drainDelayMs: read(integer('DRAIN_DELAY_MS', 0, 20_000, 3000)),
  }
}

function readSignInSettings(read: Reader) {
  return {
    smtpUrl: read(url('SMTP_URL', ['smtps:', 'smtp:'], null)),
    mailFrom: read(email('MAIL_FROM')),
    oidc: {
      issuer: read(url('OIDC_ISSUER', ['https:', 'http:'], null)),
      clientId: read(text('OIDC_CLIENT_ID', '')),
      clientSecret: read(secret('OIDC_CLIENT_SECRET')),
      scopes: read(text('OIDC_SCOPES', 'openid email profile')),
      allowedDomains: read(domains('OIDC_ALLOWED_DOMAINS')),
      roles: read(groupRoles('OIDC_ROLES')),
      accountId: read(integer('OIDC_ACCOUNT', 0, 999_999_999, 0)),
    },
    signUp: {
      isOpen: read(word('SIGN_UP', ['closed', 'open'], 'closed')) === 'open',
      maxPerNetwork: read(integer('SIGN_UPS_PER_NETWORK_DAY', 1, 1_000_000, 5)),
      maxPerDomain: read(integer('SIGN_UPS_PER_DOMAIN_DAY', 1, 1_000_000, 50)),
    },
  }
}

function readDatabaseSettings(read: Reader) {
  const postgres = ['postgres:', 'postgresql:']
  const writeUrl = read(url('DATABASE_URL', postgres))
  const ownerUrl = read(url('DATABASE_OWNER_URL', postgres, null)) ?? writeUrl
  const accountsUrl = read(url('ACCOUNTS_DATABASE_URL', postgres, null)) ?? writeUrl
  return {
    writeUrl,
    readUrl: read(url('DATABASE_READ_URL', postgres, null)) ?? writeUrl,
    accountsUrl,
    identityUrl: read(url('IDENTITY_DATABASE_URL', postgres, null)) ?? accountsUrl,
    jobsUrl: read(url('JOBS_DATABASE_URL', postgres, null)) ?? accountsUrl,
    notifyUrl: read(url('NOTIFY_DATABASE_URL', postgres, null)) ?? accountsUrl,
    ownerUrl,
    accountsOwnerUrl: read(url('ACCOUNTS_DATABASE_OWNER_URL', postgres, null)) ?? ownerUrl,
    limits: {
      poolSize: read(integer('DATABASE_POOL_SIZE', 1, 200, 10)),
      statementTimeoutMs: read(integer('DATABASE_STATEMENT_TIMEOUT_MS', 100, 60_000, 2000)),
      lockTimeoutMs: read(integer('DATABASE_LOCK_TIMEOUT_MS', 100, 60_000, 1000)),
      acquireTimeoutMs: read(integer('DATABASE_ACQUIRE_TIMEOUT_MS', 50, 60_000, 250)),
    },
  }
}
