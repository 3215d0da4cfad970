import { beforeEach, describe, expect, it } from 'vitest'
import { directoryWith } from '../../small-files.ts'
import { attackMachine, FEEDS, mapping, mappingFile, stix, technique } from './fixtures.ts'

const { run, read, rejections, queued, look, clock, reset } = await attackMachine()

const FILE = 'kev-07.28.2025_attack-16.1-enterprise.json'
const nothing = { written: 0, removed: 0 }
const readMappings = (mappings: readonly unknown[], said = {}) =>
  read('attack-mapping', FILE, mappingFile(mappings, said))
const stored = () =>
  look('select cve_id, technique_id, mapping_type, removed_at from source.attack_mapping order by 1, 2, 3')
const knowTechniques = () =>
  read(
    'attack',
    'enterprise-attack.json',
    stix([technique('T1190'), technique('T1059'), technique('T1066', { revoked: true })]),
  )

beforeEach(async () => {
  await reset()
  await knowTechniques()
})

describe('The mapping from known exploited CVEs to techniques is stored', () => {
  it('as it was made, and queues its CVEs, each once', async () => {
    const report = await readMappings([
      mapping('CVE-2024-0001', 'T1190'),
      mapping('CVE-2024-0001', 'T1059', { mapping_type: 'primary_impact', comments: undefined }),
      mapping('CVE-2024-0002', 'T1066'),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    expect(
      await look(
        'select cve_id, technique_id, mapping_type, capability_group, comments from source.attack_mapping order by 1, 2',
      ),
    ).toEqual([
      {
        cve_id: 'CVE-2024-0001',
        technique_id: 'T1059',
        mapping_type: 'primary_impact',
        capability_group: 'spilling',
        comments: null,
      },
      {
        cve_id: 'CVE-2024-0001',
        technique_id: 'T1190',
        mapping_type: 'exploitation_technique',
        capability_group: 'spilling',
        comments: 'The teapot is turned over.',
      },
      expect.objectContaining({ cve_id: 'CVE-2024-0002', technique_id: 'T1066' }),
    ])
    expect(await queued()).toEqual([
      { cve_id: 'CVE-2024-0001', feed: 'attack-mapping' },
      { cve_id: 'CVE-2024-0002', feed: 'attack-mapping' },
    ])
    expect(await look("select upstream_at from source.feed where name = 'attack-mapping'")).toEqual([
      { upstream_at: new Date('2025-08-28T00:00:00Z') },
    ])
  })

  it('as a set: only what changed, came or left is written and queued', async () => {
    await readMappings([
      mapping('CVE-2024-0001', 'T1190'),
      mapping('CVE-2024-0002', 'T1190'),
      mapping('CVE-2024-0003', 'T1059'),
    ])
    await look('truncate source.publication_queue')

    const report = await readMappings([
      mapping('CVE-2024-0001', 'T1190'),
      mapping('CVE-2024-0002', 'T1190', { comments: 'Another one.' }),
      mapping('CVE-2024-0004', 'T1190'),
    ])

    expect(report).toMatchObject({ written: 2, removed: 1, unchanged: 1 })
    expect(await queued()).toMatchObject([
      { cve_id: 'CVE-2024-0002' },
      { cve_id: 'CVE-2024-0003' },
      { cve_id: 'CVE-2024-0004' },
    ])
    expect(await stored()).toMatchObject([{}, {}, { cve_id: 'CVE-2024-0003', removed_at: clock.now() }, {}])
  })

  it('a second time without writing anything', async () => {
    const all = Array.from({ length: 60 }, (_, index) => mapping(`CVE-2024-${1000 + index}`, 'T1190'))
    await readMappings(all)
    const rows = 'select cve_id, xmin::text, ctid::text from source.attack_mapping order by cve_id'
    const before = await look(rows)

    expect(await readMappings(all)).toMatchObject({ outcome: 'succeeded', unchanged: 60, ...nothing })
    expect(await look(rows)).toEqual(before)
    expect(await queued()).toHaveLength(60)
    expect(await readMappings(all.slice(5))).toMatchObject({ outcome: 'refused', removed: 0 })
  })

  it('from the newest of several files, by what they say inside', async () => {
    const from = await directoryWith({
      'kev_attack_mapping-2025-12-31.json.gz': mappingFile([mapping('CVE-2024-0001', 'T1190')]),
      [FILE]: mappingFile([mapping('CVE-2024-0002', 'T1190')], { last_update: '09/01/2025' }),
    })

    expect(await run(FEEDS['attack-mapping'], { from })).toMatchObject({ outcome: 'succeeded', written: 1 })
    expect(await stored()).toMatchObject([{ cve_id: 'CVE-2024-0002' }])
  })

  it('without those of which somebody found that there is no technique', async () => {
    const none = mapping('CVE-2024-0009', 'T1190', { attack_object_id: null, status: 'non_mappable' })
    expect(await readMappings([mapping('CVE-2024-0001', 'T1190'), none])).toMatchObject({ read: 1, rejected: 0 })
  })
})

describe('A mapping that cannot be used', () => {
  it.each([
    ['is to a technique that does not exist', mapping('CVE-2024-0009', 'T9999'), 'ATT&CK has no such technique'],
    ['is to something else', mapping('CVE-2024-0009', 'TA0001'), 'not the id of a technique'],
    ['is from something else', mapping('GHSA-1', 'T1190'), 'not a CVE id'],
    ['is of a type that nobody knows', mapping('CVE-2024-0009', 'T1190', { mapping_type: 'hope' }), 'mapping_type'],
    ['is no object', 'CVE-2024-0009', 'object'],
  ])('because it %s is rejected with its reason', async (_why, bad, reason) => {
    const good = [mapping('CVE-2024-0001', 'T1190'), mapping('CVE-2024-0002', 'T1190')]

    expect(await readMappings([...good, bad])).toMatchObject({ outcome: 'succeeded', read: 3, written: 2, rejected: 1 })
    expect(await rejections()).toMatchObject([{ reason: expect.stringContaining(reason) }])
    expect(await stored()).toHaveLength(2)
  })

  it('takes nothing away from what we have of its CVE', async () => {
    const good = [mapping('CVE-2024-0001', 'T1190'), mapping('CVE-2024-0002', 'T1190')]
    await readMappings([...good, mapping('CVE-2024-0009', 'T1059'), mapping('CVE-2024-0008', 'T1059')])

    const bad = [mapping('CVE-2024-0009', 'T9999'), mapping('CVE-2024-0008', 'somewhere')]
    expect(await readMappings([...good, mapping('CVE-2024-0003', 'T1190'), ...bad])).toMatchObject({
      outcome: 'succeeded',
      written: 1,
      removed: 0,
      rejected: 2,
      notices: [],
    })
    expect((await stored()).filter((each) => Object(each).removed_at !== null)).toEqual([])
  })

  it('is too much when there are many: the whole delivery is refused', async () => {
    const report = await readMappings([mapping('CVE-2024-0001', 'T1190'), mapping('CVE-2024-0002', 'T9999')])

    expect(report).toMatchObject({ outcome: 'refused', rejected: 1 })
    expect(report.fault).toContain('1 of its 2 records cannot be used')
    expect(await stored()).toEqual([])
  })
})

describe('A mapping file that is wholly bad is a failure that says why', () => {
  const one = [mapping('CVE-2024-0001', 'T1190')]
  it.each([
    ['is cut off', mappingFile(one).slice(0, -9), 'it is cut off'],
    ['has no mappings', mappingFile([]), 'it has no mappings'],
    ['is about telephones', mappingFile(one, { technology_domain: 'mobile' }), 'it is about kev and mobile'],
    ['is about something else', mappingFile(one, { mapping_framework: 'veris' }), 'it is about veris'],
    ['does not say of when it is', mappingFile(one, { last_update: 'lately' }), 'its last_update is no day'],
    ['is from the future', mappingFile(one, { last_update: '01/01/2027' }), 'in the future'],
    ['says nothing of itself', '{"mapping_objects":[{}]}', 'metadata'],
  ])('because it %s', async (_why, content, words) => {
    const report = await read('attack-mapping', FILE, content)

    expect(report).toMatchObject({ outcome: 'failed', ...nothing })
    expect(report.fault).toContain(words)
  })

  it('or because there are no techniques yet', async () => {
    await look('truncate source.attack_technique')

    const report = await readMappings(one)

    expect(report).toMatchObject({ outcome: 'failed', ...nothing })
    expect(report.fault).toContain('Run the feed attack first')
  })
})
