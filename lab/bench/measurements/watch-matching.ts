// Measures how long many watches take to match changed CVEs in one process, and how much memory they take. The watches
// are drawn from the catalog: a vendor with many CVEs has many watches. The database is only read.
//
//   WHOLE_CATALOG_URL=… node --expose-gc lab/bench/measurements/watch-matching.ts

import { sql } from 'kysely'
import { type Database, openPool } from '../../../service/src/database/postgres.ts'
import { type CveKey, toCveId } from '../../../service/src/domain/cve-id.ts'
import { type Facts, readFacts } from '../../../service/src/search/watch/facts.ts'
import { readLookups } from '../../../service/src/search/watch/lookups.ts'
import { QueryIndex } from '../../../service/src/search/watch/query-index.ts'
import { readStoredQuery } from '../../../service/src/search/watch/stored-query.ts'
import { createDice, type Dice } from '../../../service/test/support/generator/dice.ts'

/** The bars: seconds of processor time for building the index and judging each CVE before and after its change. */
const PLANS = [
  { watches: 10_000, cves: 1500, maxSeconds: 1 },
  { watches: 100_000, cves: 1500, maxSeconds: undefined },
  { watches: 10_000, cves: 10_000, maxSeconds: undefined },
  { watches: 100_000, cves: 10_000, maxSeconds: 15 },
] as const
const MAX_HEAP_MB = 400
const DAY = new Date('2026-08-22T10:00:00Z')
const LIMITS = { poolSize: 1, statementTimeoutMs: 600_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }

const url = process.env['WHOLE_CATALOG_URL']
if (url === undefined) throw new Error('Set WHOLE_CATALOG_URL to the URL of a database with a published catalog.')
const { gc } = globalThis
if (!gc) throw new Error('Run node with --expose-gc, so that the memory can be measured.')

const write = (text: string) => process.stdout.write(`${text}\n`)

/** Seconds of all threads of this process, so that other work on the machine hardly matters. */
function readProcessorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

function readHeap(): number {
  gc?.()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** The CVEs that were modified last. */
async function listChanged(db: Database, count: number): Promise<readonly CveKey[]> {
  const { rows } = await sql<{ key: CveKey }>`
    select cve_key::text as key from catalog.cve order by modified desc, cve_key limit ${count}
  `.execute(db)
  return rows.map(({ key }) => key)
}

async function listExamples(db: Database): Promise<readonly Facts[]> {
  const { rows } = await sql<{ key: CveKey }>`
    select cve_key::text as key from catalog.cve order by hashint8extended(cve_key, 48) limit 10000
  `.execute(db)
  return [
    ...(
      await readFacts(
        db,
        rows.map(({ key }) => key),
      )
    ).values(),
  ]
}

const LEVELS = ['priority=P0,P1', 'priority=P0,P1,P2', 'priority=P0', 'severity=critical', 'severity=critical,high']
const EVERYWHERE = [
  'kev=true',
  'has_acsc=true',
  'exploit_maturity=active,ransomware',
  'has_fix=false',
  'ransomware=true',
]

function pick<T>(dice: Dice, choices: readonly T[]): T | undefined {
  return choices[dice.below(Math.max(1, choices.length))]
}

/** A bound of the kind that people choose; most watches have one. */
function drawBound(dice: Dice): string {
  switch (dice.below(5)) {
    case 0:
      return ''
    case 1:
      return `&epss_min=${(1 + dice.below(9)) / 10}`
    case 2:
      return `&cvss_min=${4 + dice.below(6)}`
    default:
      return `&${pick(dice, LEVELS) ?? ''}`
  }
}

function drawWatch(dice: Dice, examples: readonly Facts[], words: readonly string[]): string {
  // A few names are lists with more commas than a parameter has items.
  const isShort = ({ product, vendor }: Facts['products'][number]) => product.length < 60 && vendor.length < 60
  const named = () =>
    pick(dice, (pick(dice, examples)?.products ?? []).filter(isShort)) ?? { vendor: 'microsoft', product: 'windows_10' }
  const vendors = () => Array.from({ length: 1 + dice.below(4) }, () => encodeURIComponent(named().vendor)).join(',')
  const share = dice.below(100)
  if (share < 40) return `product_vendor=${vendors()}${drawBound(dice)}`
  if (share < 70) {
    const { vendor, product } = named()
    return `product_vendor=${encodeURIComponent(vendor)}&product=${encodeURIComponent(product)}${drawBound(dice)}`
  }
  if (share < 78) return `cwe=${pick(dice, pick(dice, examples)?.values.cwes ?? []) ?? 'CWE-79'}${drawBound(dice)}`
  if (share < 83) {
    const ids = Array.from({ length: 1 + dice.below(10) }, () => toCveId(pick(dice, examples)?.key ?? ''))
    return `ids=${ids.join(',')}`
  }
  if (share < 88) return `q=${pick(dice, words) ?? 'kernel'}${drawBound(dice)}`
  if (share < 92)
    return `assigner=${encodeURIComponent(pick(dice, examples)?.values.assigner ?? 'mitre')}${drawBound(dice)}`
  return `${pick(dice, EVERYWHERE) ?? ''}${drawBound(dice)}`
}

/** A thousand searches for words that occur in the names of products. */
const drawWords = (dice: Dice, examples: readonly Facts[]) =>
  Array.from({ length: 1000 }, () => pick(dice, pick(dice, examples)?.products ?? [])?.product ?? 'router').map(
    (name) => encodeURIComponent(name.replaceAll('_', ' ')),
  )

/** The facts before a change: another score, and for every fifth CVE no product yet. */
const toBefore = (facts: Facts, number: number): Facts => ({
  ...facts,
  values: { ...facts.values, score: (facts.values.score ?? 5) / 2 },
  products: number % 5 === 0 ? [] : facts.products,
})

async function measure(db: Database, examples: readonly Facts[], plan: (typeof PLANS)[number]): Promise<boolean> {
  const dice = createDice(48, plan.watches)
  const words = drawWords(dice, examples)
  const watches = Array.from({ length: plan.watches }, () => drawWatch(dice, examples, words))
  const startedReading = performance.now()
  const after = [...(await readFacts(db, await listChanged(db, plan.cves))).values()]
  const reading = performance.now() - startedReading
  const before = after.map(toBefore)
  const heapBefore = readHeap()

  const started = readProcessorTime()
  const index = new QueryIndex<number>()
  for (const [number, watch] of watches.entries()) index.add(readStoredQuery(watch), number)
  const built = readProcessorTime()
  const heap = readHeap() - heapBefore
  const asked = index.listAsked()
  const startedAsking = performance.now()
  const lookups = await readLookups(db, asked, [...before, ...after])
  const answered = performance.now()
  const startedMatching = readProcessorTime()
  let [matches, entered, left] = [0, 0, 0]
  for (const [number, facts] of after.entries())
    for (const { items, isBefore, isAfter } of index.match(
      { before: before[number], after: facts, time: DAY },
      lookups,
    )) {
      matches += items.size
      if (!isBefore) entered += items.size
      if (!isAfter) left += items.size
    }
  const matched = readProcessorTime() - startedMatching
  const seconds = built - started + matched
  const isMet = (plan.maxSeconds === undefined || seconds < plan.maxSeconds) && heap < MAX_HEAP_MB
  write(
    [
      `${plan.watches} watches (${index.size} different) × ${plan.cves} CVEs:`,
      `build ${(built - started).toFixed(2)} s, ${heap.toFixed(0)} MB of heap;`,
      `before and after ${matched.toFixed(2)} s (${matches} matches, ${entered} entered, ${left} left);`,
      `together ${seconds.toFixed(2)} s${plan.maxSeconds === undefined ? '' : ` (bar ${plan.maxSeconds} s)`};`,
      `database: facts ${(reading / 1000).toFixed(2)} s, ${asked.searches.size} searches for words and ${asked.names.length} names ${((answered - startedAsking) / 1000).toFixed(2)} s.`,
      isMet ? '' : 'BAR MISSED',
    ].join(' '),
  )
  return isMet
}

const { db, close } = openPool(url, 'watch-matching', LIMITS, () => {})
const examples = await listExamples(db)
let isMet = true
for (const plan of PLANS) isMet = (await measure(db, examples, plan)) && isMet
await close()
process.exitCode = isMet ? 0 : 1
