// Removes one database at a time from the answers about random components of the whole published catalog. Without a
// database, the service knows less: no answer may then look safer than before.
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../service/src/database/postgres.ts'
import type { Component } from '../../../service/src/domain/component/component.ts'
import { readStreamOfVersion } from '../../../service/src/domain/component/rpm-stream.ts'
import type { ComponentVerdict } from '../../../service/src/domain/match-words.ts'
import { findSourceOfProvider } from '../../../service/src/domain/source/coverage.ts'
import { RULES } from '../../../service/src/domain/source/provider-names.ts'
import { SOURCE_IDS, type SourceId } from '../../../service/src/domain/source/sources.ts'
import { type Coverages, judgeCoverage } from '../../../service/src/matching/coverage/coverage.ts'
import { type Hit, prepareComponent } from '../../../service/src/matching/judge/judge.ts'
import { decideVerdict, judgeComponent } from '../../../service/src/matching/judge/judge-component.ts'
import { readRows } from '../../../service/src/matching/read/read-rows.ts'
import { prepareRows } from '../../../service/src/matching/versions/product-rows.ts'
import { type StoredRow, stripDerived } from '../../../service/src/record/affected-row.ts'
import { completeSet, findFullCoverage } from '../../../service/test/support/coverage.ts'
import { findPublishedCatalog, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog('the test of answers without one of the databases')

const WANTED = 5000
const NOW = new Date('2026-08-22T00:00:00Z')

interface Chosen {
  readonly kind: 'cpe' | 'purl'
  readonly vendor: string
  readonly product: string
  readonly target: string
  readonly version: string | null
}

/**
 * Chooses names in the order of a hash, with a version of one of their rows; every twentieth has no version. Every
 * second version is one that a row calls fixed.
 */
async function chooseComponents(db: Database): Promise<readonly Component[]> {
  const { rows } = await sql<Chosen>`
    select name.kind, name.vendor, name.product, chosen.target, chosen.version
      from (select *, row_number() over (order by md5(name_key::text)) as position
              from catalog.affected_name
             order by position
             limit ${WANTED * 2}) as name
     cross join lateral (
             select target,
                    case when position % 20 = 0 then null
                         when position % 2 = 0 then coalesce(fixed, high, low, versions[1])
                         else coalesce(low, versions[1], high, fixed) end as version
               from catalog.affected
              where name_key = name.name_key and scheme <> 'commit'
              order by md5(subject_key::text || nr)
              limit 1
           ) as chosen
     where chosen.version is not null or position % 20 = 0
     order by name.position
     limit ${WANTED}
  `.execute(db)
  return rows.map(toComponent)
}

function toComponent({ kind, vendor, product, target, version: text }: Chosen): Component {
  const [base = '', update] = text?.split(' ') ?? []
  const version = text === null ? null : { text, base, update: update ?? null }
  const name = { by: kind, kind, vendor, product, version, edition: null }
  if (kind === 'cpe') return { ...name, target: null }
  const stream = vendor.startsWith('rpm/') && text !== null ? readStreamOfVersion(text) : undefined
  // `9` for the product enterprise_linux:9.
  const release = /^(?:deb|rpm|apk)\//.test(vendor) ? (target.split(':').at(-1) ?? '') : ''
  return { ...name, target: release === '' ? null : release, hasSourcePackage: true, ...(stream && { stream }) }
}

const CLEAN = ['not_affected', 'no_known_advisory']
const ORDER: readonly (readonly ComponentVerdict[])[] = [
  ['affected'],
  ['possibly_affected'],
  ['not_covered'],
  ['not_affected', 'no_known_advisory'],
]
const rank = (verdict: ComponentVerdict) => ORDER.findIndex((each) => each.includes(verdict))
const toSource = ({ source }: Pick<StoredRow, 'source'>) => findSourceOfProvider(stripDerived(source))

interface Answer {
  readonly verdict: ComponentVerdict
  readonly hits: readonly Hit[]
}

async function answer(
  component: Component,
  rows: readonly StoredRow[],
  findCoverage: Coverages['findCoverage'],
): Promise<Answer> {
  const about = prepareComponent({ component, product: prepareRows(rows), inventory: new Map() })
  const { hits, unordered } = await judgeComponent(about, new AbortController().signal)
  const listed = hits.filter(({ confidence }) => confidence !== 'low')
  const findings = { listed, hitCount: hits.length, unordered }
  return { verdict: decideVerdict(about, findings, findCoverage(component)).verdict, hits: listed }
}

/** Conclusions from several sources are dropped with any of them: the publisher would draw them again. */
function removeDatabase(rows: readonly StoredRow[], id: SourceId): readonly StoredRow[] {
  const concluded = new Set(rows.filter((row) => toSource(row) === id).map(({ subjectKey }) => subjectKey))
  return rows.filter((row) => toSource(row) !== id && !(row.source === RULES && concluded.has(row.subjectKey)))
}

const coverageWithout = new Map(
  SOURCE_IDS.map((id) => {
    const sets = SOURCE_IDS.map((each) => ({ ...completeSet(each), ...(each === id && { lastSuccessAt: null }) }))
    return [id, judgeCoverage(sets, NOW).findCoverage]
  }),
)

/** True if a source that is still there calls the component affected, without a condition. */
function isStatedBy(hits: readonly Hit[], removed: SourceId): boolean {
  return hits.some(
    ({ verdict, row, others }) =>
      verdict === 'affected' &&
      [row, ...others.filter(({ says }) => says === 'affected').map((each) => each.row)].some(
        (each) => toSource(each) !== removed && toSource(each) !== undefined && each.condition === null,
      ),
  )
}

const counts = { answers: 0, unchanged: 0, 'less safe': 0, 'rests on the database': 0, 'becomes clean': 0, safer: 0 }
const examples: string[] = []

async function compare(component: Component, rows: readonly StoredRow[]): Promise<void> {
  const full = await answer(component, rows, findFullCoverage)
  for (const [id, findCoverage] of coverageWithout) {
    counts.answers += 1
    const { verdict } = await answer(component, removeDatabase(rows, id), findCoverage)
    const change = rank(verdict) - rank(full.verdict)
    if (change === 0) counts.unchanged += 1
    else if (change < 0) counts['less safe'] += 1
    else if (CLEAN.includes(verdict)) note('becomes clean', component, `${id}: ${full.verdict}, then ${verdict}`)
    else if (full.verdict === 'affected' && isStatedBy(full.hits, id))
      note('safer', component, `${id}: ${full.verdict}, then ${verdict}`)
    // The only statement that the component is, or may be, affected was in this database.
    else counts['rests on the database'] += 1
  }
}

function note(wrong: 'becomes clean' | 'safer', { vendor, product, version, target }: Component, text: string): void {
  counts[wrong] += 1
  if (examples.length < 40) examples.push(`${wrong}: ${vendor} ${product} ${version?.text} ${target} without ${text}`)
}

describe.skipIf(url === undefined)('The answer about a component', () => {
  it('never looks safer after any one database is removed', async () => {
    const db = openPublishedCatalog(url ?? '')
    const components = await chooseComponents(db)
    for (let start = 0; start < components.length; start += 100) {
      const group = components.slice(start, start + 100)
      const rows = await readRows(db, group)
      for (const [index, component] of group.entries()) await compare(component, rows[index] ?? [])
    }
    process.stdout.write(`${components.length} components, ${coverageWithout.size} databases\n`)
    for (const [name, count] of Object.entries(counts)) process.stdout.write(`${name}: ${count}\n`)
    for (const each of examples) process.stdout.write(`  ${each}\n`)
    expect(components).toHaveLength(WANTED)
    expect(counts['becomes clean']).toBe(0)
    expect(counts.safer).toBe(0)
  }, 1_800_000)
})
