import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATIONS_FOLDER, migrate } from '../../src/database/migrate.ts'
import { parseSearch } from '../../src/search/words/parse.ts'
import { encodePieces } from '../../src/search/words/pieces.ts'
import { createTestDatabase } from '../support/database.ts'
import { buildDatabaseUrl, runStatements } from '../support/run-statements.ts'

const database = await createTestDatabase()
const client = new Client({ connectionString: database.url })
beforeAll(() => client.connect())
afterAll(() => client.end())

async function evaluate<T>(expression: string, ...values: readonly (string | readonly string[])[]): Promise<T> {
  const { rows } = await client.query<{ value: T }>(`select ${expression} as value`, [...values])
  const [first] = rows
  if (!first) throw new Error(`no row for ${expression}`)
  return first.value
}

const normalise = (text: string) => evaluate<string>('catalog.normalise_text($1)', text)
const indexWords = (text: string) =>
  evaluate<string>(`catalog.format_lexemes(catalog.normalise_text($1), 1, '')::tsvector`, text)
const toPieces = (query: string) => encodePieces(parseSearch(query))

/**
 * Returns whether a search query finds a description. Also checks that the SQL functions that preselect rows
 * (pieces_lookup and pieces_pairs) find it.
 */
async function finds(query: string, text: string, id = 'CVE-2020-0001'): Promise<boolean> {
  const values = [toPieces(query), id, text]
  const found = await evaluate<boolean>('catalog.text_words($2, $3) @@ catalog.pieces_query($1)', ...values)
  if (found) expect(await isPreselected(values), `${query} in ${text}`).toBe(true)
  return found
}

function isPreselected(values: readonly (string | readonly string[])[]): Promise<boolean> {
  return evaluate<boolean>(
    `coalesce(catalog.text_words($2, $3) @@ catalog.pieces_lookup($1, false), true)
     and coalesce(catalog.text_words($2, $3) @@ catalog.pieces_lookup($1, true), true)
     and coalesce(catalog.word_pairs(catalog.text_words($2, $3)) @@ catalog.pieces_pairs($1), true)`,
    ...values,
  )
}

const LOG4J_ID = 'CVE-2021-44228'
const LOG4J = 'Apache Log4j2 2.0-beta9: message lookups run code of an attacker (1e5abc), e.g. via Node.js'

describe('catalog.normalise_text', () => {
  it('splits text into lower-case words of letters and digits', async () => {
    expect(await normalise('  Foo_Bar/baz-9.x — "Qux"\n')).toBe('foo bar baz 9 x qux')
  })

  it('keeps letters from all languages', async () => {
    expect(await normalise('ŁÓDŹ, Überraschung; 日本語 Ответ')).toBe('łódź überraschung 日本語 ответ')
  })

  it('splits numbers, host names and paths like other text', async () => {
    expect(await indexWords('1e5abc foo.example.com/a/b v1.2')).toBe(
      "'1e5abc':1 '2':8 'a':5 'b':6 'com':4 'example':3 'foo':2 'v1':7 '~exampl':3",
    )
  })

  it('treats letters the same way in a database with the locale C', async () => {
    const other = `${database.name}_c`
    await runStatements(database.url, `create database ${other} template template0 encoding utf8 locale 'C'`)
    const url = buildDatabaseUrl(database.url, other)
    try {
      await migrate(url, 'catalog', MIGRATIONS_FOLDER)
      const probe = new Client({ connectionString: url })
      await probe.connect()
      const { rows } = await probe.query(
        "select lower('ŁÓDŹ') as bare, catalog.normalise_text('ŁÓDŹ—Ü') as ours, catalog.text_words('CVE-2020-0001', 'Łódź') @@ catalog.pieces_query('{+wŁÓD}') as found",
      )
      await probe.end()
      expect(rows).toEqual([{ bare: 'ŁÓdŹ', ours: 'łódź ü', found: true }])
    } finally {
      await runStatements(database.url, `drop database ${other} with (force)`)
    }
  })
})

describe('catalog.format_lexemes', () => {
  it('indexes each word and its stem, if different, with their positions', async () => {
    expect(await indexWords('Flaws')).toBe("'flaws':1 '~flaw':1")
  })

  it('indexes stop words', async () => {
    expect(await indexWords('the out of')).toBe("'of':3 'out':2 'the':1")
  })

  it('returns null for text without words', async () => {
    expect(await indexWords(' … ')).toBeNull()
  })

  it('accepts texts that exceed the limits of a tsvector', async () => {
    const long = 'x'.repeat(5_000)
    expect(await finds(long.slice(0, 256), long)).toBe(true)
    const many = Array.from({ length: 60_000 }, (_, index) => `łódź${index.toString(36)}ing`).join(' ')
    expect(await finds('łódź0ing', many)).toBe(true)
  })
})

describe('catalog.pieces_query', () => {
  it.each([
    ['authenticat', 'improper authentication'],
    ['authenticating', 'improper authentication'],
    ['admin.php', 'the file /wp/admin.php is reachable'],
    ['node.js', LOG4J],
    ['log4j', LOG4J],
    ['LOG4J2', LOG4J],
    ['mod_ssl', 'a flaw in mod_ssl'],
    ['44228', LOG4J],
    ['442', LOG4J],
    ['2021-44228', LOG4J],
    ['CVE-2021-44228', LOG4J],
    ['cve-2021-44228', LOG4J],
    ['cve', LOG4J],
    ['attackers code', LOG4J],
    ['e g', LOG4J],
    ['flaws', 'a flaw'],
    ['1e5', LOG4J],
  ])('with the query %s finds the text "%s"', async (query, text) => {
    expect(await finds(query, text, text === LOG4J ? LOG4J_ID : undefined)).toBe(true)
  })

  it.each([
    ['abc', LOG4J, 'the query is only the end of a word'],
    ['lo', LOG4J, 'the query is a prefix of fewer than three characters'],
    ['44229', LOG4J, 'the number differs'],
    ['attacker absent', LOG4J, 'the text contains only one of two words'],
    ['remot', 'remortgage', 'the words have only a prefix in common'],
    ['~authent', 'authentication is wrong'.replace('authentication', 'auth'), 'the query contains the marker of stems'],
    ['cve-2020-00012', 'something', 'the ids have only a prefix in common'],
  ])('with the query %s does not find the text "%s" (%s)', async (query, text) => {
    expect(await finds(query, text, text === LOG4J ? LOG4J_ID : undefined)).toBe(false)
  })

  it('treats quoted words as a phrase of adjacent words in the given order', async () => {
    const text = 'a remote attacker may execute remote code'
    expect(await finds('"remote code"', text)).toBe(true)
    expect(await finds('"remotely coding"', text)).toBe(true)
    expect(await finds('"attackers may" code', text)).toBe(true)
    expect(await finds('"code remote"', text)).toBe(false)
    expect(await finds('"remote may"', text)).toBe(false)
    expect(await finds('"2020-0001"', text)).toBe(true)
  })

  it('finds other grammatical forms of the words in a phrase, even if most of their letters differ from the query', async () => {
    const text = 'IEDs are lying, dying; skies cry ŁÓDŹ 日本語'
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

  it('treats an unclosed quotation mark as a separator', async () => {
    expect(await finds('"may remote', 'a remote attacker may')).toBe(true)
    expect(await finds('"a remote" "may attacker', 'a remote attacker may')).toBe(true)
  })

  it('returns null for a query without words', async () => {
    for (const query of ['', ' "-" & | ! :* "" '])
      expect(await evaluate('catalog.pieces_query($1)', toPieces(query))).toBeNull()
  })

  it('does not interpret PostgreSQL tsquery operators', async () => {
    expect(await finds("attacker' | absent", LOG4J)).toBe(false)
    expect(await finds('attacker & !code', LOG4J)).toBe(true)
    expect(await finds('\\ <-> ( code', LOG4J)).toBe(true)
  })

  it('contains a repeated word once, but every word of a phrase', async () => {
    expect(await evaluate('catalog.pieces_query($1)', toPieces('of "of of" OF. of'))).toBe(
      "( 'of' | '~of' ) <-> ( 'of' | '~of' ) & ( 'of' | '~of' )",
    )
  })

  it('finds no text that is not preselected', async () => {
    const word = fc.constantFrom(
      'remote',
      'coding',
      'codes',
      'flaws',
      'ids',
      'dying',
      'dies',
      'parsed',
      'the',
      'of',
      'x',
    )
    const text = fc.array(word, { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 2 }), async (words, phrases) => {
        const query = phrases.map((phrase) => `"${phrase.join(' ')}"`).join(' ')
        await finds(query, words.join(' '))
        await finds(`"${words.slice(1, 5).join(' ')}"`, words.join(' '))
        await finds(words.toReversed().join(' '), words.join(' '))
      }),
      { numRuns: 200 },
    )
  })

  it('accepts queries of the maximum length', async () => {
    const text = 'a '.repeat(128)
    expect(await finds(text, 'a')).toBe(true)
    expect(await finds(`"${text}"`, text)).toBe(true)
  })
})

describe('catalog.word_pairs', () => {
  const listPairs = (text: string) =>
    evaluate<string>('catalog.word_pairs(catalog.name_words(array[$1], $2))', text, 'A')

  it('returns the first three letters of adjacent words', async () => {
    expect(await listPairs('Flaws in authentication')).toBe("'fla in' 'in aut'")
    expect(await listPairs('alone')).toBe('')
  })

  it('adds the letters of a stem that begins differently from its word', async () => {
    expect(await listPairs('ids dying')).toBe("'id die' 'id dyi' 'ids die' 'ids dyi'")
  })
})

describe('catalog.pieces_pairs', () => {
  const findPairs = (query: string) => evaluate<string | null>('catalog.pieces_pairs($1)', toPieces(query))

  it('contains every pair of adjacent words in each phrase', async () => {
    expect(await findPairs('x "remote code" "in the in"')).toBe("'in the' & 'the in' & 'rem cod'")
    expect(await findPairs('"dying ids"')).toBe("'die id' | 'die ids' | 'dyi id' | 'dyi ids'")
  })

  it('is null without a phrase of two words', async () => {
    expect(await findPairs('remote code "execution"')).toBeNull()
  })
})

describe('catalog.pieces_lookup', () => {
  const lookUp = (query: string) => evaluate<string | null>('catalog.pieces_lookup($1, true)', toPieces(query))

  it('contains every word of a short search', async () => {
    expect(await lookUp('remote code')).toBe("( 'remote':* | '~remot' | 'remot' ) & ( 'code':* | '~code' )")
  })

  it('contains three of the words that match as a prefix: rare before common words, and the longest', async () => {
    expect(await lookUp('vulnerability allows overflow zyx routers in')).toBe(
      "( 'in' | '~in' ) & ( 'overflow':* | '~overflow' ) & ( 'routers':* | '~router' | 'router' ) & ( 'zyx':* | '~zyx' )",
    )
  })

  it('contains no common word of a phrase, because the phrase is looked up by its word pairs', async () => {
    expect(await lookUp('"remote code execution"')).toBeNull()
    expect(await lookUp('"of parsed codes"')).toBe("'parsed':* | '~pars'")
    expect(await lookUp('"code"')).toBe("'code':* | '~code'")
  })
})

describe('Search functions', () => {
  it("do not depend on the session's settings", async () => {
    const text = 'Authentication İstanbul flaws I'
    const before = await indexWords(text)
    await client.query("set default_text_search_config = 'pg_catalog.turkish'; set search_path = pg_temp")
    expect(await indexWords(text)).toBe(before)
    expect(await finds('authenticat', text)).toBe(true)
    await client.query('reset all')
  })

  it('are executable by vis_feeds and vis_api', async () => {
    for (const role of ['vis_feeds', 'vis_api']) {
      await client.query(`set role ${role}`)
      expect(await finds('flaw', 'flaws')).toBe(true)
      await client.query('reset role')
    }
  })
})
