// The only reader of the environment: every setting, checked at once, frozen, and passed on in parts.
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { loadEnvFile } from 'node:process'

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
    const sent = env[setting.name]?.trim()
    const value = sent ? setting.parse(sent) : setting.fallback
    if (value === undefined) faults.push(complaint(setting, sent))
    // A missing value never leaves this function: faults end it below.
    return value as T
  }
  const config = settings(read)
  if (faults.length > 0) throw new ConfigError(faults)
  return Object.freeze(config)
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
    rateLimit: {
      requests: read(integer('RATE_LIMIT_REQUESTS', 1, 1_000_000, 60)),
      windowSeconds: read(integer('RATE_LIMIT_WINDOW_SECONDS', 1, 3600, 60)),
      nodeCount: read(integer('NODE_COUNT', 1, 10_000, 1)),
    },
  }
}

function httpSettings(read: Reader) {
  return {
    host: read(text('HOST', '127.0.0.1')),
    port: read(integer('PORT', 0, 65_535, 3000)),
    opsHost: read(text('OPS_HOST', '127.0.0.1')),
    opsPort: read(integer('OPS_PORT', 0, 65_535, 9464)),
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

interface Setting<T> {
  readonly name: string
  /** Completes "NAME must be …". */
  readonly expects: string
  /** Connection strings carry passwords: what was set is not repeated then. */
  readonly isSecret?: boolean
  /** Without it the setting is required. */
  readonly fallback?: T
  parse(sent: string): T | undefined
}

function complaint(setting: Setting<unknown>, sent: string | undefined): string {
  if (!sent) return `${setting.name} is missing: set it to ${setting.expects}.`
  return `${setting.name} must be ${setting.expects}${setting.isSecret ? '' : `, not ${JSON.stringify(sent.slice(0, 80))}`}.`
}

function word<const W extends string>(name: string, words: readonly W[], fallback: W): Setting<W> {
  return { name, fallback, expects: `one of ${words.join(', ')}`, parse: (sent) => words.find((each) => each === sent) }
}

function text(name: string, fallback: string): Setting<string> {
  return { name, fallback, expects: 'text', parse: (sent) => sent }
}

function integer(name: string, minimum: number, maximum: number, fallback: number): Setting<number> {
  return {
    name,
    fallback,
    expects: `an integer from ${minimum} to ${maximum}`,
    parse: (sent) =>
      /^\d{1,9}$/.test(sent) && Number(sent) >= minimum && Number(sent) <= maximum ? Number(sent) : undefined,
  }
}

function url(name: string, protocols: readonly string[]): Setting<string>
function url(name: string, protocols: readonly string[], fallback: null): Setting<string | null>
function url(name: string, protocols: readonly string[], fallback?: null): Setting<string | null> {
  const example = `${protocols[0]}//${protocols[0] === 'postgres:' ? 'vis@127.0.0.1:5432/vis' : '127.0.0.1'}`
  return {
    name,
    isSecret: true,
    ...(fallback === undefined ? {} : { fallback }),
    expects: `an address that starts with ${protocols.map((each) => `${each}//`).join(' or ')}, such as ${example}`,
    parse: (sent) =>
      protocols.some((each) => sent.toLowerCase().startsWith(`${each}//`)) && URL.canParse(withHost(sent, protocols))
        ? sent
        : undefined,
  }
}

/** PostgreSQL's addresses may leave the host out, for a socket in the file system; the class URL does not let them. */
function withHost(sent: string, protocols: readonly string[]): string {
  return protocols.includes('postgres:') ? sent.replace('@/', '@localhost/') : sent
}

function addresses(name: string): Setting<readonly string[]> {
  return {
    name,
    fallback: [],
    expects:
      'a comma-separated list of IP addresses of your own proxies, or ranges of them, such as 10.0.0.1,10.0.0.0/8',
    parse: (sent) => {
      const each = sent.split(',').map((address) => address.trim())
      return each.every(isAddressOrRange) ? each : undefined
    },
  }
}

function isAddressOrRange(sent: string): boolean {
  const [address = '', prefix, ...rest] = sent.split('/')
  const longest = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (prefix === undefined) return longest > 0
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= longest
}
