// Compares publications of 10,000 changed CVEs whose search indexes are written in bulk (through pending lists) and row
// by row, in turns.
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { openWholeCatalog } from '../../support/catalog/whole-catalog.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { runMeasuredCommand } from '../../support/processes/measured-command.ts'
import { realData } from '../../support/real-data.ts'
import { median } from '../load/percentile.ts'

const folder = realData('the benchmark of 10,000 changed CVEs')
const NOW = ['--now', '2026-08-22T23:59:59Z']
const CHANGED = 10_000
const PAIRS = 5

const GIN_INDEXES = `
  select class.relname as name
    from pg_index
    join pg_class class on class.oid = pg_index.indexrelid
    join pg_am method on method.oid = class.relam
   where pg_index.indrelid = 'catalog.cve'::regclass and method.amname = 'gin'
`

/** Changes other records of NVD in each turn, and the text of every fifth of them. */
const changeRecords = (turn: number) => `
  with chosen as (
    select cve_id
      from source.source_record
     where source = 'nvd'
     order by hashtextextended(cve_id, 0)
     limit ${CHANGED} offset ${CHANGED * turn}
  ), changed as (
    update source.source_record stored
       set modified = '2026-08-22T10:00:00Z',
           content_hash = sha256(content_hash),
           record = case when hashtextextended(stored.cve_id, 1) % 5 = 0
                         then regexp_replace(record, '"value":"', '"value":"Changed. ')
                         else record
                    end
      from chosen
     where chosen.cve_id = stored.cve_id and stored.source = 'nvd'
    returning stored.cve_id
  )
  insert into source.publication_queue (cve_id, feed) select cve_id, 'nvd' from changed
`

describe.skipIf(folder === undefined)('publication of 10,000 changed CVEs', () => {
  it('is faster with pending lists than without, and needs at most 512 MB of memory', async () => {
    const url = await openWholeCatalog(folder ?? '')
    const client = new Client({ connectionString: url })
    await client.connect()
    cleanUpAfterTests(() => client.end())
    const { rows: indexes } = await client.query<{ name: string }>(GIN_INDEXES)
    expect(indexes.length).toBeGreaterThan(5)
    const publish = async (turn: number, fastupdate: 'on' | 'off') => {
      for (const { name } of indexes) await client.query(`alter index catalog.${name} set (fastupdate = ${fastupdate})`)
      await client.query(changeRecords(turn))
      await client.query('checkpoint')
      const run = await runMeasuredCommand(['catalog', 'publish', '--json', ...NOW], {
        DATABASE_URL: url,
        NODE_ENV: 'test',
      })
      expect(JSON.parse(run.stdout)).toMatchObject({ changed: CHANGED })
      process.stdout.write(
        `pending lists ${fastupdate}: ${run.seconds.toFixed(1)} s, peak ${run.peakMegabytes.toFixed(0)} MB\n`,
      )
      expect(run.peakMegabytes).toBeLessThanOrEqual(512)
      return run.seconds
    }
    const ratios: number[] = []
    for (let pair = 0; pair < PAIRS; pair += 1)
      ratios.push((await publish(2 * pair, 'off')) / (await publish(2 * pair + 1, 'on')))
    process.stdout.write(`times as fast: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}\n`)
    expect(median(ratios)).toBeGreaterThanOrEqual(1.3)
  }, 1_800_000)
})
