import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { chooseClock } from '../src/commands/input/clock-option.ts'
import { loadConfig } from '../src/config.ts'

const DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/vis'
const readErrors = (env: Record<string, string>) => {
  try {
    loadConfig(env)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('loadConfig', () => {
  it('requires only DATABASE_URL and uses it for every other database URL', () => {
    const { database, redis, environment } = loadConfig({ DATABASE_URL })

    expect(database).toMatchObject({
      writeUrl: DATABASE_URL,
      readUrl: DATABASE_URL,
      accountsUrl: DATABASE_URL,
      ownerUrl: DATABASE_URL,
      accountsOwnerUrl: DATABASE_URL,
    })
    expect(redis.url).toBeNull()
    expect(environment).toBe('production')
  })

  it('uses DATABASE_READ_URL, ACCOUNTS_DATABASE_URL and DATABASE_OWNER_URL instead of DATABASE_URL if they are set', () => {
    const { database } = loadConfig({
      DATABASE_URL,
      DATABASE_READ_URL: 'postgres://replica/vis',
      ACCOUNTS_DATABASE_URL: 'postgres://accounts/vis',
      DATABASE_OWNER_URL: 'postgres://owner/vis',
    })
    expect(database).toMatchObject({
      writeUrl: DATABASE_URL,
      readUrl: 'postgres://replica/vis',
      accountsUrl: 'postgres://accounts/vis',
      ownerUrl: 'postgres://owner/vis',
      accountsOwnerUrl: 'postgres://owner/vis',
    })
  })

  it('reports all invalid settings at once with the allowed values', () => {
    const message = readErrors({ PORT: 'eighty', LOG_LEVEL: 'loud', TRUST_PROXY: 'everyone' })

    expect(message).toContain('DATABASE_URL is missing: set it to an address that starts with postgres://')
    expect(message).toContain('PORT must be an integer from 0 to 65535, not "eighty".')
    expect(message).toContain('LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".')
    expect(message).toContain('TRUST_PROXY must be a comma-separated list of IP addresses')
    expect(message).toContain('.env.example')
  })

  it('serves the console by default, without sign-in by key and with read limits', () => {
    expect(loadConfig({ DATABASE_URL }).console).toEqual({
      isOn: true,
      allowsKeySignIn: false,
      readsPerMinute: 120,
      readsPerDay: 1000,
    })
    expect(loadConfig({ DATABASE_URL, CONSOLE: 'off', CONSOLE_KEY_SIGN_IN: 'on' }).console).toMatchObject({
      isOn: false,
      allowsKeySignIn: true,
    })
    expect(readErrors({ DATABASE_URL, CONSOLE: 'yes' })).toContain('CONSOLE must be one of on, off, not "yes".')
  })

  it('reads a secret from the file named by the setting with the suffix _FILE', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vis-config-'))
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    try {
      const { database, cursors, feedSettings } = loadConfig({
        DATABASE_URL_FILE: file('database', `${DATABASE_URL}\n`),
        CURSOR_SECRET_FILE: file('cursor', 'x'.repeat(32)),
        FEED_NVD_API_KEY_FILE: file('nvd', 'secret\n'),
      })
      expect(database.writeUrl).toBe(DATABASE_URL)
      expect(cursors.secret).toBe('x'.repeat(32))
      expect(feedSettings).toEqual({ FEED_NVD_API_KEY: 'secret' })
      expect(readErrors({ DATABASE_URL, DATABASE_URL_FILE: file('other', DATABASE_URL) })).toContain(
        'DATABASE_URL and DATABASE_URL_FILE are both set: remove one of them.',
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
    expect(readErrors({ DATABASE_URL, CURSOR_SECRET_FILE: '/nowhere/at-all' })).toContain(
      'CURSOR_SECRET_FILE must name a readable file (ENOENT',
    )
    expect(readErrors({ DATABASE_URL, PORT_FILE: '/nowhere/at-all' })).toBe('')
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['NODE_COUNT', '0'],
    ['RATE_LIMIT_REQUESTS', '1e3'],
    ['DATABASE_POOL_SIZE', 'ten'],
    ['REDIS_URL', 'http://127.0.0.1'],
    ['PUBLIC_URL', 'vis.example.org'],
    ['PUBLIC_URL', 'https:vis.example.org'],
    ['DATABASE_URL', 'postgres:vis'],
    ['DATABASE_URL', 'postgres://u:p@:5432/vis'],
    ['REDIS_URL', 'redis:x'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['TRUST_PROXY', '10.0.0.1,fd00::/129'],
    ['TRUST_PROXY', '10.0.0.1,,10.0.0.2'],
    ['SECURITY_CONTACT', 'security@example.org'],
    ['SECURITY_CONTACT', 'http://example.org/security'],
    ['SECURITY_CONTACT', 'mailto:a@example.org,'],
    ['SECURITY_CONTACT', 'mailto:a@example.org\nContact: mailto:b@example.org'],
    ['NODE_ENV', 'prod'],
    ['CURSOR_SECRET', 'x'.repeat(31)],
    ['CURSOR_SECRET_PREVIOUS', 'x'.repeat(31)],
  ])('rejects the setting %s=%s', (name, value) => {
    expect(readErrors({ DATABASE_URL, [name]: value })).toContain(`${name} must be`)
  })

  it.each([
    'postgres://vis:secret@/vis?host=/var/run/postgresql',
    'postgres:///vis?host=/var/run/postgresql',
    'postgresql://vis@[::1]:5432/vis?sslmode=verify-full',
  ])('accepts the setting DATABASE_URL=%s', (url) => {
    expect(loadConfig({ DATABASE_URL: url }).database.writeUrl).toBe(url)
  })

  it('parses contacts for vulnerability reports', () => {
    const { http } = loadConfig({
      DATABASE_URL,
      SECURITY_CONTACT: 'mailto:a@example.org, https://example.org, tel:+1-201',
    })
    expect(http.securityContacts).toEqual(['mailto:a@example.org', 'https://example.org', 'tel:+1-201'])
  })

  it('parses trusted proxies as addresses and ranges', () => {
    const { http } = loadConfig({ DATABASE_URL, TRUST_PROXY: '10.0.0.1, 10.0.0.0/8,::1,fd00::/8,10.0.0.2/32,::1/128' })
    expect(http.trustProxy).toEqual(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '10.0.0.2/32', '::1/128'])
    expect(readErrors({ DATABASE_URL, TRUST_PROXY: '10.0.0.0/99' })).toContain(
      'or ranges of them, such as 10.0.0.1,10.0.0.0/8',
    )
  })

  it('does not repeat an invalid database URL in the error, because the URL may contain a password', () => {
    for (const url of ['mysql://root:hunter2@db/vis', 'postgres:root:hunter2@/vis', 'postgres://root:hunter2@:x/vis']) {
      expect(readErrors({ DATABASE_URL: url })).toMatch(/DATABASE_URL must be (?!.*hunter2)/s)
    }
  })

  it('treats an empty setting as not set', () => {
    expect(loadConfig({ DATABASE_URL, REDIS_URL: '', PORT: ' ' })).toMatchObject({
      redis: { url: null },
      http: { port: 3000 },
    })
  })

  it('returns a frozen object', () => {
    expect(Object.isFrozen(loadConfig({ DATABASE_URL }))).toBe(true)
  })
})

describe('.env.example', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')

  it('is a valid configuration without changes', () => {
    const config = loadConfig(parseEnv(text))
    expect([config.environment, config.http.port]).toEqual(['development', 3000])
  })

  it('shows the default of every setting that has one', () => {
    const { environment: _, database, redis, ...shown } = loadConfig(parseEnv(text))
    const { environment: __, database: defaultDatabase, redis: ___, ...defaults } = loadConfig({ DATABASE_URL })
    expect(shown).toEqual(defaults)
    expect(database.limits).toEqual(defaultDatabase.limits)
    expect(redis.prefix).toBe('vis:')
  })

  it('lists exactly the settings that config.ts reads', () => {
    const source = readFileSync(new URL('../src/config.ts', import.meta.url), 'utf8')
    const read = [
      ...source.matchAll(
        /(?:word|text|integer|url|addresses|contacts|names|secret|email|domains|groupRoles)\('([A-Z_]+)'/g,
      ),
    ].map(([, name]) => name)
    const shown = [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(read.length).toBeGreaterThan(15)
    // Keys of feeds are read by the feeds.
    expect(shown.filter((name) => !name?.startsWith('FEED_')).toSorted()).toEqual(read.toSorted())
  })
})

describe('The --now option', () => {
  const config = (NODE_ENV: string) => loadConfig({ DATABASE_URL, NODE_ENV })

  it('starts the clock at the given time', () => {
    const clock = chooseClock(config('development'), '2026-08-22T00:00:00Z')
    expect(Math.abs(clock().getTime() - Date.parse('2026-08-22T00:00:00Z'))).toBeLessThan(5000)
  })

  it('is rejected when NODE_ENV is production', () => {
    expect(() => chooseClock(config('production'), '2026-08-22T00:00:00Z')).toThrow(
      '--now is not allowed while NODE_ENV is production',
    )
  })

  it('rejects an invalid time and shows an example of a valid time', () => {
    expect(() => chooseClock(config('test'), 'yesterday')).toThrow(
      '--now takes a time such as 2026-08-22T00:00:00Z, not "yesterday"',
    )
  })
})
