// Learns all product names before a catalog is published for the first time (ADR 0030). Without it, each batch would be
// published with the names of the batches before it, and a later batch could teach a better name for an earlier CVE.
import { sql, type Transaction } from 'kysely'
import type { CveId } from '../../../domain/cve-id.ts'
import type { SourceRecord } from '../../model/source-data.ts'
import type { PublishContext } from '../../publish-lock.ts'
import { isRejectedInLists } from '../../resolve/status.ts'
import { readCveListNaming } from '../../sources/cve-list.ts'
import { readNvdNaming } from '../../sources/nvd.ts'
import { createLearntInBatch, learnFromClaims, loadProductNames, storeLearntNames } from '../names/product-names.ts'
import { limitStored, type StoredRecord } from '../read/limit-stored.ts'

/** The sources that teach names. */
export const TEACHING_FEEDS = ['nvd', 'cve'] as const

/** About 10 MB of records. */
const IDS_PER_PAGE = 1000

/** One transaction: a process that dies has learnt nothing, and the next publisher begins again. */
export async function learnAllNames(
  { signal, onProgress }: Pick<PublishContext, 'signal' | 'onProgress'>,
  tx: Transaction<unknown>,
): Promise<void> {
  const learnt = createLearntInBatch(await loadProductNames(tx))
  const total = await countRecords(tx)
  let [after, done] = ['', 0]
  for (;;) {
    signal.throwIfAborted()
    const rows = await readPage(tx, after)
    const last = rows.at(-1)
    if (last === undefined) break
    for (const [cveId, records] of Map.groupBy(rows, (row) => row.cveId)) {
      const claims = records.flatMap((each) => readNaming(each) ?? [])
      if (!isRejectedInLists(claims)) learnFromClaims(learnt, cveId, claims)
      done += 1
    }
    after = last.cveId
    onProgress?.({ phase: 'names', done, total: Math.max(done, total) })
  }
  await storeLearntNames(tx, [], learnt)
}

type Row = StoredRecord & Pick<SourceRecord, 'source' | 'modified'> & { readonly cveId: CveId }

function readNaming(row: Row) {
  const stored = limitStored(row.source, row)
  if (stored === undefined) return undefined
  return row.source === 'nvd' ? readNvdNaming(stored) : readCveListNaming(stored)
}

/** Names are learnt only from CVEs to which NVD has assigned some. */
async function readPage(tx: Transaction<unknown>, after: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    select stored.cve_id as "cveId", stored.source, stored.modified, stored.record, stored.truncated
      from (
             select cve_id
               from source.source_record
              where source = 'nvd'
                and cve_id > ${after}
              order by cve_id
              limit ${IDS_PER_PAGE}
           ) page
     cross join lateral (
             select cve_id, source, modified, record, truncated
               from source.source_record
              where source in (${sql.join(TEACHING_FEEDS.map((each) => sql.lit(each)))})
                and cve_id = page.cve_id
             offset 0
           ) stored
     order by stored.cve_id
  `.execute(tx)
  return rows
}

async function countRecords(tx: Transaction<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
      from source.source_record
     where source = 'nvd'
  `.execute(tx)
  return rows[0]?.count ?? 0
}
