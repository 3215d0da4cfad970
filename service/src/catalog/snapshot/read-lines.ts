// Reads every record of the catalog as lines of JSON, in the order of the CVE ids.
import { sql } from 'kysely'
import type { CveRow } from '../../contract/record/cve-fields.ts'
import type { Database } from '../../database/postgres.ts'
import { assembleWhole } from '../../record/assemble.ts'
import { RECORD_JOINS, recordColumns } from '../../record/columns.ts'
import { WITH_ALL_ADD_ONS } from '../../record/selection.ts'

/** Records that are read at a time. A record has 7 KB on average, and few have more than 250 KB. */
const ROWS_PER_PAGE = 200

/** Lines are joined up to this length, because each text that is compressed costs a task of the thread pool. */
const TEXT_LENGTH = 64 * 1024

interface Lines {
  readonly text: string
  readonly records: number
}

/** Yields whole lines. The transaction must see one state of the database, or records of several states are mixed. */
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
 * Reads the records page by page. The inner query limits the keys first: with the limit outside, PostgreSQL joins by
 * merging, and reads every document and score before the page again for each page.
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
