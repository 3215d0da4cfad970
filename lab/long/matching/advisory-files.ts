// Reads real advisories for packages with the code of the feeds and of the catalog, and places versions in their rows with
// the code of the matcher.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readAdvisory } from '../../../service/src/catalog/affected/read-advisory.ts'
import { readComponent } from '../../../service/src/domain/component/component.ts'
import { parsePackageName } from '../../../service/src/domain/purl/package-name.ts'
import { OSV_SOURCES } from '../../../service/src/domain/source/osv-sources.ts'
import { isRejected } from '../../../service/src/feeds/feed.ts'
import { readDecompressed } from '../../../service/src/feeds/formats/decompress.ts'
import { readJsonLines } from '../../../service/src/feeds/formats/json-lines.ts'
import { normaliseAdvisory } from '../../../service/src/feeds/sources/ghsa/normalise.ts'
import { normaliseOsv } from '../../../service/src/feeds/sources/osv/normalise.ts'
import type { AffectedRow } from '../../../service/src/record/affected-row.ts'
import { placeVersion } from './place-version.ts'

const NOW = new Date('2026-08-22T23:59:59Z')
const MAX_BYTES = 512 * 1024 * 1024

export interface RealAdvisory {
  readonly id: string
  /** The advisory's own id, its CVEs and its aliases. */
  readonly ids: readonly string[]
  /** The advisory as the database publishes it. */
  readonly raw: Readonly<Record<string, unknown>>
  readonly rows: readonly AffectedRow[]
}

/** Reads the records of an NDJSON file. */
export async function* readRecords(path: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const reading of readJsonLines(readDecompressed(path, { maxBytes: MAX_BYTES }, () => {}))) {
    if ('raw' in reading) yield reading.raw as Record<string, unknown>
  }
}

/** Reads the advisories of GitHub (`ghsa`) or of an OSV database such as `go`. Withdrawn advisories are left out. */
export async function* readAdvisories(folder: string, database: string): AsyncGenerator<RealAdvisory> {
  const withdrawn = database === 'ghsa' ? await readWithdrawn(folder) : new Set()
  for (const name of (await readdir(folder)).filter((each) => isFileOf(database, each))) {
    for await (const raw of readRecords(join(folder, name))) {
      const advisory = toAdvisory(database, raw)
      if (advisory !== undefined && !withdrawn.has(advisory.id)) yield advisory
    }
  }
}

const WITHDRAWN = 'ghsa-withdrawn-by-text.ndjson.gz'

/** The mirror of GitHub's advisories lacks the member `withdrawn`, so a list of their ids is kept beside it. */
async function readWithdrawn(folder: string): Promise<ReadonlySet<unknown>> {
  const ids = new Set<unknown>()
  for await (const { id } of readRecords(join(folder, WITHDRAWN))) ids.add(id)
  return ids
}

const findDatabase = (name: string) => Object.values(OSV_SOURCES).find(({ database }) => database === name)

function isFileOf(database: string, name: string): boolean {
  if (database === 'ghsa') return /^ghsa-\w+\.osv\.ndjson\.gz$/.test(name)
  const start = findDatabase(database)?.files
  return start !== undefined && name.startsWith(start) && /\.ndjson(?:\.gz)?$/.test(name)
}

function toAdvisory(database: string, raw: Readonly<Record<string, unknown>>): RealAdvisory | undefined {
  const osv = findDatabase(database)
  const row = osv === undefined ? normaliseAdvisory(raw, NOW) : normaliseOsv(osv, raw, NOW)
  if (isRejected(row)) return undefined
  const id = 'ghsaId' in row ? row.ghsaId : row.id
  const feed = osv === undefined ? 'ghsa' : `osv-${osv.database}`
  const { affected, isWithdrawn } = readAdvisory([{ id, feed, modified: row.modified, record: row.record }])
  const listed = [raw['aliases'], raw['related']].flatMap((each) => (Array.isArray(each) ? each : []))
  return isWithdrawn ? undefined : { id, ids: [...new Set([id, ...listed])], raw, rows: affected }
}

/** Selects the rows of a package. */
export function selectRows(rows: readonly AffectedRow[], purl: string): readonly AffectedRow[] {
  const name = parsePackageName(purl)
  return rows.filter(({ vendor, product }) => vendor === name?.vendor && product === name.product)
}

/** Returns whether one of the rows contains the version. */
export function placeInRows(rows: readonly AffectedRow[], version: string): 'inside' | 'outside' | 'unknown' {
  const component = readComponent({ product: 'any', version })
  const places = rows.filter((each) => each.isAffected).map((row) => placeVersion(row, component.version))
  if (places.includes('inside')) return 'inside'
  return places.includes('unknown') || places.includes('vague') ? 'unknown' : 'outside'
}
