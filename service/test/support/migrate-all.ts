import { MIGRATION_SETS, MIGRATIONS_FOLDER, migrate } from '../../src/database/migrate.ts'
import { storeDataSets } from '../../src/feeds/engine/data-sets.ts'
import { endFirstLoad } from './catalog/first-load.ts'

/** Does what `vis-server migrate` does for a database that holds both the catalog and the accounts, and ends its first load. */
export async function migrateAll(url: string): Promise<void> {
  for (const set of MIGRATION_SETS) await migrate(url, set, MIGRATIONS_FOLDER)
  await storeDataSets(url)
  await endFirstLoad(url)
}
