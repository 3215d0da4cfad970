import { sql, type Transaction } from 'kysely'
import { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyPendingLists, limitPendingLists } from '../../../src/catalog/publish/indexes/search-indexes.ts'
import { publishIds } from '../../../src/catalog/publish/steps/publish-ids.ts'
import { withPublishLock } from '../../../src/catalog/publish-lock.ts'
import { parseCanonicalCveId } from '../../../src/domain/cve-id.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const ID = 'CVE-2026-1000'
const GIN_INDEXES = [
  'cve_cwes',
  'cve_known_words',
  'cve_name_words',
  'cve_sources',
  'cve_techniques',
  'cve_word_pairs',
  'cve_words',
]

/** Empties the pending lists and returns the number of pages that were in each list. */
async function countPendingPages(): Promise<Readonly<Record<string, number>>> {
  const rows = await catalog.selectRows<{ name: string; pages: string }>(`
    select indexrelid::regclass::text as name, gin_clean_pending_list(indexrelid) as pages
      from pg_index
      join pg_class on pg_class.oid = indexrelid
      join pg_am on pg_am.oid = relam
     where indrelid = 'catalog.cve'::regclass and amname = 'gin'
  `)
  return Object.fromEntries(rows.map(({ name, pages }) => [name.replace('catalog.', ''), Number(pages)]))
}

const NO_PAGES = Object.fromEntries(GIN_INDEXES.map((name) => [name, 0]))

/** Changes the published CVE, which adds entries to the pending lists. */
const CHANGE = `update catalog.cve set modified = modified + interval '1 day'`

async function findText(tx: Transaction<unknown>, text: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select catalog.cve_id(cve_key) as id
      from catalog.cve
     where words @@ catalog.pieces_query(array['+w' || ${text}::text])
  `.execute(tx)
  return rows.map(({ id }) => id)
}

describe('Publisher: pending lists of the search indexes', () => {
  it('contain the entries for rows that a session wrote without the publisher', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    await catalog.selectRows(CHANGE)
    expect(await countPendingPages()).toEqual(Object.fromEntries(GIN_INDEXES.map((name) => [name, 1])))
  })

  it('are emptied by the next publication after a publisher died, even if no CVE is queued', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const killed = new Client({ connectionString: catalog.url })
    killed.on('error', () => {})
    await killed.connect()
    await killed.query('begin')
    await killed.query(CHANGE)
    await catalog.selectRows(
      `select pg_terminate_backend(pid) from pg_stat_activity where query = '${CHANGE.replaceAll("'", "''")}'`,
    )
    await catalog.publish()
    expect(await countPendingPages()).toEqual(NO_PAGES)
  })

  it('are empty after publications that ran during a vacuum of the table', async () => {
    const stop = new AbortController()
    const vacuuming = (async () => {
      while (!stop.signal.aborted) await catalog.selectRows('vacuum catalog.cve')
    })()
    for (let number = 1000; number < 1010; number += 1) {
      const id = `CVE-2026-${number}`
      await catalog.storeRecord('nvd', id, nvdRecord(id))
      expect(await catalog.publish()).toMatchObject({ added: 1 })
    }
    stop.abort()
    await vacuuming
    expect(await countPendingPages()).toEqual(NO_PAGES)
    const found = await withPublishLock(catalog.context, (tx) => findText(tx, 'malformed'))
    expect(found).toHaveLength(10)
  })

  it('are read by searches, so that a search finds the same CVEs before and after the lists are emptied', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const found = await withPublishLock(catalog.context, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql
        .raw(`update catalog.cve set words = catalog.text_words('CVE-2026-1000', 'quicksilver router')`)
        .execute(tx)
      const before = await findText(tx, 'quicksilver')
      await emptyPendingLists(tx)
      return { before, after: await findText(tx, 'quicksilver'), old: await findText(tx, 'malformed') }
    })
    expect(found).toEqual({ before: [ID], after: [ID], old: [] })
  })

  // A page is 8 kB.
  it.each([
    ['16MB', 40, 2048],
    ['256kB', 0, 32],
  ] as const)('with the limit %s have %i to %i pages after 1,200 changes', async (limit, minPages, maxPages) => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const pages = await withPublishLock(catalog.context, async (tx) => {
      await limitPendingLists(tx, limit)
      await sql.raw(`do $$ begin for n in 1..1200 loop ${CHANGE}; end loop; end $$`).execute(tx)
      const { rows } = await sql<{ pages: string }>`
        select gin_clean_pending_list('catalog.cve_words') as pages
      `.execute(tx)
      return Number(rows[0]?.pages)
    })
    expect(pages).toBeGreaterThanOrEqual(minPages)
    expect(pages).toBeLessThanOrEqual(maxPages)
  })

  it('are limited to 256 kB in a publication, and to 16 MB in a first load', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    const limits: unknown[] = []
    for (const isFirst of [true, false]) {
      await withPublishLock(catalog.context, async (tx) => {
        await publishIds(
          { ...catalog.context, isFirstLoad: isFirst },
          tx,
          [parseCanonicalCveId(ID)].filter((id) => id !== undefined),
        )
        const { rows } = await sql`show gin_pending_list_limit`.execute(tx)
        limits.push(rows[0])
      })
    }
    expect(limits).toEqual([{ gin_pending_list_limit: '16MB' }, { gin_pending_list_limit: '256kB' }])
  })
})
