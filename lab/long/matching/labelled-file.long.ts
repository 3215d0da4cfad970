// Matches the components of labelled files with the whole published catalog. A file is a table with the columns group,
// component (package URL or CPE name with a version), cve_id and truth (`affected` or `not`), separated by tabs. Its
// facts are the vendors' own, and the catalog does not read it. labelled-components.tsv was labelled from raw records
// and announcements by a reader who did not see the service's answers.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../service/src/database/postgres.ts'
import type { Component } from '../../../service/src/domain/component/component.ts'
import { readRows } from '../../../service/src/matching/read/read-rows.ts'
import { readSubjects } from '../../../service/src/matching/read/read-subjects.ts'
import { findPublishedCatalog, match, openPublishedCatalog } from './published-catalog.ts'

const SETTING = 'LABELLED_MATCHES'
const OWN = fileURLToPath(new URL('labelled-components.tsv', import.meta.url))
const url = findPublishedCatalog('the test of labelled files on the whole catalog')
const further = process.env[SETTING]
if (url !== undefined && further === undefined)
  process.stderr.write(`SKIPPED: the test of a further labelled file. Set ${SETTING} to the path of the file.\n`)

const [MIN_RECALL, MIN_PRECISION] = [0.92, 0.97]

interface Labelled {
  readonly group: string
  readonly component: string
  readonly cveId: string
  readonly isAffected: boolean
  readonly isHit: boolean
  readonly says: string
  /** A source names the CVE, or an advisory that stands for it, under the component's name. */
  readonly hasRows: boolean
}

const FILES = [
  { name: 'of this folder', file: OWN },
  ...(further ? [{ name: `named by ${SETTING}`, file: further }] : []),
]

describe.skipIf(url === undefined)('Components of the labelled file', () => {
  it.each(FILES)(
    `$name are judged with a recall of ${MIN_RECALL} and a precision of ${MIN_PRECISION} at least`,
    async ({ file }) => {
      const db = openPublishedCatalog(url ?? '')
      const found: Labelled[] = []
      for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(1))
        found.push(await judge(db, line.split('\t')))
      for (const [group, all] of Map.groupBy(found, (each) => each.group)) report(group, all)
      report('all', found)
      for (const { group, component, cveId, isAffected, says, hasRows } of found.filter(
        (each) => each.isHit !== each.isAffected,
      ))
        process.stdout.write(
          `  ${group} ${component} ${cveId}: ${says}, label ${isAffected ? 'affected' : 'not'}${hasRows ? '' : ', in no row'}\n`,
        )
      const unknown = found.filter((each) => !each.hasRows)
      const unknownAffected = unknown.filter((each) => each.isAffected).length
      process.stdout.write(
        `${unknown.length} labels, ${unknownAffected} of them affected, whose CVE and component are in no catalog row\n`,
      )
      const count = (isAffected: boolean) => found.filter((each) => each.isHit && each.isAffected === isAffected).length
      const hits = count(true)
      expect(hits / found.filter((each) => each.isAffected).length).toBeGreaterThanOrEqual(MIN_RECALL)
      expect(hits / (hits + count(false))).toBeGreaterThanOrEqual(MIN_PRECISION)
    },
    900_000,
  )
})

async function judge(
  db: Database,
  [group = '', component = '', cveId = '', truth]: readonly string[],
): Promise<Labelled> {
  const named = component.startsWith('cpe:') ? { cpe: component } : { purl: component }
  const [matched] = await match(db, [named], { confidenceMin: 'low' })
  const ids = await listIds(db, cveId)
  const hit = matched?.matches.find(({ subject }) => ids.includes(subject.id))
  const isHit = hit?.verdict === 'affected' && hit.confidence !== 'low'
  const says =
    hit === undefined ? (matched?.verdict ?? 'no answer') : `${hit.verdict} ${hit.confidence} ${hit.row.source}`
  const hasRows = matched !== undefined && (await isNamed(db, matched.component, ids))
  return { group, component, cveId, isAffected: truth === 'affected', isHit, says, hasRows }
}

async function isNamed(db: Database, component: Component, ids: readonly string[]): Promise<boolean> {
  const [rows = []] = await readRows(db, [component])
  const subjects = await readSubjects(db, [...new Set(rows.map(({ subjectKey }) => subjectKey))])
  return [...subjects.values()].some(({ id }) => ids.includes(id))
}

/** The CVE, and the advisories that stand for it if the catalog has no record of it. */
async function listIds(db: Database, cveId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`select id from catalog.advisory where ${cveId} = any (aliases)`.execute(db)
  return [cveId, ...rows.map(({ id }) => id)]
}

/** Prints a row of a table: group, labels, affected and found, missed, unaffected and wrongly found. */
function report(group: string, labelled: readonly Labelled[]): void {
  const count = (isAffected: boolean, isHit: boolean) =>
    labelled.filter((each) => each.isAffected === isAffected && each.isHit === isHit).length
  const figures = [labelled.length, count(true, true), count(true, false), count(false, true)]
  process.stdout.write(`| ${[group, ...figures].join(' | ')} |\n`)
}
