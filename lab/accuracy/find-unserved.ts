// Finds CVEs that a source describes although the catalog has no record of them (decision E32).
import { sql } from 'kysely'
import { DESCRIBED_IDS } from '../../service/src/catalog/publish/described-ids.ts'
import { readSourceData } from '../../service/src/catalog/publish/read/read-source-data.ts'
import { resolve } from '../../service/src/catalog/resolve/resolve.ts'
import type { Session } from '../../service/src/database/session.ts'
import type { CveId } from '../../service/src/domain/cve-id.ts'

/** CVEs without a record, counted once for each source that describes them. */
export interface UnservedCount {
  readonly source: string
  readonly year: string
  readonly count: number
  readonly example: CveId
}

const IDS_PER_BATCH = 2000

/** Leaves out ids about which no source says anything, such as that of a withdrawn advisory. */
export async function findUnserved({ db }: Session): Promise<readonly UnservedCount[]> {
  const { rows } = await sql<{ source: string; cveId: CveId }>`
    select distinct source, cve_id as "cveId"
      from (${DESCRIBED_IDS}) described
     where not exists (select from catalog.cve where cve.cve_key = catalog.cve_key(described.cve_id))
     order by source, cve_id
  `.execute(db)
  const ids = [...new Set(rows.map(({ cveId }) => cveId))]
  const described = new Set<CveId>()
  for (let done = 0; done < ids.length; done += IDS_PER_BATCH)
    for (const each of await readSourceData(db, ids.slice(done, done + IDS_PER_BATCH)))
      if (resolve(each)) described.add(each.cveId)
  const counts = new Map<string, UnservedCount>()
  for (const { source, cveId } of rows.filter((row) => described.has(row.cveId))) {
    const year = cveId.slice(4, 8)
    const known = counts.get(`${source} ${year}`) ?? { source, year, count: 0, example: cveId }
    counts.set(`${source} ${year}`, { ...known, count: known.count + 1 })
  }
  return [...counts.values()]
}
