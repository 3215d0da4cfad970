// The only reader of the environment: every setting, checked at once, frozen, and passed on in parts.
import { existsSync, readFileSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { addresses, complaint, integer, names, type Setting, secret, text, url, word } from './domain/setting.ts'

export type Config = ReturnType<typeof loadConfig>

type Environment = Readonly<Record<string, string | undefined>>

/** Reads .env of the working directory, if there is one; what is set already wins. */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env')
  return process.env
}

export function loadConfig(env: Environment) {
  const faults: string[] = []
  const read = <T>(setting: Setting<T>): T => {
    const sent = setting.isSecret ? textOrFile(env, setting.name, faults) : env[setting.name]?.trim()
    const value = sent ? setting.parse(sent) : setting.fallback
    if (value === undefined) faults.push(complaint(setting, sent))
    // A missing value never leaves this function: faults end it below.
    return value as T
  }
  const config = { ...settings(read), feedSettings: ofFeeds(env, faults) }
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
}

/** Docker, Kubernetes and systemd hand out secrets as files: NAME_FILE names the file that holds NAME. */
function textOrFile(env: Environment, name: string, faults: string[]): string | undefined {
  const [text, file] = [env[name]?.trim(), env[`${name}_FILE`]?.trim()]
  if (!file) return text
  if (text) faults.push(`${name} and ${name}_FILE are both set: keep one of them.`)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    faults.push(`${name}_FILE must name a file that can be read (${why}).`)
    return text
  }
}

/** Each feed brings settings of its own, described in its folder and in docs/feeds.md, and reads them from these. */
function ofFeeds(env: Environment, faults: string[]): Readonly<Record<string, string>> {
  const names = Object.keys(env).filter((name) => name.startsWith('FEED_'))
  return Object.fromEntries(
    names.flatMap((each) => {
      const name = each.replace(/_FILE$/, '')
      const sent = textOrFile(env, name, faults)
      return sent ? [[name, sent]] : []
    }),
  )
}

export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(
      `The configuration cannot be used:\n${faults.map((each) => `  - ${each}`).join('\n')}\nEvery setting is explained in .env.example.`,
    )
    this.name = 'ConfigError'
  }
}

type Reader = <T>(setting: Setting<T>) => T

function settings(read: Reader) {
  const environment = read(word('NODE_ENV', ['production', 'development', 'test'], 'production'))
  return {
    environment,
    logLevel: read(word('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info')),
    http: httpSettings(read),
    database: databaseSettings(read),
    redis: { url: read(url('REDIS_URL', ['redis:', 'rediss:'], null)), prefix: read(text('REDIS_PREFIX', 'vis:')) },
    credits: {
      chargeDeadlineMs: read(integer('CHARGE_DEADLINE_MS', 50, 10_000, 250)),
      concurrentCalls: read(integer('CONCURRENT_CALLS_PER_ACCOUNT', 1, 100_000, 256)),
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
    feeds: {
      privateHosts: read(names('FEEDS_PRIVATE_HOSTS')),
      concurrentRuns: read(integer('FEEDS_CONCURRENT_RUNS', 1, 20, 2)),
    },
  }
}

function httpSettings(read: Reader) {
  return {
    host: read(text('HOST', '127.0.0.1')),
    port: read(integer('PORT', 0, 65_535, 3000)),
    opsHost: read(text('OPS_HOST', '127.0.0.1')),
    opsPort: read(integer('OPS_PORT', 0, 65_535, 9464)),
    // One of its own: a node and a worker often share a machine.
    workerOpsPort: read(integer('WORKER_OPS_PORT', 0, 65_535, 9465)),
    publicUrl: read(url('PUBLIC_URL', ['http:', 'https:'], null)),
    trustProxy: read(addresses('TRUST_PROXY')),
    drainDelayMs: read(integer('DRAIN_DELAY_MS', 0, 20_000, 3000)),
  }
}

function databaseSettings(read: Reader) {
  const postgres = ['postgres:', 'postgresql:']
  const writeUrl = read(url('DATABASE_URL', postgres))
  const ownerUrl = read(url('DATABASE_OWNER_URL', postgres, null)) ?? writeUrl
  return {
    writeUrl,
    readUrl: read(url('DATABASE_READ_URL', postgres, null)) ?? writeUrl,
    accountsUrl: read(url('ACCOUNTS_DATABASE_URL', postgres, null)) ?? writeUrl,
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
