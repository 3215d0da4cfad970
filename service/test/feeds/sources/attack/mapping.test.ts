import { beforeEach, describe, expect, it } from 'vitest'
import {
  buildMapping,
  buildMappingFile,
  buildStixBundle,
  buildTechnique,
  createAttackHarness,
  FEEDS,
} from './fixtures.ts'

const { importFiles, importFile, listRejections, listQueued, selectRows, clock, reset } = await createAttackHarness()

const FILE = 'kev-07.28.2025_attack-16.1-enterprise.json'
const NO_CHANGES = { written: 0, removed: 0 }
const importMappings = (mappings: readonly unknown[], changed = {}) =>
  importFile('attack-mapping', FILE, buildMappingFile(mappings, changed))
const listStored = () =>
  selectRows('select cve_id, technique_id, mapping_type, removed_at from source.attack_mapping order by 1, 2, 3')
const importTechniques = () =>
  importFile(
    'attack',
    'enterprise-attack.json',
    buildStixBundle([buildTechnique('T1190'), buildTechnique('T1059'), buildTechnique('T1066', { revoked: true })]),
  )

beforeEach(async () => {
  await reset()
  await importTechniques()
})

describe('ATT&CK mapping feed: storing mappings', () => {
  it('stores all mappings and queues each mapped CVE once', async () => {
    const report = await importMappings([
      buildMapping('CVE-2024-0001', 'T1190'),
      buildMapping('CVE-2024-0001', 'T1059', { mapping_type: 'primary_impact', comments: undefined }),
      buildMapping('CVE-2024-0002', 'T1066'),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    expect(
      await selectRows(
        'select cve_id, technique_id, mapping_type, capability_group, comments from source.attack_mapping order by 1, 2',
      ),
    ).toEqual([
      {
        cve_id: 'CVE-2024-0001',
        technique_id: 'T1059',
        mapping_type: 'primary_impact',
        capability_group: 'injection',
        comments: null,
      },
      {
        cve_id: 'CVE-2024-0001',
        technique_id: 'T1190',
        mapping_type: 'exploitation_technique',
        capability_group: 'injection',
        comments: 'Attackers send crafted requests to the login page.',
      },
      expect.objectContaining({ cve_id: 'CVE-2024-0002', technique_id: 'T1066' }),
    ])
    expect((await listQueued()).toSorted()).toEqual(['CVE-2024-0001', 'CVE-2024-0002'])
    expect(await selectRows("select upstream_at from source.feed where name = 'attack-mapping'")).toEqual([
      { upstream_at: new Date('2025-08-28T00:00:00Z') },
    ])
  })

  it('writes and queues only changed, added and removed mappings', async () => {
    await importMappings([
      buildMapping('CVE-2024-0001', 'T1190'),
      buildMapping('CVE-2024-0002', 'T1190'),
      buildMapping('CVE-2024-0003', 'T1059'),
    ])
    await selectRows('truncate source.publication_queue')

    const report = await importMappings([
      buildMapping('CVE-2024-0001', 'T1190'),
      buildMapping('CVE-2024-0002', 'T1190', { comments: 'Another one.' }),
      buildMapping('CVE-2024-0004', 'T1190'),
    ])

    expect(report).toMatchObject({ written: 2, removed: 1, unchanged: 1 })
    expect((await listQueued()).toSorted()).toEqual(['CVE-2024-0002', 'CVE-2024-0003', 'CVE-2024-0004'])
    expect(await listStored()).toMatchObject([{}, {}, { cve_id: 'CVE-2024-0003', removed_at: clock.now() }, {}])
  })

  it('reads the mapping file with the newest last_update', async () => {
    const report = await importFiles(FEEDS['attack-mapping'], {
      'kev_attack_mapping-2025-12-31.json.gz': buildMappingFile([buildMapping('CVE-2024-0001', 'T1190')]),
      [FILE]: buildMappingFile([buildMapping('CVE-2024-0002', 'T1190')], { last_update: '09/01/2025' }),
    })

    expect(report).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await listStored()).toMatchObject([{ cve_id: 'CVE-2024-0002' }])
  })

  it('skips CVEs with the status non_mappable without rejecting them', async () => {
    const nonMappable = buildMapping('CVE-2024-0009', 'T1190', { attack_object_id: null, status: 'non_mappable' })
    expect(await importMappings([buildMapping('CVE-2024-0001', 'T1190'), nonMappable])).toMatchObject({
      read: 1,
      rejected: 0,
    })
  })
})

describe('ATT&CK mapping feed: rejected mappings', () => {
  it.each([
    ['to an unknown technique', buildMapping('CVE-2024-0009', 'T9999'), 'which is not an ATT&CK technique'],
    ['to a tactic', buildMapping('CVE-2024-0009', 'TA0001'), 'which is not a technique id'],
    ['for a GHSA id', buildMapping('GHSA-1', 'T1190'), 'not a CVE id'],
    ['of an unknown type', buildMapping('CVE-2024-0009', 'T1190', { mapping_type: 'unknown' }), 'mapping_type'],
    ['that is not an object', 'CVE-2024-0009', 'object'],
  ])('rejects a mapping %s', async (_case, invalid, reason) => {
    const valid = [buildMapping('CVE-2024-0001', 'T1190'), buildMapping('CVE-2024-0002', 'T1190')]

    expect(await importMappings([...valid, invalid])).toMatchObject({
      outcome: 'succeeded',
      read: 3,
      written: 2,
      rejected: 1,
    })
    expect(await listRejections()).toMatchObject([{ reason: expect.stringContaining(reason) }])
    expect(await listStored()).toHaveLength(2)
  })

  it('keeps the stored mappings of a CVE whose new mapping is rejected', async () => {
    const valid = [buildMapping('CVE-2024-0001', 'T1190'), buildMapping('CVE-2024-0002', 'T1190')]
    await importMappings([...valid, buildMapping('CVE-2024-0009', 'T1059'), buildMapping('CVE-2024-0008', 'T1059')])

    const invalid = [buildMapping('CVE-2024-0009', 'T9999'), buildMapping('CVE-2024-0008', 'somewhere')]
    expect(await importMappings([...valid, buildMapping('CVE-2024-0003', 'T1190'), ...invalid])).toMatchObject({
      outcome: 'succeeded',
      written: 1,
      removed: 0,
      rejected: 2,
      notices: [],
    })
    expect((await listStored()).filter((each) => Object(each).removed_at !== null)).toEqual([])
  })
})

describe('ATT&CK mapping feed: invalid files', () => {
  const one = [buildMapping('CVE-2024-0001', 'T1190')]
  it.each([
    ['without mappings', buildMappingFile([]), 'it has no mappings'],
    ['for mobile devices', buildMappingFile(one, { technology_domain: 'mobile' }), 'it is a mapping of kev and mobile'],
    ['for another framework', buildMappingFile(one, { mapping_framework: 'veris' }), 'it is a mapping of veris'],
    ['without a valid date', buildMappingFile(one, { last_update: 'lately' }), 'its last_update is not a date'],
    ['dated in the future', buildMappingFile(one, { last_update: '01/01/2027' }), 'in the future'],
    ['without metadata', '{"mapping_objects":[{}]}', 'metadata'],
  ])('rejects a mapping file %s', async (_case, content, message) => {
    const report = await importFile('attack-mapping', FILE, content)

    expect(report).toMatchObject({ outcome: 'failed', ...NO_CHANGES })
    expect(report.error).toContain(message)
  })

  it('fails with a hint to run the feed "attack" when no techniques are stored', async () => {
    await selectRows('truncate source.attack_technique')

    const report = await importMappings(one)

    expect(report).toMatchObject({ outcome: 'failed', ...NO_CHANGES })
    expect(report.error).toContain('Run the feed attack first')
  })
})
