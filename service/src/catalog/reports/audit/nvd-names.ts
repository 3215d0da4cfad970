// Collects the CPE names that NVD uses.
import { sql } from 'kysely'
import type { Database } from '../../../database/postgres.ts'

const RECORDS_PER_BATCH = 500
/**
 * `part:vendor:product` in the text of an NVD record. Inside a value, a colon is escaped with a backslash, which JSON
 * doubles; an escaped quotation mark has a third backslash.
 */
const NAME = /"criteria"\s*:\s*"cpe:2\.3:([aho]:(?:[^:"\\]|\\\\\\"|\\\\[^\\])+:(?:[^:"\\]|\\\\\\"|\\\\[^\\])+):/g

/**
 * Returns `part:vendor:product` of every CPE name in NVD's records. NVD has about 100,000 of them. The names are found
 * in the text of the records, because parsing 800 MB of JSON takes several times as long.
 */
export async function readNvdNames(db: Database, onRead: (records: number) => void): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  let after = ''
  let done = 0
  for (;;) {
    const { rows } = await sql<{ cve_id: string; record: string }>`
      select cve_id, record
        from source.source_record
       where source = 'nvd'
         and cve_id > ${after}
       order by cve_id
       limit ${RECORDS_PER_BATCH}
    `.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return names
    for (const { record } of rows) for (const name of findNames(record)) names.add(name)
    after = last.cve_id
    done += rows.length
    onRead(done)
  }
}

export function findNames(record: string): readonly string[] {
  // In JSON text, backslashes and quotation marks are preceded by a backslash.
  return Array.from(record.matchAll(NAME), ([, name = '']) => name.replaceAll(/\\(["\\])/g, '$1'))
}
