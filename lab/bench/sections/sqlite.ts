// Benchmark section sqlite, baseline S: the CVEs in an in-process SQLite database with FTS5, as a user might build one.
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { buildGetRequest, openConnection } from '../../../service/test/support/load/connection.ts'
import { median } from '../../../service/test/support/load/percentile.ts'
import { measureAlternately } from '../load/measure-alternately.ts'
import type { Section } from '../section.ts'

/** Searches in the syntax of the API and, for comparison, in FTS5 syntax: prefixes, or a phrase in quotation marks. */
const SEARCHES = [
  { q: 'vulnerability', match: 'vulnerability*' },
  { q: 'kernel', match: 'kernel*' },
  { q: 'log4j', match: 'log4j*' },
  { q: 'zyxel', match: 'zyxel*' },
  { q: 'sql injection', match: 'sql* injection*' },
  { q: '"remote code execution"', match: '"remote code execution"' },
  { q: 'overflow', match: 'overflow*' },
] as const
const ROUNDS = 7

export const sqlite: Section = async ({ setup, isQuick }) => {
  const copy = await copyCatalog(setup.url, `${setup.folder}/copy.sqlite`)
  const find = copy.prepare(
    `select cve.id, cve.published, cve.description, cve.score
       from words join cve on cve.rowid = words.rowid
      where words match ? order by cve.published desc limit 20`,
  )
  const count = copy.prepare('select count(*) from (select 1 from words where words match ? limit 10001)')
  const server = await setup.serve()
  const connection = await openConnection(server.port)
  const lines: string[] = []
  for (const { q, match } of SEARCHES) {
    const request = buildGetRequest(`/api/v1/cves?q=${encodeURIComponent(q)}`, setup.callers[0]?.key ?? '')
    const searchCopy = () => [find.all(match), count.get(match)]
    const { copy: copyMs, api } = await measureAlternately(
      { copy: searchCopy, api: () => connection.send(request) },
      isQuick ? 2 : ROUNDS,
    )
    lines.push(
      `A search for ${q} took ${median(copyMs).toFixed(1)} ms in SQLite (baseline S) and ${median(api).toFixed(1)} ms through the API`,
    )
  }
  connection.close()
  copy.close()
  await server.stop()
  return { measured: [], notes: lines }
}

async function copyCatalog(url: string, file: string): Promise<DatabaseSync> {
  const copy = new DatabaseSync(file)
  copy.exec(`
    pragma journal_mode = off; pragma synchronous = off;
    create table cve (id text, published text, description text, score real);
    create virtual table words using fts5 (text, content = '', tokenize = 'porter unicode61')`)
  const client = new Client({ connectionString: url })
  await client.connect()
  const insert = copy.prepare('insert into cve values (?, ?, ?, ?)')
  const index = copy.prepare('insert into words (rowid, text) values (?, ?)')
  await client.query('begin')
  await client.query(`declare all_cves cursor for
    select catalog.cve_id(cve.cve_key) as id, cve.published::text, document.description::json #>> '{}' as description, cve.score
      from catalog.cve join catalog.cve_document as document using (cve_key)`)
  copy.exec('begin')
  for (let more = true; more; ) {
    const { rows } = await client.query<{
      id: string
      published: string | null
      description: string
      score: number | null
    }>('fetch 5000 from all_cves')
    for (const { id, published, description, score } of rows) {
      const { lastInsertRowid } = insert.run(id, published, description, score)
      index.run(lastInsertRowid, `${id} ${description}`)
    }
    more = rows.length > 0
  }
  copy.exec('commit')
  await client.end()
  copy.exec('create index cve_published on cve (published)')
  return copy
}
