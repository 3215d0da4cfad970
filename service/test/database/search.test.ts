import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATIONS_FOLDER, migrate } from '../../src/database/migrate.ts'
import { administer, databaseUrl } from '../support/administer.ts'
import { testDatabase } from '../support/database.ts'

const database = await testDatabase()
const client = new Client({ connectionString: database.url })
beforeAll(() => client.connect())
afterAll(() => client.end())

async function value<T>(expression: string, ...values: readonly string[]): Promise<T> {
  const { rows } = await client.query<{ value: T }>(`select ${expression} as value`, [...values])
  const [first] = rows
  if (!first) throw new Error(`no row for ${expression}`)
  return first.value
}

const normalised = (text: string) => value<string>('catalog.normalise_text($1)', text)
const words = (text: string) => value<string>('catalog.search_words($1)', text)
/** And what is found is among the candidates, for which the index is asked where there is a phrase. */
async function finds(query: string, text: string): Promise<boolean> {
  const found = await value<boolean>('catalog.search_words($2) @@ catalog.search_query($1)', query, text)
  if (found) expect(await value('catalog.search_words($2) @@ catalog.search_candidates($1)', query, text)).toBe(true)
  return found
}

const LOG4J =
  'CVE-2021-44228 Apache Log4j2 2.0-beta9: message lookups run code of an attacker (1e5abc), e.g. via Node.js'

describe('a word', () => {
  it('is a run of letters and digits, in lower case', async () => {
    expect(await normalised('  Foo_Bar/baz-9.x — "Qux"\n')).toBe('foo bar baz 9 x qux')
  })

  it('is made of the letters of every language', async () => {
    expect(await normalised('ŁÓDŹ, Überraschung; 日本語 Ответ')).toBe('łódź überraschung 日本語 ответ')
  })

  it('is not cut where a parser of texts would see a number, a host or a path', async () => {
    expect(await words('1e5abc foo.example.com/a/b v1.2')).toBe(
      "'1e5abc':1 '2':8 '^1f' '^ab' '^bv' '^ca' '^ec' '^fe' '^v2' 'a':5 'b':6 'com':4 'example':3 'foo':2 'v1':7 '~exampl':3",
    )
  })

  it('has the same letters in a database that knows none but a to z', async () => {
    const other = `${database.name}_c`
    await administer(database.url, `create database ${other} template template0 encoding utf8 locale 'C'`)
    const url = databaseUrl(database.url, other)
    try {
      await migrate(url, 'catalog', MIGRATIONS_FOLDER)
      const probe = new Client({ connectionString: url })
      await probe.connect()
      const { rows } = await probe.query(
        "select lower('ŁÓDŹ') as bare, catalog.normalise_text('ŁÓDŹ—Ü') as ours, catalog.search_words('Łódź') @@ catalog.search_query('ŁÓD') as found",
      )
      await probe.end()
      expect(rows).toEqual([{ bare: 'ŁÓdŹ', ours: 'łódź ü', found: true }])
    } finally {
      await administer(database.url, `drop database ${other} with (force)`)
    }
  })
})

describe('the words of a text', () => {
  it('are its plain words and, marked, the stems that differ from them, each at its place', async () => {
    expect(await words('Flaws')).toBe("'flaws':1 '~flaw':1")
  })

  it('have the first letters of neighbours beside them, by which the index knows where a phrase may be', async () => {
    expect(await words('Flaws in authentication')).toBe(
      "'^fi' '^ia' 'authentication':3 'flaws':1 'in':2 '~authent':3 '~flaw':1",
    )
  })

  it('keep what other searches leave out as too common', async () => {
    expect(await words('the out of')).toBe("'^oo' '^to' 'of':3 'out':2 'the':1")
  })

  it('are none for a text without any', async () => {
    expect(await words(' … ')).toBe('')
  })

  it('do not burst on what no tsvector can hold', async () => {
    const long = 'x'.repeat(5_000)
    expect(await finds(long.slice(0, 256), long)).toBe(true)
    const many = Array.from({ length: 60_000 }, (_, index) => `łódź${index.toString(36)}ing`).join(' ')
    expect(await finds('łódź0ing', many)).toBe(true)
  })
})

describe('a query', () => {
  it.each([
    ['authenticat', 'CVE-2020-0001 improper authentication'],
    ['authenticating', 'CVE-2020-0001 improper authentication'],
    ['admin.php', 'CVE-2020-0001 the file /wp/admin.php is reachable'],
    ['node.js', LOG4J],
    ['log4j', LOG4J],
    ['LOG4J2', LOG4J],
    ['mod_ssl', 'CVE-2020-0001 a flaw in mod_ssl'],
    ['44228', LOG4J],
    ['442', LOG4J],
    ['2021-44228', LOG4J],
    ['CVE-2021-44228', LOG4J],
    ['cve-2021-44228', LOG4J],
    ['cve', LOG4J],
    ['attackers code', LOG4J],
    ['e g', LOG4J],
    ['flaws', 'CVE-2020-0001 a flaw'],
    ['1e5', LOG4J],
  ])('%s finds "%s"', async (query, text) => {
    expect(await finds(query, text)).toBe(true)
  })

  it.each([
    ['abc', LOG4J, 'the end of a word'],
    ['lo', LOG4J, 'a beginning of fewer than three characters'],
    ['44229', LOG4J, 'another number'],
    ['attacker absent', LOG4J, 'one word of two'],
    ['remot', 'CVE-2020-0001 remortgage', 'what only begins alike'],
    ['~authent', 'CVE-2020-0001 authentication is wrong'.replace('authentication', 'auth'), 'a mark for stems'],
    ['cve-2021-44228', 'CVE-2021-4422 something', 'an id that only begins alike'],
  ])('%s does not find "%s": %s', async (query, text) => {
    expect(await finds(query, text)).toBe(false)
  })

  it('in quotation marks is a phrase: adjacent words, in that order', async () => {
    const text = 'CVE-2020-0001 a remote attacker may execute remote code'
    expect(await finds('"remote code"', text)).toBe(true)
    expect(await finds('"remotely coding"', text)).toBe(true)
    expect(await finds('"attackers may" code', text)).toBe(true)
    expect(await finds('"code remote"', text)).toBe(false)
    expect(await finds('"remote may"', text)).toBe(false)
    expect(await finds('"2020-0001"', text)).toBe(true)
  })

  it('in quotation marks finds every form of its words, also where a form changes most of the letters', async () => {
    const text = 'CVE-2020-0001 IEDs are lying, dying; skies cry ŁÓDŹ 日本語'
    for (const phrase of [
      'i are',
      'lies dies',
      'lie die',
      'sky cries',
      'cried łódź',
      'łódź 日本語',
      'are lying, dying',
    ]) {
      expect(await finds(`"${phrase}"`, text), phrase).toBe(true)
    }
  })

  it('takes a quotation mark that is never closed for a separator', async () => {
    expect(await finds('"may remote', 'CVE-2020-0001 a remote attacker may')).toBe(true)
    expect(await finds('"a remote" "may attacker', 'CVE-2020-0001 a remote attacker may')).toBe(true)
  })

  it('that has no word is no query', async () => {
    expect(await value('catalog.search_query($1)', '')).toBeNull()
    expect(await value('catalog.search_query($1)', ' "-" & | ! :* "" ')).toBeNull()
  })

  it('cannot speak the language of tsquery', async () => {
    expect(await finds("attacker' | absent", LOG4J)).toBe(false)
    expect(await finds('attacker & !code', LOG4J)).toBe(true)
    expect(await finds('\\ <-> ( code', LOG4J)).toBe(true)
  })

  it('asks for a word once however often it is said, but for every place of a phrase', async () => {
    expect(await value('catalog.search_query($1)', 'of "of of" OF. of')).toBe(
      "( 'of' | '~of' ) & ( 'of' | '~of' ) <-> ( 'of' | '~of' ) & '^oo'",
    )
  })

  it('has candidates by the neighbours of its phrase and by its words, but for common ones in a longer phrase', async () => {
    const candidates = (query: string) => value('catalog.search_candidates($1)', query)
    expect(await candidates('"remote code execution"')).toBe("'^ce' & '^rc'")
    expect(await candidates('"of parsed codes"')).toBe("( 'parsed':* | '~pars' ) & '^op' & '^pc'")
    expect(await candidates('"remote code"')).toBe(
      "( 'remote':* | '~remot' | 'remot' ) & ( 'code':* | '~code' ) & '^rc'",
    )
    expect(await candidates('remote code')).toBe(await value('catalog.search_query($1)', 'remote code'))
    expect(await candidates(' "" ')).toBeNull()
  })

  it('has everything that it finds among its candidates', async () => {
    const word = fc.constantFrom('remote', 'coding', 'codes', 'flaws', 'flaw', 'parsed', 'of', 'x')
    const text = fc.array(word, { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 2 }), async (told, phrases) => {
        const query = phrases.map((phrase) => `"${phrase.join(' ')}"`).join(' ')
        await finds(query, told.join(' '))
        await finds(`"${told.slice(1, 5).join(' ')}"`, told.join(' '))
      }),
      { numRuns: 200 },
    )
  })

  it('holds the longest that may be asked', async () => {
    const text = 'a '.repeat(128)
    expect(await finds(text, 'CVE-2020-0001 a')).toBe(true)
    expect(await finds(`"${text}"`, `CVE-2020-0001 ${text}`)).toBe(true)
  })
})

describe('the search functions', () => {
  it('give the same whatever a session has set', async () => {
    const text = 'Authentication İstanbul flaws I'
    const before = await words(text)
    await client.query("set default_text_search_config = 'pg_catalog.turkish'; set search_path = pg_temp")
    expect(await words(text)).toBe(before)
    expect(await finds('authenticat', text)).toBe(true)
    await client.query('reset all')
  })

  it('are at the service of feeds and of the API', async () => {
    for (const role of ['vis_feeds', 'vis_api']) {
      await client.query(`set role ${role}`)
      expect(await finds('flaw', 'CVE-2020-0001 flaws')).toBe(true)
      await client.query('reset role')
    }
  })
})
