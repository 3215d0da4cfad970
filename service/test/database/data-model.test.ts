// Compares docs/data-model.md with the migrated database, the privileges of its roles and the tables named in the
// source.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url))
const page = readFileSync(new URL('../../../docs/data-model.md', import.meta.url), 'utf8')
const database = await createTestDatabase()
const owner = new Client({ connectionString: database.url })
beforeAll(() => owner.connect())
afterAll(() => owner.end())

interface DocumentedTable {
  readonly name: string
  readonly writtenBy: string
  readonly readBy: string
}

/** Table rows of docs/data-model.md whose first cell names a table or function of the service's schemas. */
const rows = page
  .split('\n')
  .filter((line) => /^\| `(source|catalog|accounts|jobs|notify)\./.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

const tables: readonly DocumentedTable[] = rows
  .filter((cells) => cells.length === 6)
  .flatMap(([, names = '', , writtenBy = '', readBy = '']) =>
    Array.from(names.matchAll(/`([\w.]+)`/g), ([, name = '']) => ({ name, writtenBy, readBy })),
  )

const functions = rows.flatMap(([, signature = '', , executedBy = '', ...rest]) => {
  const name = /`([\w.]+)\(/.exec(signature)?.[1]
  return name !== undefined && rest.length === 1 ? [{ name, executedBy }] : []
})

describe('Tables in docs/data-model.md', () => {
  it('are the tables in the database, each listed once, without partitions', async () => {
    const { rows: real } = await owner.query<{ name: string }>(`
      select nspname || '.' || relname as name
        from pg_class
        join pg_namespace on pg_namespace.oid = relnamespace
       where nspname in ('source', 'catalog', 'accounts', 'jobs', 'notify')
         and relkind in ('r', 'p')
         and not relispartition
    `)
    expect(tables.map(({ name }) => name).sort()).toEqual(real.map(({ name }) => name).sort())
  })

  it('have the privileges that docs/data-model.md documents', async () => {
    for (const { name, readBy } of tables) {
      const { rows: may } = await owner.query(
        `select has_table_privilege('vis_api', $1, 'select') as api_reads,
                has_table_privilege('vis_api', $1, 'insert, update, delete, truncate') as api_writes,
                has_table_privilege('vis_feeds', $1, 'select') as feeds_read,
                has_table_privilege('vis_feeds', $1, 'insert') as feeds_write,
                has_table_privilege('vis_jobs', $1, 'insert') as jobs_write,
                has_table_privilege('vis_notify', $1, 'select') as notify_reads,
                has_table_privilege('vis_notify', $1, 'insert, update, delete') as notify_writes`,
        [name],
      )
      const [schema] = name.split('.')
      const isMigration = name.endsWith('.migration')
      const isCatalog = schema === 'source' || schema === 'catalog'
      expect({ name, ...may[0] }).toEqual({
        name,
        api_reads: schema === 'catalog' || isMigration,
        api_writes: false,
        feeds_read: isCatalog,
        feeds_write: isCatalog && !isMigration,
        jobs_write: schema === 'jobs',
        notify_reads: schema === 'catalog' || isMigration || isEvaluated(name),
        notify_writes: isEvaluated(name),
      })
      if (WORDS_FOR.api.test(readBy)) expect(may[0], `${name} is read by ${readBy}`).toMatchObject({ api_reads: true })
    }
  })
})

/** Whether the evaluator of watches reads and writes the table. */
const isEvaluated = (name: string) =>
  name.startsWith('notify.') && name !== 'notify.feed' && name !== 'notify.read_mark'

/**
 * For each folder of service/src: a pattern that matches the words with which docs/data-model.md refers to the folder.
 */
const WORDS_FOR = { api: /`\/|every answer|every node/, feeds: /feed|machine|worker/, catalog: /the catalog/ } as const

describe.each(Object.entries(WORDS_FOR))('Tables named in service/src/%s', (folder, words) => {
  const text = globSync(`${SOURCE}/${folder}/**/*.ts`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const named = tables.filter(({ name }) => new RegExp(`\\b${name.replace('.', '\\.')}\\b(?!\\()`).test(text))

  it('are documented as written or read by that folder', () => {
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(({ writtenBy, readBy }) => !words.test(`${writtenBy} ${readBy}`))).toEqual([])
  })
})

describe('Functions in docs/data-model.md', () => {
  it.each(['vis_api', 'vis_identity', 'vis_jobs', 'vis_notify'])(
    'include every function that %s may execute',
    async (role) => {
      const { rows: real } = await owner.query<{ name: string; isOpen: boolean }>(
        `select nspname || '.' || proname as name, has_function_privilege($1, pg_proc.oid, 'execute') as "isOpen"
         from pg_proc
         join pg_namespace on pg_namespace.oid = pronamespace
        where nspname in ('accounts', 'jobs', 'notify')`,
        [role],
      )
      const open = real.filter(({ isOpen }) => isOpen).map(({ name }) => name)
      expect(
        functions
          .filter(({ executedBy }) => executedBy.includes(`\`${role}\``))
          .map(({ name }) => name)
          .sort(),
      ).toEqual(open.sort())
      expect(real.map(({ name }) => name)).toEqual(expect.arrayContaining(functions.map(({ name }) => name)))
    },
  )
})
