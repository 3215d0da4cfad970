import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog-setup.ts'
import { nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()

const ID = 'CVE-2026-1000'

const listIndexes = () =>
  catalog.selectRows(`select indexname, indexdef from pg_indexes where schemaname = 'catalog' order by 1`)
const MIGRATED = await listIndexes()

beforeEach(() => catalog.reset())

describe('Publisher: missing indexes of words', () => {
  it.each(['cve_words', 'cve_word_pairs', 'cve_known_words', 'cve_name_words'])(
    'creates the missing index %s with the definition of the migrations',
    async (index) => {
      await catalog.selectRows(`drop index catalog.${index}`)
      await catalog.storeRecord('nvd', ID, nvdRecord(ID))
      await catalog.publish()
      expect(await listIndexes()).toEqual(MIGRATED)
    },
  )
})
