// What the feeds have stored, as fingerprints of its parts: each file of NVD, the KEV catalogue, the EPSS scores. A part
// holds everything that belongs together: rows, queued ids, cursor and count. All are read in one statement.
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { filesOf, type Slice } from './slice.ts'

/** By part. Equal fingerprints mean equal content. */
export type Content = ReadonlyMap<string, string>

/** The data set says how many rows there are. */
export const COUNTED = 'counted'

// One statement has one snapshot, so whatever it finds was visible at one moment. Times of storing are left out: they
// differ from run to run.
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

/** One connection for everything that a test wants to know or to set right. */
export interface Inspector {
  content(): Promise<Content>
  look<T extends object>(statement: string): Promise<T[]>
  close(): Promise<void>
}

export async function openInspector(url: string, slice: Slice): Promise<Inspector> {
  const client = new Client({ connectionString: url })
  // The database may be dropped before the test is over.
  client.on('error', () => {})
  await client.connect()
  const files = filesOf(slice)
  const [keys, years] = [files.map(({ key }) => key), files.map(({ year }) => String(year))]
  return {
    content: async () => {
      const { rows } = await client.query<{ part: string; fingerprint: string }>(PARTS, [keys, years])
      return new Map(rows.map(({ part, fingerprint }) => [part, fingerprint]))
    },
    look: async <T extends object>(statement: string) => (await client.query<T>(statement)).rows,
    close: () => client.end(),
  }
}

export async function contentOf(url: string, slice: Slice): Promise<Content> {
  const inspector = await openInspector(url, slice)
  const content = await inspector.content()
  await inspector.close()
  return content
}

export interface Reader {
  /** How often it looked, and what it saw that it should not have seen. */
  stop(): Promise<Seen>
}

export interface Seen {
  readonly samples: number
  readonly faults: readonly string[]
}

const MIN_PAUSE_MS = 3
const SHOWN_FAULTS = 5

/** What a reader may see: each part as it was before, or as it will be in the end. */
export interface Expected {
  readonly slice: Slice
  readonly before: Content
  readonly after: Content
}

/** Looks again and again, as a caller would. */
export async function startReader(url: string, expected: Expected): Promise<Reader> {
  const inspector = await openInspector(url, expected.slice)
  const faults: string[] = []
  const stop = new AbortController()
  let samples = 0
  const look = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const startedAt = performance.now()
      faults.push(...strangersIn(await inspector.content(), expected))
      samples += 1
      // Whoever is looked at needs the machine too.
      await sleep(Math.max(MIN_PAUSE_MS, (performance.now() - startedAt) / 2))
    }
    await inspector.close()
  }
  const looking = look()
  // Whoever stops it learns why it failed; until then nobody is there to be told.
  looking.catch(() => {})
  return {
    stop: async () => {
      stop.abort()
      await looking
      return { samples, faults: faults.slice(0, SHOWN_FAULTS) }
    },
  }
}

/** Parts that are neither as before nor as after. */
export function strangersIn(seen: Content, { before, after }: Expected): string[] {
  return [...seen].flatMap(([part, fingerprint]) =>
    fingerprint === before.get(part) || fingerprint === after.get(part)
      ? []
      : [`${part} is half applied: ${fingerprint}; before ${before.get(part)}; after ${after.get(part)}`],
  )
}
