// Judges every package that AlmaLinux builds in a module against the fixes of all streams of that module, on the whole
// published catalog. The expected answers come from the raw errata: the stream is in an erratum's title, and a package
// is fixed by the errata of its own stream only.
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../service/src/database/postgres.ts'
import { readComponent } from '../../../service/src/domain/component/component.ts'
import { toCveId } from '../../../service/src/domain/cve-id.ts'
import { parsePurl } from '../../../service/src/domain/purl/parse-purl.ts'
import { SCHEMES } from '../../../service/src/domain/version/schemes.ts'
import { type Hit, judgeSubjects, prepareComponent } from '../../../service/src/matching/judge/judge.ts'
import { readRows } from '../../../service/src/matching/read/read-rows.ts'
import { type ProductRows, prepareRows } from '../../../service/src/matching/versions/product-rows.ts'
import { realData } from '../../../service/test/support/real-data.ts'
import { readRecords } from './advisory-files.ts'
import { findPublishedCatalog, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog("the test of AlmaLinux's module streams")
const folder = realData("the test of AlmaLinux's module streams", 'data-more') ?? ''

interface Erratum {
  readonly summary: string
  readonly related?: readonly string[]
  readonly aliases?: readonly string[]
  readonly affected: readonly {
    readonly package: { readonly ecosystem: string; readonly name: string }
    readonly ranges: readonly { readonly events: readonly { readonly fixed?: string }[] }[]
  }[]
}

interface Fix {
  readonly cve: string
  /** For example `8`. */
  readonly release: string
  readonly version: string
  readonly streams: readonly string[]
}

const STREAM = /(?<![\w.+-])([a-z][\w.+-]*:[\w.+-]+)(?= |$)/gi
const MODULE = /\.module_el\d+\.\d+/

/** Returns the fixes in modules by package. */
async function readFixes(rejected: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly Fix[]>> {
  const fixes = new Map<string, Fix[]>()
  for await (const raw of readRecords(join(folder, 'almalinux.osv.ndjson.gz'))) {
    const { summary, affected, related = [], aliases = [] } = raw as unknown as Erratum
    const streams = [...summary.matchAll(STREAM)].map(([, name = '']) => name)
    const cves = [...related, ...aliases].filter((each) => each.startsWith('CVE-') && !rejected.has(each))
    for (const { package: named, ranges } of affected) {
      const release = named.ecosystem.split(':')[1] ?? ''
      const versions = ranges.flatMap(({ events }) => events.flatMap(({ fixed }) => fixed ?? []))
      for (const version of versions.filter((each) => MODULE.test(each))) {
        const known = fixes.get(named.name) ?? []
        fixes.set(named.name, known)
        known.push(...cves.map((cve) => ({ cve, release, version, streams })))
      }
    }
  }
  return fixes
}

const compare = (a: string, b: string) => SCHEMES.rpm.compare(a, b) ?? 0
const shareStream = (a: readonly string[], b: readonly string[]) => a.some((each) => b.includes(each))

const counts = {
  cvesWithStreams: new Set<string>(),
  versions: 0,
  judged: 0,
  derived: 0,
  'judged by another stream': 0,
  'affected, but fixed in its own stream': 0,
  'not affected, but not fixed in its own stream': 0,
  'uncertain, without a stream': 0,
  'uncertain, with a stream': 0,
}
type Wrong = Exclude<keyof typeof counts, 'cvesWithStreams' | 'versions' | 'judged' | 'derived'>
const examples: string[] = []

function note(wrong: Wrong, text: string): void {
  counts[wrong] += 1
  if (!wrong.startsWith('uncertain') && examples.length < 40) examples.push(`${wrong}: ${text}`)
}

function judgePackage(name: string, fixes: readonly Fix[], product: ProductRows): void {
  for (const [release, ofRelease] of Map.groupBy(fixes, (each) => each.release)) {
    const named = ofRelease.filter(({ streams }) => streams.length > 0)
    const byCve = Map.groupBy(named, ({ cve }) => cve)
    for (const [cve, each] of byCve)
      if (new Set(each.map(({ streams }) => streams.join())).size > 1) counts.cvesWithStreams.add(cve)
    for (const [version, same] of Map.groupBy(named, (each) => each.version)) {
      counts.versions += 1
      const streams = [...new Set(same.flatMap((each) => each.streams))]
      const purl = `pkg:rpm/almalinux/${encodeURIComponent(name)}@${encodeURIComponent(version)}?distro=almalinux-${release}`
      for (const stream of [...streams, undefined]) {
        // A version that errata of several streams name has no stream of its own.
        const own = stream === undefined ? streams : [stream]
        const component = stream === undefined ? purl : `${purl}&rpmmod=${encodeURIComponent(stream)}`
        compareAnswers(component, { version, own, isStated: stream !== undefined, byCve, product })
      }
    }
  }
}

interface Expected {
  readonly version: string
  /** The streams of the package. */
  readonly own: readonly string[]
  /** The package URL names the stream. */
  readonly isStated: boolean
  readonly byCve: ReadonlyMap<string, readonly Fix[]>
  readonly product: ProductRows
}

function compareAnswers(purl: string, { version, own, isStated, byCve, product }: Expected): void {
  const parsed = parsePurl(purl)
  if ('error' in parsed) throw new Error(`${purl}: ${parsed.error}`)
  const about = prepareComponent({ component: readComponent({ purl: parsed }), product, inventory: new Map() })
  if (about.component.stream?.isDerived) {
    counts.derived += 1
    if (!own.includes(about.component.stream.name)) note('judged by another stream', `${purl} derived`)
  }
  const hits = new Map(
    [...judgeSubjects(about)]
      .filter((found): found is Hit => typeof found === 'object')
      .map((hit) => [hit.subjectKey.startsWith('-') ? hit.subjectKey : toCveId(hit.subjectKey), hit]),
  )
  for (const [cve, fixes] of byCve) {
    counts.judged += 1
    const ofStream = fixes.filter(({ streams }) => shareStream(streams, own))
    const hit = hits.get(cve)
    const isAffected = ofStream.some((each) => compare(version, each.version) < 0)
    const text = `${purl} ${cve}: ${hit?.verdict ?? 'no hit'} by ${hit?.row.streams?.join() ?? '-'} ${hit?.row.fixed ?? ''}`
    if (hit?.verdict === 'affected' && !shareStream(hit.row.streams ?? [], own)) note('judged by another stream', text)
    else if (hit?.verdict === 'affected' && !isAffected) note('affected, but fixed in its own stream', text)
    else if (hit === undefined && isAffected) note('not affected, but not fixed in its own stream', text)
    else if (hit?.verdict === 'possibly_affected')
      note(isStated ? 'uncertain, with a stream' : 'uncertain, without a stream', text)
  }
}

/** A rejected CVE is not a vulnerability. */
async function readRejected(db: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select cve_key::text as key from catalog.cve where status = 'Rejected'
  `.execute(db)
  return new Set(rows.map(({ key }) => toCveId(key)))
}

async function judgeAll(db: Database): Promise<void> {
  const rejected = await readRejected(db)
  const fixes = [...(await readFixes(rejected))]
  for (let start = 0; start < fixes.length; start += 50) {
    const group = fixes.slice(start, start + 50)
    const names = group.map(([product]) => ({ kind: 'purl' as const, vendor: 'rpm/almalinux', product }))
    const rows = await readRows(db, names)
    for (const [index, [name, ofPackage]] of group.entries())
      judgePackage(name, ofPackage, prepareRows(rows[index] ?? []))
  }
}

describe.skipIf(url === undefined || folder === '')('A package of a module stream', () => {
  it('is judged by no fix of another stream of AlmaLinux', async () => {
    await judgeAll(openPublishedCatalog(url ?? ''))
    const { cvesWithStreams, ...figures } = counts
    process.stdout.write(`CVEs with fixes in several streams: ${cvesWithStreams.size}\n`)
    for (const [name, count] of Object.entries(figures)) process.stdout.write(`${name}: ${count}\n`)
    for (const each of examples) process.stdout.write(`  ${each}\n`)
    expect(cvesWithStreams.size).toBeGreaterThan(200)
    expect(counts['judged by another stream']).toBe(0)
    expect(counts['affected, but fixed in its own stream']).toBe(0)
    expect(counts['not affected, but not fixed in its own stream']).toBe(0)
  }, 1_800_000)
})
