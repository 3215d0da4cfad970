// Computes fingerprints of the data that the feeds stored, one per part of the data: each NVD file, the KEV catalog,
// the EPSS scores. A part covers everything that one transaction writes: rows, the ids queued for publication and the
// feed's cursor. All parts are read in one statement.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { listNvdFiles, type Slice } from './slice.ts'

/** Fingerprints of the stored data by part (NVD file, KEV, EPSS). Equal fingerprints mean equal content. */
export type Content = ReadonlyMap<string, string>

/** Fingerprint of a data set whose recorded row count equals its actual number of rows. */
export const COUNTED = 'counted'

// One SQL statement reads one snapshot, so the fingerprints of all parts belong to the same moment. The times at which
// rows were stored are omitted, because they differ between runs.
const PARTS = `
  with record as (
    select substr(cve_id, 5, 4) as year,
           count(*) as rows,
           bit_xor(hash_record_extended(held, 0)) as content
      from source.source_record held
     where source = 'nvd'
     group by 1
  ), queued as (
    select feed,
           case when feed = 'nvd' then substr(cve_id, 5, 4) end as year,
           count(*) as rows,
           sum(hashtextextended(cve_id, 0)) as content
      from source.publication_queue
     group by 1, 2
  ), kev as (
    select count(*) filter (where removed_at is null) as rows,
           sum(hashtextextended(concat_ws('|', cve_id, vendor_project, product, vulnerability_name, date_added,
             short_description, required_action, due_date, known_ransomware, notes, cwes, content_hash, removed_at), 0)
           ) as content
      from source.kev_entry
  ), epss as (
    select count(*) as rows,
           bit_xor(hash_record_extended(held, 0)) as content
      from source.epss_score held
  )
  select 'nvd ' || file.key as part,
         concat_ws(' ', record.rows, record.content, queued.rows, queued.content,
           feed.cursor -> 'files' -> file.key ->> 'sha256') as fingerprint
    from unnest($1::text[], $2::text[]) as file (key, year)
    left join record on record.year = file.year
    left join queued on queued.feed = 'nvd' and queued.year = file.year
    left join source.feed on feed.name = 'nvd'
  union all
  select 'kev', concat_ws(' ', kev.content, queued.rows, queued.content, feed.cursor, feed.upstream_at)
    from kev
    left join source.feed on feed.name = 'kev'
    left join queued on queued.feed = 'kev'
  union all
  select 'epss', concat_ws(' ', epss.content, queued.rows, queued.content, feed.cursor, feed.upstream_at,
           release.model_version, release.scored_at)
    from epss
    left join source.feed on feed.name = 'epss'
    left join source.epss_release release on true
    left join queued on queued.feed = 'epss'
  union all
  select dataset.name || ' count', case when dataset.table_count = stored.rows then '${COUNTED}' else 'miscounted' end
    from catalog.dataset
    join (
           select 'nvd' as name, coalesce(sum(rows), 0) as rows from record
           union all
           select 'kev', rows from kev
           union all
           select 'epss', rows from epss
         ) stored
      on stored.name = dataset.name
`

/** A database connection with which a test reads the stored feed data or changes the state of feeds. */
export interface Inspector {
  content(): Promise<Content>
  query<T extends object>(statement: string): Promise<T[]>
  close(): Promise<void>
}

export async function openInspector(url: string, slice: Slice): Promise<Inspector> {
  const client = new Client({ connectionString: url })
  // A test may drop the database while the connection is open.
  client.on('error', () => {})
  await client.connect()
  const files = listNvdFiles(slice)
  const [keys, years] = [files.map(({ key }) => key), files.map(({ year }) => String(year))]
  return {
    content: async () => {
      const { rows } = await client.query<{ part: string; fingerprint: string }>(PARTS, [keys, years])
      return new Map(rows.map(({ part, fingerprint }) => [part, fingerprint]))
    },
    query: async <T extends object>(statement: string) => (await client.query<T>(statement)).rows,
    close: () => client.end(),
  }
}

export async function readContent(url: string, slice: Slice): Promise<Content> {
  const inspector = await openInspector(url, slice)
  const content = await inspector.content()
  await inspector.close()
  return content
}

export interface Reader {
  /** Stops the repeated reading and returns the number of reads and the violations. */
  stop(): Promise<ReaderReport>
}

export interface ReaderReport {
  readonly samples: number
  /** Descriptions of the parts of the data that a reader saw partially imported. */
  readonly violations: readonly string[]
}

const MIN_PAUSE_MS = 3
/**
 * A reader's pause as a multiple of the time it takes to read a sample. The pause leaves processor time to the tested
 * process, and in CI also to other tests: the readers of three feeds would otherwise use all of it.
 */
const PAUSE_PER_SAMPLE = chooseBySize({ short: 4, long: 0.5 })
const MAX_SHOWN_VIOLATIONS = 5

/** A reader may see each part of the data either as it was before the import or as it is after the import. */
export interface Expected {
  readonly slice: Slice
  readonly before: Content
  readonly after: Content
}

/** Reads the stored feed data repeatedly until `stop` is called. */
export async function startReader(url: string, expected: Expected): Promise<Reader> {
  const inspector = await openInspector(url, expected.slice)
  const violations: string[] = []
  const stopping = new AbortController()
  let samples = 0
  const readRepeatedly = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      violations.push(...findPartialImports(await inspector.content(), expected))
      samples += 1
      await sleep(Math.max(MIN_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_SAMPLE))
    }
    await inspector.close()
  }
  const reading = readRepeatedly()
  // `stop` awaits the promise and reports its error; the empty handler only prevents an unhandled rejection until then.
  reading.catch(() => {})
  return {
    stop: async () => {
      stopping.abort()
      await reading
      return { samples, violations: violations.slice(0, MAX_SHOWN_VIOLATIONS) }
    },
  }
}

/** Describes the parts of the data that are neither as before the import nor as after the import. */
export function findPartialImports(content: Content, { before, after }: Expected): string[] {
  return [...content].flatMap(([part, fingerprint]) =>
    fingerprint === before.get(part) || fingerprint === after.get(part)
      ? []
      : [`${part} is partially imported: ${fingerprint}; before ${before.get(part)}; after ${after.get(part)}`],
  )
}
