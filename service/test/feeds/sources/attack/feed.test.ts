import { beforeEach, describe, expect, it } from 'vitest'
import { attackFeed } from '../../../../src/feeds/sources/attack/feed.ts'
import { testDownload } from '../../../support/network/downloads.ts'
import { manners, startUpstream } from '../../../support/network/upstream.ts'
import { attackMachine, capec, stix, technique, techniques } from './fixtures.ts'

const { run, read, rejections, queued, look, clock, reset } = await attackMachine()
beforeEach(reset)

const nothing = { written: 0, removed: 0 }
const readTechniques = (objects: readonly unknown[], said = {}) =>
  read('attack', 'enterprise-attack.json', stix(objects, said))
const readCapec = (objects: readonly unknown[]) => read('capec', 'stix-capec.json', stix(objects))
const storedTechniques = () =>
  look(`
    select technique_id, name, tactics, is_subtechnique, is_deprecated, removed_at
      from source.attack_technique
     order by technique_id
  `)
const storedPatterns = () =>
  look(`
    select capec_id, name, status, abstraction, likelihood, severity, cwe_ids, technique_ids, is_deprecated, removed_at
      from source.capec
     order by capec_id
  `)

describe('Techniques of ATT&CK are stored', () => {
  it('with their tactics, and the withdrawn ones marked', async () => {
    const report = await readTechniques([
      technique('T1059.003'),
      technique('T1066', { revoked: true, kill_chain_phases: undefined }),
      technique('T1086', { x_mitre_deprecated: true }),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', read: 3, written: 3, rejected: 0 })
    const common = { tactics: ['initial-access'], is_subtechnique: false, removed_at: null }
    expect(await storedTechniques()).toEqual([
      { ...common, technique_id: 'T1059.003', name: 'Way T1059.003', is_subtechnique: true, is_deprecated: false },
      { ...common, technique_id: 'T1066', name: 'Way T1066', is_deprecated: true, tactics: [] },
      { ...common, technique_id: 'T1086', name: 'Way T1086', is_deprecated: true },
    ])
    expect(
      await look("select upstream_at, cursor->>'version' as version from source.feed where name = 'attack'"),
    ).toEqual([{ upstream_at: new Date('2025-11-13T14:00:00Z'), version: '18.1' }])
  })

  it('from a plain list the same: nothing is written again, and no CVE is queued', async () => {
    await readTechniques([technique('T1059.003')])
    const plain = {
      id: 'T1059.003',
      name: 'Way T1059.003',
      tactics: ['initial-access'],
      is_subtechnique: true,
      deprecated: false,
    }

    const report = await read('attack', 'capec_attack.json.gz', JSON.stringify({ attack_techniques: [plain] }))

    expect(report).toMatchObject({ outcome: 'succeeded', unchanged: 1, ...nothing })
    expect(await queued()).toEqual([])
  })

  it('as a set: what changed is written, what left is marked, and not much may leave', async () => {
    await readTechniques(techniques(100))

    const renamed = [technique('T1000', { name: 'Another way' }), ...techniques(99).slice(1)]
    expect(await readTechniques(renamed)).toMatchObject({ written: 1, removed: 1, unchanged: 98 })
    expect((await storedTechniques()).at(-1)).toMatchObject({ technique_id: 'T1099', removed_at: clock.now() })

    expect(await readTechniques(techniques(90))).toMatchObject({ outcome: 'refused', removed: 0 })
  })

  it('without those that cannot be used, of which ours stay', async () => {
    await readTechniques(techniques(5))

    const report = await readTechniques([
      ...techniques(4),
      technique('T1004', { name: 7 }),
      technique('T99'),
      technique('', { external_references: [] }),
    ])

    expect(report).toMatchObject({ outcome: 'succeeded', rejected: 3, ...nothing })
    expect(await rejections()).toEqual([
      { subject: 'T1004', reason: expect.stringContaining('/name') },
      { subject: 'T99', reason: expect.stringContaining('not the id of a technique') },
      { subject: 'attack-pattern--', reason: expect.stringContaining('not the id of a technique') },
    ])
    expect(await storedTechniques()).toHaveLength(5)
  })

  it('never from an earlier release', async () => {
    await readTechniques(techniques(3))
    const earlier = JSON.stringify({ type: 'bundle', objects: techniques(3) })

    const report = await read('attack', 'enterprise-attack.json', earlier)

    expect(report).toMatchObject({ outcome: 'failed' })
    expect(report.fault).toContain('before the one we have')
  })
})

describe('Patterns of CAPEC are stored', () => {
  it('with their weaknesses and techniques, each once and in order', async () => {
    const twice = [{ source_name: 'cwe', external_id: 'CWE-20' }]
    expect(await readCapec([capec(66, {}, twice), capec(7, { x_capec_status: 'Deprecated' })])).toMatchObject({
      outcome: 'succeeded',
      written: 2,
    })

    expect(await storedPatterns()).toEqual([
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

  it('from a plain list the same', async () => {
    await readCapec([capec(66)])
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

    expect(await read('capec', 'capec_attack.json', JSON.stringify({ capec: [plain] }))).toMatchObject({
      outcome: 'succeeded',
      unchanged: 1,
      ...nothing,
    })
  })

  it.each([
    ['an id that is none', capec(0), 'CAPEC-0', 'not a CAPEC id'],
    ['a weakness that is none', capec(9, {}, [{ source_name: 'cwe', external_id: 'CWE-x' }]), 'CAPEC-9', '"CWE-x"'],
    ['a technique that is none', capec(9, {}, [{ source_name: 'ATTACK', external_id: '1574' }]), 'CAPEC-9', '"1574"'],
    ['no status', capec(9, { x_capec_status: undefined }), 'CAPEC-9', 'x_capec_status'],
  ])('without one that has %s', async (_what, bad, subject, reason) => {
    const good = [capec(1), capec(2), capec(3)]
    expect(await readCapec([...good, bad])).toMatchObject({ outcome: 'succeeded', written: 3, rejected: 1 })
    expect(await rejections()).toEqual([{ subject, reason: expect.stringContaining(reason) }])
  })
})

describe('A file that is wholly bad is a failure that says why', () => {
  const whole = stix(techniques(3))
  it.each([
    ['is cut off', 'enterprise-attack.json', whole.slice(0, -30), 'it is cut off'],
    ['is no bundle', 'enterprise-attack.json', stix(techniques(3), { type: 'report' }), 'its type is not "bundle"'],
    ['has no technique', 'enterprise-attack.json', stix([]), 'not one attack pattern'],
    ['is a web page', 'enterprise-attack.json', '<html></html>', 'a web page'],
    ['has another list', 'enterprise-attack.json', '{"type":"bundle","things":[]}', 'no list "objects"'],
    ['is no JSON', 'capec_attack.json', '{"attack_techniques":[', 'not JSON'],
    ['lacks the list', 'capec_attack.json', '{"capec":[]}', 'no list "attack_techniques"'],
    [
      'is from the future',
      'enterprise-attack.json',
      stix([technique('T1000', { modified: '2027-01-01T00:00:00Z' })]),
      'in the future',
    ],
  ])('because it %s', async (_why, name, content, words) => {
    const report = await read('attack', name, content)

    expect(report).toMatchObject({ outcome: 'failed', ...nothing })
    expect(report.fault).toContain(words)
  })

  it('because it is the file of the other one', async () => {
    expect(await readTechniques([capec(1), capec(2)])).toMatchObject({ outcome: 'refused', rejected: 2, ...nothing })
    expect(await readCapec([technique('T1190')])).toMatchObject({ outcome: 'refused', rejected: 1, ...nothing })
  })

  it('because the directory has none', async () => {
    expect(await read('attack', 'other.json', '{}')).toMatchObject({ outcome: 'absent' })
    expect(await read('capec', 'enterprise-attack.json', whole)).toMatchObject({ outcome: 'absent' })
  })
})

describe('Techniques from the network', () => {
  it('are not read again while the server says that nothing changed', async () => {
    const upstream = await startUpstream({ '/attack': manners.validates('"one"', stix(techniques(3))) })
    const online = attackFeed({ url: `${upstream.url}/attack` })
    const fromNetwork = { openDownload: () => testDownload([upstream]) }

    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', written: 3 })
    expect(await run(online, fromNetwork)).toMatchObject({ outcome: 'succeeded', read: 0 })
    expect(upstream.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"'])
  })
})
