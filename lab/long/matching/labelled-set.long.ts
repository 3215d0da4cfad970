// Matches the labelled components with the whole published catalog, and compares with a match by product name alone.
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../service/src/database/postgres.ts'
import type { MatchedComponent } from '../../../service/src/matching/match.ts'
import { LABELS, type Label } from './labelled-set.ts'
import { findPublishedCatalog, match, type NamedComponent, openPublishedCatalog } from './published-catalog.ts'

const url = findPublishedCatalog('the test of labelled components on the whole catalog')

interface Answer {
  readonly label: Label
  /** The CVE, and the advisories that stand for it if the catalog has no record of it. */
  readonly ids: readonly string[]
  /** What the service says about the CVE. */
  readonly says: 'affected' | 'possibly' | 'not_affected' | 'unknown'
  /** Whether a row of the catalog names the product and the CVE. Without one, no matcher could find the CVE. */
  readonly hasRows: boolean
  readonly matched: MatchedComponent
}

describe.skipIf(url === undefined)('Labelled components', () => {
  let answers: readonly Answer[] = []

  beforeAll(async () => {
    const db = openPublishedCatalog(url ?? '')
    const found: Answer[] = []
    for (const label of LABELS) {
      const [matched] = await match(db, [toComponent(label)], { confidenceMin: 'low' })
      if (matched === undefined) continue
      const ids = await listIds(db, label)
      found.push({ label, ids, says: read(ids, matched), hasRows: await isNamed(db, ids, matched), matched })
    }
    answers = found
  }, 900_000)

  it('are judged with a precision and a recall of at least 97 % where the catalog names the product and the CVE', () => {
    for (const [group, all] of Map.groupBy(answers, ({ label }) => label.group)) report(group, all)
    report('all', answers)
    for (const { label, ids, says, matched, hasRows } of answers.filter((each) => !isRight(each))) {
      const reasons = matched.matches
        .filter(({ subject }) => ids.includes(subject.id))
        .map(({ row, confidence }) => `${row.source} ${row.low}..${row.high} ${confidence}`)
      process.stdout.write(
        `  ${label.group} ${label.name} ${label.version} ${label.cve}: ${says}, label ${label.isAffected}, ${hasRows ? 'has rows' : 'no rows'} ${reasons.join('; ')}\n`,
      )
    }
    const judged = answers.filter(({ hasRows }) => hasRows)
    const toHit = ({ label, says }: Answer) => ({ label, isHit: says === 'affected' })
    const [all, known] = [rate(answers.map(toHit)), rate(judged.map(toHit))]
    const format = ({ precision, recall }: typeof all) =>
      `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`
    process.stdout.write(`all ${answers.length}: ${format(all)}; with rows ${judged.length}: ${format(known)}\n`)

    expect(judged.length).toBeGreaterThanOrEqual(200)
    expect(all.precision).toBeGreaterThanOrEqual(0.97)
    expect(known.precision).toBeGreaterThanOrEqual(0.97)
    expect(known.recall).toBeGreaterThanOrEqual(0.97)
  })

  it('are judged with a precision of only one half by the product name alone', () => {
    const named = answers.map(({ label, hasRows }) => ({ label, isHit: hasRows }))
    const { precision, recall } = rate(named)

    process.stdout.write(`by name alone: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}\n`)
    expect(precision).toBeLessThan(0.6)
  })
})

async function listIds(db: Database, { cve }: Label): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from catalog.advisory where ${cve} = any (aliases)`.execute(db)
  return [cve, ...rows.map(({ id }) => id)]
}

async function isNamed(db: Database, ids: readonly string[], { component }: MatchedComponent): Promise<boolean> {
  const { rows } = await sql`
    select 1
      from catalog.affected
      join catalog.affected_name as name using (name_key)
      left join catalog.advisory on advisory.advisory_key = -affected.subject_key
     where name.kind = ${component.kind} and name.vendor = ${component.vendor} and name.product = ${component.product}
       and coalesce(advisory.id, catalog.cve_id(subject_key)) = any (${ids}::text[])
     limit 1
  `.execute(db)
  return rows.length > 0
}

function toComponent({ name, version }: Label): NamedComponent {
  if (!name.startsWith('cpe:')) return { purl: name.replace(/(?=\?|$)/, `@${encodeURIComponent(version)}`) }
  const [, part, vendor, product] = name.split(':')
  return { cpe: `cpe:2.3:${part}:${vendor}:${product}:${version}:*:*:*:*:*:*:*` }
}

function read(ids: readonly string[], { verdict, matches }: MatchedComponent): Answer['says'] {
  const found = matches.find(({ subject }) => ids.includes(subject.id))
  if (found !== undefined) return found.verdict === 'affected' && found.confidence !== 'low' ? 'affected' : 'possibly'
  return verdict === 'not_covered' || verdict === 'no_known_advisory' ? 'unknown' : 'not_affected'
}

function isRight({ label, says }: Answer): boolean {
  return says === (label.isAffected ? 'affected' : 'not_affected')
}

function rate(hits: readonly { readonly label: Label; readonly isHit: boolean }[]) {
  const count = (isAffected: boolean, isHit: boolean) =>
    hits.filter((each) => each.label.isAffected === isAffected && each.isHit === isHit).length
  const right = count(true, true)
  return { precision: right / (right + count(false, true)), recall: right / (right + count(true, false)) }
}

/** Prints a row of a table: group, labels, right, wrongly affected, missed, possibly or unknown. */
function report(group: string, answers: readonly Answer[]): void {
  const count = (isAffected: boolean, ...says: readonly Answer['says'][]) =>
    answers.filter((each) => each.label.isAffected === isAffected && says.includes(each.says)).length
  const unsure = count(true, 'possibly', 'unknown') + count(false, 'possibly', 'unknown')
  const figures = [answers.length, answers.filter(isRight).length, count(false, 'affected')]
  process.stdout.write(`| ${[group, ...figures, count(true, 'not_affected'), unsure].join(' | ')} |\n`)
}
