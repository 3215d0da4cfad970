// Restores a database to a saved state in one transaction, which is much faster than a new database for each of
// hundreds of runs.
import type { Inspector } from './content.ts'

/** Database tables in the order in which foreign keys allow inserting rows. */
const TABLES = [
  'catalog.dataset',
  'source.feed',
  'source.source_record',
  'source.kev_entry',
  'source.epss_score',
  'source.epss_release',
  'source.publication_queue',
]

const RESTORES_PER_VACUUM = 10

const toSavedTable = (table: string) => `saved.${table.replace('.', '_')}`

/**
 * Saves the current state of the database and returns a function that restores it. Records of feed runs are deleted
 * instead of restored.
 */
export async function saveState({ query }: Inspector): Promise<() => Promise<void>> {
  await query('create schema saved')
  for (const table of TABLES) await query(`create table ${toSavedTable(table)} as table ${table}`)
  const restoreStatements = [
    'delete from source.feed_run',
    ...TABLES.toReversed().map(deleteChanged),
    ...TABLES.map(insertSaved),
  ]
  let times = 0
  return async () => {
    await query(['begin', ...restoreStatements, 'commit'].join(';\n'))
    times += 1
    // Runs VACUUM, because the dead table rows that hundreds of feed runs leave would slow down the later runs.
    if (times % RESTORES_PER_VACUUM === 0) await query(`vacuum ${TABLES.join(', ')}`)
  }
}

/** Deletes table rows that differ from the saved rows. Unchanged rows stay in place. */
const deleteChanged = (table: string) => `
  delete from ${table}
   where ctid in (
           select held.ctid
             from ${table} held
             left join ${toSavedTable(table)} saved
               on saved = held
            where saved is null
         )
`

const insertSaved = (table: string) => `
  insert into ${table} overriding system value
  select saved.*
    from ${toSavedTable(table)} saved
    left join ${table} held
      on held = saved
   where held is null
`
