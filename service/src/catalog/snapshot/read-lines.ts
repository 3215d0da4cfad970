// Reads every record of the catalog as a line of JSON, in the order of CVE ids.
import { sql } from 'kysely'
import type { CveRow } from '../../contract/record/cve-fields.ts'
import type { Database } from '../../database/postgres.ts'
import { assembleWhole } from '../../record/assemble.ts'
import { RECORD_JOINS, recordColumns } from '../../record/columns.ts'
import { WITH_ALL_ADD_ONS } from '../../record/selection.ts'

/** A record is 7 KB on average, and few are larger than 250 KB. */
const ROWS_PER_PAGE = 200

/** Each compressed text costs a task in the thread pool, so lines are joined up to this length. */
const TEXT_LENGTH = 64 * 1024

interface Lines {
  readonly text: string
  readonly records: number
}

/** The transaction must see a single state of the database. */
export async function* readLines(tx: Database): AsyncGenerator<Lines> {
  let [text, records] = ['', 0]
  for await (const row of readRecords(tx)) {
    text += `${assembleWhole(row).join('')}\n`
    records += 1
    if (text.length < TEXT_LENGTH) continue
    yield { text, records }
    ;[text, records] = ['', 0]
  }
  if (records > 0) yield { text, records }
}

/**
 * The inner query limits the keys first. Otherwise PostgreSQL would use a merge join, which reads everything before the
 * page again for each page.
 */
async function* readRecords(tx: Database): AsyncGenerator<CveRow> {
  let after = '0'
  for (;;) {
    const { rows } = await sql<CveRow>`
      select ${recordColumns(WITH_ALL_ADD_ONS)}
        from (select cve_key from catalog.cve where cve_key > ${after} order by cve_key limit ${ROWS_PER_PAGE}) as cve
             ${RECORD_JOINS}
       order by cve.cve_key
    `.execute(tx)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.cve_key
  }
}
