// Compares the SQL conditions of a search for words with a simple evaluation in TypeScript.
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '../../../../src/database/postgres.ts'
import { findText, inClass, matchText, textClass, textRank } from '../../../../src/search/words/conditions.ts'
import { findMistake } from '../../../../src/search/words/parse.ts'
import { cve } from '../../../support/catalog/cve-builder.ts'
import { cleanUpAfterTests } from '../../../support/cleanup.ts'
import { createTestDatabase } from '../../../support/database.ts'

interface Texts {
  readonly id: string
  readonly names: readonly string[]
  readonly products: readonly `${string}/${string}`[]
  readonly description: string
}

const CVES: readonly Texts[] = [
  {
    id: 'CVE-2021-44228',
    names: ['Log4Shell', 'Apache Log4j2 Remote Code Execution'],
    products: ['apache/log4j', 'cisco/unified_contact'],
    description: 'JNDI features do not protect against attackers. Remote code is executed.',
  },
  {
    id: 'CVE-2021-45046',
    names: [],
    products: ['apache/log4j'],
    description: 'The fix of CVE-2021-44228 was incomplete.',
  },
  { id: 'CVE-2020-1000', names: [], products: ['microsoft/exchange_server'], description: 'A flaw in mod_ssl.' },
  { id: 'CVE-2020-1001', names: [], products: ['microsoft/asp.net'], description: 'The mod of ssl and admin, php.' },
  {
    id: 'CVE-2020-1002',
    names: ['Fox Trot'],
    products: ['fox/den'],
    description: 'A server in admin.php exchanges codes.',
  },
  { id: 'CVE-2020-1003', names: ['Trot'], products: [], description: 'Nothing -x OR y.' },
]

const database = await createTestDatabase()
const pool = openPool(
  database.url,
  'test',
  { poolSize: 1, statementTimeoutMs: 60_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 },
  () => {},
)
cleanUpAfterTests(() => pool.close())
beforeAll(async () => {
  for (const { id, ...texts } of CVES) await cve(id, texts).store(pool.db)
})

async function select(condition: RawBuilder<unknown>): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select catalog.cve_id(cve_key) as id from catalog.cve as cve where ${condition} order by 1
  `.execute(pool.db)
  return rows.map(({ id }) => id)
}

/** Searches with and without indexes, and expects the same hits. */
async function find(q: string): Promise<readonly string[]> {
  const [found, matched] = [await select(findText(q)), await select(matchText(q))]
  expect(found, q).toEqual(matched)
  return found
}

const LOG4SHELL = 'CVE-2021-44228'
const ALL = CVES.map(({ id }) => id).sort()

describe('A word search', () => {
  it.each([
    ['log4shell', [LOG4SHELL]],
    ['apache', [LOG4SHELL, 'CVE-2021-45046']],
    ['microsoft', ['CVE-2020-1000', 'CVE-2020-1001']],
    ['"microsoft exchange"', ['CVE-2020-1000']],
    ['exchange', ['CVE-2020-1000', 'CVE-2020-1002']],
    ['mod_ssl', ['CVE-2020-1000']],
    ['mod ssl', ['CVE-2020-1000', 'CVE-2020-1001']],
    ['asp.net', ['CVE-2020-1001']],
    ['admin.php', ['CVE-2020-1001', 'CVE-2020-1002']],
    ['adm.php', []],
    ['apache -cisco', ['CVE-2021-45046']],
    ['apache -"remote code"', ['CVE-2021-45046']],
    ['microsoft -mod_ssl', ['CVE-2020-1001']],
    ['cisco OR fox', ['CVE-2020-1002', LOG4SHELL]],
    ['"remote code" OR mod_ssl', ['CVE-2020-1000', LOG4SHELL]],
    ['apache cisco OR fox', [LOG4SHELL]],
    [LOG4SHELL, [LOG4SHELL, 'CVE-2021-45046']],
    [LOG4SHELL.toLowerCase(), [LOG4SHELL, 'CVE-2021-45046']],
    ['"-x OR y"', ['CVE-2020-1003']],
    ['"trot den"', []],
    ['"trot fox"', []],
    ['"fox trot"', ['CVE-2020-1002']],
    // A word of three letters or more is also found as a prefix and in other forms.
    ['incompl', ['CVE-2021-45046']],
    ['protecting features', [LOG4SHELL]],
    ['fl', []],
    [LOG4SHELL.slice(4), [LOG4SHELL, 'CVE-2021-45046']],
    ['cve', ALL],
    [' … ', ALL],
  ])('for %s finds %j', async (q, ids) => {
    expect(await find(q)).toEqual([...ids].sort())
  })

  it('finds the same CVEs as a naive evaluation', async () => {
    const word = fc.constantFrom('apache', 'log4j', 'fox', 'trot', 'server', 'mod', 'ssl', 'code', 'of', 'x', 'absent')
    const joined = fc.tuple(word, fc.constantFrom('_', '.', '-', '/'), word).map((parts) => parts.join(''))
    const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`)
    const piece = fc.oneof(word, joined, phrase)
    const operator = fc.constantFrom(' ', ' ', ' OR ', ' -')
    const search = fc
      .tuple(piece, fc.array(fc.tuple(operator, piece), { maxLength: 4 }))
      .map(([first, rest]) => first + rest.map((parts) => parts.join('')).join(''))
      .filter((q) => findMistake(q) === undefined)
    await fc.assert(
      fc.asyncProperty(search, async (q) => {
        expect(await find(q), q).toEqual(
          CVES.filter((texts) => matches(q, texts))
            .map(({ id }) => id)
            .sort(),
        )
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['one character 1,000 times', 'x'.repeat(1000)],
    ['words of one character', 'a '.repeat(128)],
    ['256 quotation marks', '"'.repeat(256)],
    ['alternating quotation marks and words', '"a" '.repeat(64)],
    ['only operators', '- OR '.repeat(50)],
    ['characters of tsquery', `'&|!():*<->\\ `.repeat(18)],
    ['excluded words', `a ${'-b '.repeat(80)}`],
    ['joined words', 'a.b-c_d/e'.repeat(28)],
  ])('accepts %s', async (_, q) => {
    if (findMistake(q) === undefined) await find(q)
  })
})

describe('textClass', () => {
  async function classify(q: string): Promise<Readonly<Record<string, number>>> {
    const { rows } = await sql<{ id: string; class: number }>`
      select catalog.cve_id(cve_key) as id, ${textClass(q)} as class from catalog.cve as cve where ${findText(q)}
    `.execute(pool.db)
    return Object.fromEntries(rows.map((row) => [row.id, row.class]))
  }

  it.each([
    [` ${LOG4SHELL} `, { [LOG4SHELL]: 0, 'CVE-2021-45046': 3 }],
    ['log4shell', { [LOG4SHELL]: 1 }],
    ['apache', { [LOG4SHELL]: 1, 'CVE-2021-45046': 2 }],
    ['apache log4j cisco', { [LOG4SHELL]: 2 }],
    ['exchange', { 'CVE-2020-1000': 2, 'CVE-2020-1002': 3 }],
    ['microsoft -php', { 'CVE-2020-1000': 2 }],
    ['trot -nothing', { 'CVE-2020-1002': 1 }],
    ['apache jndi', { [LOG4SHELL]: 3 }],
  ])('for %s is %j', async (q, classes) => {
    expect(await classify(q)).toEqual(classes)
  })

  it.each(['log4shell', 'apache', 'exchange', '"apache log4j"', 'cisco OR fox', 'apache -cisco', 'a b c d apache'])(
    'agrees with inClass for %s',
    async (q) => {
      const classes = Object.entries(await classify(q))
      const hits = await find(q)
      for (const nameClass of [1, 2] as const) {
        const named = (await select(inClass(q, nameClass))).filter((id) => hits.includes(id))
        expect(named).toEqual(
          classes
            .filter(([, found]) => found <= nameClass)
            .map(([id]) => id)
            .sort(),
        )
      }
    },
  )
})

describe('textRank', () => {
  it('is higher if a name contains the word than if only the description does', async () => {
    const { rows } = await sql<{ id: string }>`
      select catalog.cve_id(cve_key) as id from catalog.cve as cve where ${findText('exchange')}
       order by ${textRank('exchange')} desc
    `.execute(pool.db)
    expect(rows.map(({ id }) => id)).toEqual(['CVE-2020-1000', 'CVE-2020-1002'])
  })
})

/** Evaluates a search as the guide describes it, without the database. Here, every word is its own grammatical form. */
function matches(q: string, { id, names, products, description }: Texts): boolean {
  const texts = [id, description, ...names, ...products].map(splitWords)
  const hasPiece = (piece: string) => {
    const isPhrase = piece.startsWith('"')
    const words = splitWords(piece)
    const isMatch = (sought: string, actual: string, index: number) => {
      const isPrefix = sought.length >= 3 && (isPhrase || index === words.length - 1)
      return isPrefix ? actual.startsWith(sought) : actual === sought
    }
    return texts.some((text) =>
      text.some((_, start) => words.every((word, index) => isMatch(word, text[start + index] ?? '', index))),
    )
  }
  const parts = q.match(/-?(?:"[^"]*"|[^\s"]+)/gu) ?? []
  let isHit = true
  for (let index = 0; index < parts.length; index += 1) {
    const alternatives = [parts[index] ?? '']
    while (parts[index + 1] === 'OR') {
      alternatives.push(parts[index + 2] ?? '')
      index += 2
    }
    const [first = ''] = alternatives
    isHit &&= first.startsWith('-') ? !hasPiece(first.slice(1)) : alternatives.some(hasPiece)
  }
  return isHit
}

function splitWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '')
}
