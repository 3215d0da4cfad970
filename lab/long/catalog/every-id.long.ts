// Checks on the whole published catalog that every CVE that a source describes has a record (decision E32).
import { expect, it } from 'vitest'
import { openSession } from '../../../service/src/database/session.ts'
import { findUnserved } from '../../accuracy/find-unserved.ts'
import { findPublishedCatalog } from '../matching/published-catalog.ts'

const url = findPublishedCatalog('the search for described CVEs without a record')

it.skipIf(url === undefined)(
  'every CVE that a source describes has a record',
  async () => {
    const session = openSession(url ?? '', 'every-id')
    try {
      expect(await findUnserved(session)).toEqual([])
    } finally {
      await session.close()
    }
  },
  1_800_000,
)
