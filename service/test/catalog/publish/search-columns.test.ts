import { beforeEach, describe, expect, it } from 'vitest'
import { listProductNames } from '../../../src/catalog/publish/indexes/search-columns.ts'
import { queueRenamed } from '../../../src/catalog/publish/names/queue-renamed.ts'
import { publish } from '../../../src/catalog/publish/publish.ts'
import { verify } from '../../../src/catalog/publish/verify.ts'
import { withPublishLock } from '../../../src/catalog/publish-lock.ts'
import { parseCanonicalCveId } from '../../../src/domain/cve-id.ts'
import { createCatalogHarness } from '../catalog-setup.ts'
import { configuration, cpe, nvdRecord } from '../source-fixtures.ts'

const catalog = await createCatalogHarness()
beforeEach(() => catalog.reset())

const ID = 'CVE-2026-1000'
const LOG4SHELL = 'CVE-2021-44228'

const KEV_ENTRY = { cveId: ID, vulnerabilityName: 'Examplesoft Router Overflow' }

/** Publishes and returns the words with a given weight, ordered by position. */
async function publishWords(weight: string): Promise<string> {
  await catalog.publish()
  return readWords(weight)
}

async function readWords(weight: string): Promise<string> {
  const [row] = await catalog.selectRows<{ words: string | null }>(`
    select string_agg(lexeme, ' ' order by position) as words
      from catalog.cve, unnest(ts_filter(words, '{${weight}}')) as each (lexeme, positions, weights),
           unnest(positions) as position
     where lexeme not like '~%'
  `)
  return row?.words ?? ''
}

async function finds(query: string): Promise<boolean> {
  const rows = await catalog.selectRows(`select from catalog.cve where words @@ '${query}'`)
  return rows.length === 1
}

async function storeProducts(...products: readonly string[]): Promise<void> {
  const matches = products.map((product) => ({ criteria: cpe(product) }))
  await catalog.storeRecord('nvd', ID, nvdRecord(ID, { configurations: [configuration(matches)] }))
}

describe('Publisher: indexed words of a CVE', () => {
  it('come from the new description after it changed', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    const text = 'Example Router accepts unsigned firmware.'
    await catalog.storeRecord('nvd', ID, { ...nvdRecord(ID), descriptions: [{ lang: 'en', value: text }] })
    expect(await publishWords('d')).toBe('example router accepts unsigned firmware')
    expect(await readWords('c')).toBe('cve 2026 1000')
  })

  it('are reused from the published words if the description is unchanged', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.publish()
    await catalog.selectRows(`update catalog.cve set words = 'cve:1C marker:5 old:9B'`)
    await catalog.storeRecord('nvd', ID, { ...nvdRecord(ID), vulnStatus: 'Deferred' })
    expect(await publishWords('d')).toBe('marker')
    expect(await readWords('b')).toBe('examplesoft router')
  })
})

describe('Publisher: names among the indexed words of a CVE', () => {
  it('include vendors and products with the weight B', async () => {
    await storeProducts('core_router', 'switch')
    expect(await publishWords('b')).toBe('examplesoft core router examplesoft switch')
    await storeProducts('switch')
    expect(await publishWords('b')).toBe('examplesoft switch')
  })

  it('include well-known names and the name of the KEV entry with the weight A', async () => {
    await catalog.storeRecord('nvd', LOG4SHELL, nvdRecord(LOG4SHELL))
    await catalog.storeKev([{ ...KEV_ENTRY, cveId: LOG4SHELL }])
    expect(await publishWords('a')).toBe('log4shell examplesoft router overflow')
  })

  it('change with the name of the KEV entry and are removed with the entry', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeKev([KEV_ENTRY])
    expect(await publishWords('a')).toBe('examplesoft router overflow')
    await catalog.storeKev([{ ...KEV_ENTRY, vulnerabilityName: 'Examplesoft Router Underflow' }])
    expect(await publishWords('a')).toBe('examplesoft router underflow')
    await catalog.storeKev([])
    expect(await publishWords('a')).toBe('')
  })

  it('are not adjacent to other names, to the id or to the description', async () => {
    await storeProducts('alpha', 'beta')
    await catalog.storeKev([KEV_ENTRY])
    await catalog.publish()
    expect(await finds('examplesoft <-> alpha')).toBe(true)
    expect(await finds('examplesoft <-> router <-> overflow')).toBe(true)
    for (const phrase of [
      'alpha <-> examplesoft',
      'overflow <-> examplesoft',
      'packet <-> examplesoft',
      '1000 <-> example',
    ])
      expect(await finds(phrase), phrase).toBe(false)
  })

  it('come from at most 64 products, starting with one product of each vendor', () => {
    const products = Array.from({ length: 100 }, (_, index) => ({ vendor: 'a', product: `p${index}` }))
    const names = listProductNames([...products, { vendor: 'b', product: 'q' }, { vendor: 'c', product: 'r' }])
    expect(names).toHaveLength(64)
    expect(names.slice(0, 4)).toEqual(['a p0', 'b q', 'c r', 'a p1'])
  })

  it('include other spellings of vendors', () => {
    expect(
      listProductNames([
        { vendor: 'redhat', product: 'a' },
        { vendor: 'redhat', product: 'b' },
      ]),
    ).toEqual(['redhat a', 'redhat b', 'red hat'])
  })

  it('are checked and repaired by a verification', async () => {
    await catalog.storeRecord('nvd', ID, nvdRecord(ID))
    await catalog.storeKev([KEV_ENTRY])
    await catalog.publish()
    expect(await verify(catalog.context, { repair: false })).toMatchObject({ differing: 0 })
    await catalog.selectRows(`update catalog.cve set words = ts_filter(words, '{b,c,d}')`)
    expect((await verify(catalog.context, { repair: true })).examples).toEqual([{ cveId: ID, columns: ['words'] }])
    expect(await readWords('a')).toBe('examplesoft router overflow')
  })
})

describe('Publisher: changed list of well-known names', () => {
  const readQueue = () => catalog.selectRows('select cve_id from source.publication_queue order by cve_id')
  const useList = (names: Readonly<Record<string, string>>) => {
    const list = Object.entries(names).map(([name, id]) => ({ name, cveIds: [parseCanonicalCveId(id) ?? never(id)] }))
    return withPublishLock(catalog.context, (tx) => queueRenamed(tx, list))
  }
  const never = (id: string): never => {
    throw new Error(`${id} is not a CVE id`)
  }

  beforeEach(async () => {
    for (const id of ['CVE-2026-1001', 'CVE-2026-1002', 'CVE-2026-1003'])
      await catalog.storeRecord('nvd', id, nvdRecord(id))
    await catalog.publish()
  })

  it('queues the published CVEs whose names were added, renamed or removed', async () => {
    await useList({ Alpha: 'CVE-2026-1001', Beta: 'CVE-2026-1002', Absent: 'CVE-2026-9999' })
    expect(await readQueue()).toEqual([{ cve_id: 'CVE-2026-1001' }, { cve_id: 'CVE-2026-1002' }])
    await catalog.selectRows('truncate source.publication_queue')
    await useList({ Alpha: 'CVE-2026-1001', Gamma: 'CVE-2026-1003', Absent: 'CVE-2026-9999' })
    expect(await readQueue()).toEqual([{ cve_id: 'CVE-2026-1002' }, { cve_id: 'CVE-2026-1003' }])
  })

  it('queues nothing if the list is unchanged', async () => {
    await useList({ Alpha: 'CVE-2026-1001' })
    await catalog.selectRows('truncate source.publication_queue')
    await useList({ Alpha: 'CVE-2026-1001' })
    expect(await readQueue()).toEqual([])
  })

  it('is noticed by the next publication, which publishes the CVE with its current names', async () => {
    await catalog.storeRecord('nvd', LOG4SHELL, nvdRecord(LOG4SHELL))
    await catalog.publish()
    await catalog.selectRows(`delete from catalog.known_name`)
    await catalog.selectRows(`update catalog.cve set words = ts_filter(words, '{b,c,d}'), content_hash = ''`)
    await publish(catalog.context)
    expect(await readWords('a')).toBe('log4shell')
  })
})
