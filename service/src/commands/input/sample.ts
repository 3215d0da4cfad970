import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import { openSession } from '../../database/session.ts'
import { UsageError } from '../../domain/usage-error.ts'
import { readLoading } from '../../record/first-load.ts'

/** Folder of the sample files: next to src in a checkout and next to dist in an installed package. */
export const SAMPLE_FOLDER = fileURLToPath(new URL('../../../sample', import.meta.url))

/** Guards would refuse most of the sample, but not all of it. */
export async function assertLoading({ database }: Config): Promise<void> {
  const session = openSession(database.writeUrl, 'sample')
  try {
    if ((await readLoading(session.db)) === null)
      throw new UsageError('The catalog of this database is loaded. --sample is only for an empty database.')
  } finally {
    await session.close()
  }
}
