// node lab/accuracy/levels.ts [--json]: shows how the levels of the priority policy move with EPSS, for several ways to
// apply its thresholds. VIS_DATA names the folder with the weekly EPSS files, DATABASE_URL a published catalog.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { type CommandIo, createProcessIo, readConfig } from '../../service/src/commands/io.ts'
import { printJson, printTable } from '../../service/src/commands/output/print.ts'
import { withCatalogSession } from '../../service/src/commands/publish-now.ts'
import type { Database } from '../../service/src/database/postgres.ts'
import { EPSS_RULE, findThresholds, REFERENCE_THRESHOLDS } from '../../service/src/domain/priority/epss-rule.ts'
import { readFacts } from '../../service/src/domain/priority/facts.ts'
import { type LevelsReport, measureLevels, type Replayed, type Variant, type Week } from './measure-levels.ts'

/** The first day of the model v2026.06.15; the files name no model. */
const MODEL_DAY = '2026-06-15'
const NEW_MODEL = 'v2026.06.15'
const KEEPS = [1, 0.8, 0.7, 0.65, 0.5]

const byModel = (day: string) => findThresholds(day < MODEL_DAY ? EPSS_RULE.referenceModel : NEW_MODEL) ?? []

const VARIANTS: readonly Variant[] = [
  { name: 'fixed thresholds', keep: 1, thresholds: () => REFERENCE_THRESHOLDS },
  ...KEEPS.map((keep) => ({ name: `f = ${keep}`, keep, thresholds: byModel })),
]

const FILE = /^epss_(?:full|delta)-(\d{4}-\d\d-\d\d)\.csv\.gz$/

function readWeeks(folder: string): readonly Week[] {
  const files = readdirSync(folder).flatMap((name) => {
    const day = FILE.exec(name)?.[1]
    return day === undefined ? [] : [{ day, path: join(folder, name) }]
  })
  return files
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .map(({ day, path }) => ({ day, scores: readScores(gunzipSync(readFileSync(path)).toString()) }))
}

/** Two lines precede the scores: a comment, and the names of the columns. */
function readScores(text: string): Week['scores'] {
  const lines = text.trimEnd().split('\n').slice(2)
  return new Map(
    lines.map((line) => {
      const [cveId = '', score] = line.split(',')
      return [cveId, Number(score)] as const
    }),
  )
}

async function readCves(db: Database): Promise<readonly Replayed[]> {
  const { rows } = await sql<{ cveId: string; facts: string }>`
    select catalog.cve_id(cve_key) as "cveId", decision_facts as facts
      from catalog.cve_document
  `.execute(db)
  return rows.map(({ cveId, facts }) => ({ cveId, facts: readFacts(facts) }))
}

const HEADINGS = [
  'variant',
  'P0-P1',
  'P0-P2',
  'left',
  'model week',
  'per week',
  'first rated',
  '3 or more',
  'KEV',
  'delay',
  'waiting',
]

function toRow(report: LevelsReport): readonly (string | number)[] {
  const { urgent, upToP2, changesPerWeek, ratedPerWeek, kev, delay } = report
  return [
    report.name,
    urgent.join(' to '),
    upToP2.join(' to '),
    report.leftUrgent,
    report.changesOfModelWeek,
    changesPerWeek.map(Math.round).join(' and '),
    ratedPerWeek.map(Math.round).join(' and '),
    report.restless,
    `${kev.caught} of ${kev.added}`,
    `${delay.left}: ${delay.median} and ${Math.round(delay.mean)} days`,
    delay.waiting,
  ]
}

async function showLevels(io: CommandIo, folder: string, isJson: boolean): Promise<void> {
  const weeks = readWeeks(join(folder, 'data-more', 'epss'))
  const cves = await withCatalogSession(readConfig(io), ({ db }) => readCves(db))
  const reports = VARIANTS.map((variant) => measureLevels(cves, weeks, MODEL_DAY, variant))
  if (isJson) printJson(io, reports)
  else printTable(io, { headings: HEADINGS, rows: reports.map(toRow) })
}

const data = process.env['VIS_DATA']
if (data) await showLevels(createProcessIo(), data, process.argv.includes('--json'))
else process.stdout.write('SKIPPED: the levels over time. Set VIS_DATA to the folder with data-more/epss to run it.\n')
