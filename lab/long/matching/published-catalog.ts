// A database with the whole published catalog, which the tests of matching only read.

import { type Database, openPool } from '../../../service/src/database/postgres.ts'
import { readComponent, type SentComponent } from '../../../service/src/domain/component/component.ts'
import { parseCpe } from '../../../service/src/domain/cpe/cpe.ts'
import { parsePurl } from '../../../service/src/domain/purl/parse-purl.ts'
import { createInventory } from '../../../service/src/matching/judge/conditions.ts'
import { type MatchedComponent, type MatchOptions, matchComponents } from '../../../service/src/matching/match.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { findFullCoverage } from '../../../service/test/support/coverage.ts'

/** Environment variable with the URL of the database. It has all feeds of `data` and `data-more`. */
const SETTING = 'WHOLE_CATALOG_URL'

/** Returns the URL of the database. Without the setting, the function prints which test is skipped and how to run it. */
export function findPublishedCatalog(what: string): string | undefined {
  const url = process.env[SETTING]
  if (url !== undefined && url !== '') return url
  process.stderr.write(
    `SKIPPED: ${what}. Set ${SETTING} to the URL of a database in which all feeds of data and data-more are published.\n`,
  )
  return undefined
}

/** Opens a pool whose transactions cannot write. */
export function openPublishedCatalog(url: string): Database {
  const limits = { poolSize: 1, statementTimeoutMs: 600_000, lockTimeoutMs: 60_000, acquireTimeoutMs: 60_000 }
  const readOnly = new URL(url)
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
  const pool = openPool(readOnly.toString(), 'test', limits, () => {})
  cleanUpAfterTests(() => pool.close())
  return pool.db
}

/** A component as a caller names it, with the version in the CPE name or the package URL. */
export type NamedComponent =
  | { readonly cpe: string }
  | { readonly purl: string }
  | { readonly vendor?: string; readonly product: string; readonly version: string }

const DEFAULTS = {
  confidenceMin: 'medium',
  assess: () => ({}),
  // What sources say about a version does not depend on how complete they are.
  findCoverage: findFullCoverage,
} as const

/** Matches as POST /api/v1/match does without options. */
export async function match(
  db: Database,
  components: readonly NamedComponent[],
  options: Partial<MatchOptions> = {},
): Promise<readonly MatchedComponent[]> {
  const sent = components.map((each) => readComponent(toSent(each)))
  const matched = await matchComponents(db, sent, { ...DEFAULTS, inventory: createInventory(sent), ...options })
  if (matched === undefined) throw new Error('The components have more rows than one call may compare.')
  return matched
}

function toSent(component: NamedComponent): SentComponent {
  if ('cpe' in component) return { cpe: parseCpe(component.cpe) }
  if (!('purl' in component)) return component
  const purl = parsePurl(component.purl)
  if ('error' in purl) throw new Error(`${component.purl}: ${purl.error}`)
  return { purl }
}
