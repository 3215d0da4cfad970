// Kills `vis-server sync` in the middle of the download of a provider's documents, many times, and compares the result
// with that of an undisturbed run.
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { type FeedsProcess, startFeeds } from '../../../service/test/faults/feeds/process.ts'
import {
  FEED,
  type ProviderServer,
  playProvider,
  published,
  toPath,
} from '../../../service/test/feeds/sources/csaf/provider/played-provider.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { behaviours } from '../../../service/test/support/network/upstream.ts'

const DOCUMENTS = 450
const KILLS = 6
const TEST_TIMEOUT_MS = 30 * 60_000
const NOW = '2026-08-22T23:00:00Z'

/** Everything that the feed stored, without times of the import. */
const CONTENT = `
  select 'documents' as part, count(*)::integer as rows,
         sum(hashtextextended(concat_ws('|', id, modified, revision, head, products, content_hash), 0))::text as content
    from source.csaf_document
  union all
  select 'statements', count(*), sum(hashtextextended(concat_ws('|', document_id, cve_id, record), 0))::text
    from source.csaf_statement
  union all
  select 'queue', count(distinct cve_id), '' from source.publication_queue
  union all
  select 'cursor', 0, cursor::text from source.feed
   order by part
`

const documents = Array.from({ length: DOCUMENTS }, (_, index) =>
  published(`ACME-2024-${1000 + index}`, new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString(), {
    title: `Overflow ${index}`,
    vulnerabilities: [{ cve: `CVE-2024-${1000 + index}`, product_status: { known_affected: ['P1'] } }],
  }),
)

function sync(url: string, { address, upstream }: ProviderServer): FeedsProcess {
  return startFeeds(['sync', FEED, '--no-publish', '--now', NOW, '--json'], {
    DATABASE_URL: url,
    FEEDS_PRIVATE_HOSTS: upstream.host,
    FEED_CSAF_ABB_URL: address('provider-metadata.json'),
  })
}

async function query<Row extends object>(url: string, statement: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<Row>(statement)
  await client.end()
  return rows
}

/** Kills the process when it requests the document, and returns the number of documents that were stored until then. */
async function killAt(index: number, url: string, provider: ProviderServer): Promise<number> {
  const { id = '', content = '' } = documents[index] ?? {}
  const running = sync(url, provider)
  provider.serve(toPath(id), (request, response) => {
    running.signal('SIGKILL')
    return behaviours.breaksOff(content)(request, response)
  })
  const { code, stdout, stderr } = await running.ended
  provider.serve(toPath(id), content)
  if (code !== null) throw new Error(`The process ended before it was killed:\n${stdout}\n${stderr}`)
  // As if a minute had passed, after which the lease of a dead process ends.
  await query(url, "update source.feed set lease_until = '-infinity'")
  return (await query(url, 'select from source.csaf_document')).length
}

it(
  'a download of a CSAF provider that is killed many times continues and ends with the content of an undisturbed one',
  async () => {
    const provider = await playProvider()
    provider.publish(...documents)
    const [undisturbed, disturbed] = [await createTestDatabase(), await createTestDatabase()]
    const complete = await sync(undisturbed.url, provider).ended
    expect(complete.code, complete.stderr).toBe(0)
    const requestsOfOneRun = provider.takeRequests().length

    const stored: number[] = []
    for (let kill = 0; kill < KILLS; kill += 1) stored.push(await killAt(60 + kill * 70, disturbed.url, provider))
    const last = await sync(disturbed.url, provider).ended
    expect(last.code, last.stderr).toBe(0)

    expect(stored).toEqual(stored.toSorted((one, other) => one - other))
    expect(stored.at(-1)).toBeGreaterThan(0)
    expect(await query(disturbed.url, CONTENT)).toEqual(await query(undisturbed.url, CONTENT))
    // Each kill repeats at most one delivery of 100 documents.
    expect(provider.takeRequests().length).toBeLessThan(requestsOfOneRun + KILLS * 100 * 3 + KILLS * 10)
    expect(await query(disturbed.url, "select from source.feed_run where outcome = 'abandoned'")).toHaveLength(KILLS)
  },
  TEST_TIMEOUT_MS,
)
