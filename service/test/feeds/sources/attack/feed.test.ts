import { beforeEach, describe, expect, it } from 'vitest'
import { buildCapec, buildStixBundle, buildTechnique, buildTechniques, createAttackHarness } from './fixtures.ts'

const { importFile, listRejections, listQueued, selectRows, clock, reset } = await createAttackHarness()
beforeEach(reset)

const NO_CHANGES = { written: 0, removed: 0 }
const importTechniques = (objects: readonly unknown[], changed = {}) =>
  importFile('attack', 'enterprise-attack.json', buildStixBundle(objects, changed))
const importCapec = (objects: readonly unknown[]) => importFile('capec', 'stix-capec.json', buildStixBundle(objects))
const listTechniques = () =>
  selectRows(`
    select technique_id, name, tactics, is_subtechnique, is_deprecated, removed_at
      from source.attack_technique
     order by technique_id
  `)
const listPatterns = () =>
  selectRows(`
    select capec_id, name, status, abstraction, likelihood, severity, cwe_ids, technique_ids, is_deprecated, removed_at
      from source.capec
     order by capec_id
  `)

describe('ATT&CK feed: storing techniques', () => {
  it('stores techniques with their tactics and marks revoked and deprecated techniques', async () => {
    const report = await importTechniques([
      buildTechnique('T1059.003'),
      buildTechnique('T1066', { revoked: true, kill_chain_phases: undefined }),
      buildTechnique('T1086', { x_mitre_deprecated: true }),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    const common = { tactics: ['initial-access'], is_subtechnique: false, removed_at: null }
    expect(await listTechniques()).toEqual([
      {
        ...common,
        technique_id: 'T1059.003',
        name: 'Technique T1059.003',
        is_subtechnique: true,
        is_deprecated: false,
      },
      { ...common, technique_id: 'T1066', name: 'Technique T1066', is_deprecated: true, tactics: [] },
      { ...common, technique_id: 'T1086', name: 'Technique T1086', is_deprecated: true },
    ])
    expect(
      await selectRows("select upstream_at, cursor->>'version' as version from source.feed where name = 'attack'"),
    ).toEqual([{ upstream_at: new Date('2025-11-13T14:00:00Z'), version: '18.1' }])
  })

  it('writes no rows and queues no CVE when capec_attack.json has the same techniques as the STIX bundle', async () => {
    await importTechniques([buildTechnique('T1059.003')])
    const plain = {
      id: 'T1059.003',
      name: 'Technique T1059.003',
      tactics: ['initial-access'],
      is_subtechnique: true,
      deprecated: false,
    }

    const report = await importFile('attack', 'capec_attack.json.gz', JSON.stringify({ attack_techniques: [plain] }))

    expect(report).toMatchObject({ outcome: 'succeeded', unchanged: 1, ...NO_CHANGES })
    expect(await listQueued()).toEqual([])
  })

  it('writes changed techniques, marks a missing technique as removed, and rejects a file that lacks many techniques', async () => {
    await importTechniques(buildTechniques(100))

    const renamed = [buildTechnique('T1000', { name: 'Another name' }), ...buildTechniques(99).slice(1)]
    expect(await importTechniques(renamed)).toMatchObject({ written: 1, removed: 1, unchanged: 98 })
    expect((await listTechniques()).at(-1)).toMatchObject({ technique_id: 'T1099', removed_at: clock.now() })

    expect(await importTechniques(buildTechniques(90))).toMatchObject({ outcome: 'refused', removed: 0 })
  })

  it('rejects invalid techniques and keeps the stored versions', async () => {
    await importTechniques(buildTechniques(5))

    const report = await importTechniques([
      ...buildTechniques(4),
      buildTechnique('T1004', { name: 7 }),
      buildTechnique('T99'),
      buildTechnique('', { external_references: [] }),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 3, ...NO_CHANGES })
    expect(await listRejections()).toEqual([
      { subject: 'T1004', reason: expect.stringContaining('/name') },
      { subject: 'T99', reason: expect.stringContaining('not a technique id') },
      { subject: 'attack-pattern--', reason: expect.stringContaining('not a technique id') },
    ])
    expect(await listTechniques()).toHaveLength(5)
  })

  it('rejects an ATT&CK release that is older than the stored one', async () => {
    await importTechniques(buildTechniques(3))
    const earlier = JSON.stringify({ type: 'bundle', objects: buildTechniques(3) })

    const report = await importFile('attack', 'enterprise-attack.json', earlier)

    expect(report).toMatchObject({ outcome: 'failed' })
    expect(report.error).toContain('is older than the stored one')
  })
})

describe('CAPEC feed: storing attack patterns', () => {
  it('stores the weaknesses and techniques of a pattern sorted and without duplicates', async () => {
    const duplicate = [{ source_name: 'cwe', external_id: 'CWE-20' }]
    expect(
      await importCapec([buildCapec(66, {}, duplicate), buildCapec(7, { x_capec_status: 'Deprecated' })]),
    ).toMatchObject({
      outcome: 'succeeded',
      written: 2,
    })

    expect(await listPatterns()).toEqual([
      {
        capec_id: 'CAPEC-66',
        name: 'Pattern 66',
        status: 'Draft',
        abstraction: 'Standard',
        likelihood: 'High',
        severity: null,
        cwe_ids: ['CWE-20', 'CWE-89'],
        technique_ids: ['T1190'],
        is_deprecated: false,
        removed_at: null,
      },
      expect.objectContaining({ capec_id: 'CAPEC-7', status: 'Deprecated', is_deprecated: true }),
    ])
  })

  it('writes no rows when the plain JSON file has the same patterns as the STIX bundle', async () => {
    await importCapec([buildCapec(66)])
    const plain = {
      id: 'CAPEC-66',
      name: 'Pattern 66',
      status: 'Draft',
      abstraction: 'Standard',
      likelihood: 'High',
      severity: null,
      cwe: ['CWE-89', 'CWE-20'],
      attack: ['T1190'],
      deprecated: false,
    }

    expect(await importFile('capec', 'capec_attack.json', JSON.stringify({ capec: [plain] }))).toMatchObject({
      outcome: 'succeeded',
      unchanged: 1,
      ...NO_CHANGES,
    })
  })

  it.each([
    ['an invalid CAPEC id', buildCapec(0), 'CAPEC-0', 'not a CAPEC id'],
    ['an invalid CWE id', buildCapec(9, {}, [{ source_name: 'cwe', external_id: 'CWE-x' }]), 'CAPEC-9', '"CWE-x"'],
    [
      'an invalid technique id',
      buildCapec(9, {}, [{ source_name: 'ATTACK', external_id: '1574' }]),
      'CAPEC-9',
      '"1574"',
    ],
    ['no status', buildCapec(9, { x_capec_status: undefined }), 'CAPEC-9', 'x_capec_status'],
  ])('rejects a CAPEC pattern with %s', async (_case, invalid, subject, reason) => {
    const valid = [buildCapec(1), buildCapec(2), buildCapec(3)]
    expect(await importCapec([...valid, invalid])).toMatchObject({ outcome: 'succeeded', written: 3, rejected: 1 })
    expect(await listRejections()).toEqual([{ subject, reason: expect.stringContaining(reason) }])
  })
})

describe('ATT&CK and CAPEC feeds: invalid files', () => {
  it.each([
    [
      'that is not a bundle',
      'enterprise-attack.json',
      buildStixBundle(buildTechniques(3), { type: 'report' }),
      'its type is not "bundle"',
    ],
    ['without techniques', 'enterprise-attack.json', buildStixBundle([]), 'it contains no attack pattern'],
    ['without the list of objects', 'enterprise-attack.json', '{"type":"bundle","things":[]}', 'no list "objects"'],
    [
      'without the list of techniques',
      'capec_attack.json',
      '{"capec":[]}',
      'its list "attack_techniques" is missing or empty',
    ],
    [
      'dated in the future',
      'enterprise-attack.json',
      buildStixBundle([buildTechnique('T1000', { modified: '2027-01-01T00:00:00Z' })]),
      'in the future',
    ],
  ])('rejects an ATT&CK file %s', async (_case, name, content, message) => {
    const report = await importFile('attack', name, content)

    expect(report).toMatchObject({ outcome: 'failed', ...NO_CHANGES })
    expect(report.error).toContain(message)
  })

  it('rejects a CAPEC bundle in the attack feed and an ATT&CK bundle in the capec feed', async () => {
    expect(await importTechniques([buildCapec(1), buildCapec(2)])).toMatchObject({
      outcome: 'refused',
      rejected: 2,
      ...NO_CHANGES,
    })
    expect(await importCapec([buildTechnique('T1190')])).toMatchObject({
      outcome: 'refused',
      rejected: 1,
      ...NO_CHANGES,
    })
  })
})
