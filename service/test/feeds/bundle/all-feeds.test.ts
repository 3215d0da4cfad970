// Every feed: what it stores from a bundle is what it stores from upstream itself.
import { describe, expect, it } from 'vitest'
import { createFolder } from '../../commands/bundle-setup.ts'
import { createTestDatabase } from '../../support/database.ts'
import { runCommand } from '../../support/run-command.ts'
import { readRows } from '../../support/run-statements.ts'
import { NOW, playAllUpstreams } from './all-upstreams.ts'

/** The played publisher cannot sign with the key that is pinned for this feed. */
const SIGNED_FEED = 'csaf-cisa'

const { environment } = await playAllUpstreams()
const bundle = await createFolder()
const downloaded = await runCommand(['feeds', 'download', '--to', bundle, '--now', NOW, '--json'], environment)
const [online, isolated] = [await load([]), await load(['--from', bundle])]
const tables = await readTables(online.url)

interface Load {
  readonly url: string
  readonly reports: readonly { readonly feed: string; readonly outcome: string; readonly fault: string | null }[]
}

async function load(args: readonly string[]): Promise<Load> {
  const { url } = await createTestDatabase()
  const settings = args.length === 0 ? environment : { NODE_ENV: 'test' }
  const { stdout } = await runCommand(['sync', '--no-publish', '--now', NOW, '--json', ...args], {
    ...settings,
    DATABASE_URL: url,
  })
  return { url, reports: JSON.parse(stdout) }
}

async function readTables(url: string): Promise<readonly string[]> {
  const rows = await readRows(
    url,
    `select tablename as name from pg_tables
      where schemaname = 'source' and tablename not in ('feed', 'feed_run', 'feed_rejection', 'publication_queue')
      order by 1`,
  )
  return rows.map(({ name }) => String(name))
}

/** Without the time of the import. */
const readContent = (url: string, table: string) =>
  readRows(url, `select to_jsonb(t) - 'first_stored_at' as row from source.${table} t order by 1`)

const readDatasets = (url: string) =>
  readRows(url, 'select name, table_count::int, unheld_count::int, index_count::int from catalog.dataset order by name')

describe('a bundle of all feeds', () => {
  it('is downloaded without an error', () => {
    const reports: readonly { feed: string; outcome: string; error: string | null }[] = JSON.parse(downloaded.stdout)

    expect(reports.filter(({ outcome }) => outcome !== 'collected').map(({ feed }) => feed)).toEqual([SIGNED_FEED])
    expect(reports.length).toBeGreaterThan(40)
  })

  it('is imported without an error by every feed that is imported from upstream', () => {
    const succeeded = ({ reports }: Load) =>
      reports.filter(({ outcome }) => outcome === 'succeeded').map(({ feed }) => feed)

    expect(online.reports.filter(({ fault }) => fault !== null).map(({ feed }) => feed)).toEqual([SIGNED_FEED])
    expect(succeeded(isolated)).toEqual(succeeded(online).filter((feed) => feed !== 'kev-history'))
  })

  it.for(tables)('stores the same rows in source.%s', async (table) => {
    expect(await readContent(isolated.url, table)).toEqual(await readContent(online.url, table))
  })

  it('counts as complete what is complete when it is downloaded', async () => {
    expect(await readDatasets(isolated.url)).toEqual(await readDatasets(online.url))
  })
})
