import { describe, expect, it } from 'vitest'
import { parseConfiguration, toConfigurationKey } from '../../../src/domain/nvd-history/configuration-text.ts'
import { type RawNvdRecord, readState } from '../../../src/domain/nvd-history/nvd-state.ts'
import type { Detail, StoredChange } from '../../../src/domain/nvd-history/stored-change.ts'
import { walkBack } from '../../../src/domain/nvd-history/walk-back.ts'

const HIGH = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const LOW = 'AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N'
const CPE = 'cpe:2.3:a:example:router:*:*:*:*:*:*:*:*'

const RECORD: RawNvdRecord = {
  lastModified: '2024-05-01T10:00:00.000',
  vulnStatus: 'Analyzed',
  descriptions: [{ lang: 'en', value: 'Second text.' }],
  metrics: { cvssMetricV31: [{ source: 'nvd@nist.gov', cvssData: { vectorString: HIGH } }] },
  weaknesses: [
    { source: 'nvd@nist.gov', description: [{ value: 'CWE-79' }] },
    { source: 'cna@example', description: [{ value: 'CWE-79' }] },
  ],
  configurations: [
    {
      nodes: [
        {
          operator: 'OR',
          negate: false,
          cpeMatch: [{ vulnerable: true, criteria: CPE, matchCriteriaId: 'M1', versionEndExcluding: '2.4' }],
        },
      ],
    },
  ],
  references: [{ url: 'https://a.example/1', source: 'cna@example' }],
}

const CHANGED_AT = Date.parse('2024-05-01T10:00:00Z')
const BEFORE = new Date('2024-05-01T00:00:00Z')

const change = (
  details: readonly Detail[],
  event = 'CVE Modified',
  at = CHANGED_AT,
  source = 'nvd@nist.gov',
): StoredChange => [`${event}${at}`, at, event, source, details]

const undo = (...details: Detail[]) => walkBack(readState(RECORD), [change(details)], BEFORE)
const CONFIGURATION = `OR\n     *${CPE} versions up to (excluding) 2.4`

describe('walking back through NVD changes', () => {
  it.each<readonly [what: string, details: readonly Detail[], expected: object]>([
    ['a changed description', [['D', 'C', 'First text.', 0]], { description: 'First text.' }],
    ['an added description', [['D', 'A', null, 0]], { description: null }],
    ["NVD's added rating", [['C31', 'A', null, `NIST ${HIGH.slice(9)}`]], { ratings: [] }],
    [
      'a removed rating in parentheses',
      [['C2', 'R', 'NIST (AV:N/AC:M/Au:S/C:N/I:P/A:N)', null]],
      { ratings: [{}, { source: 'nvd@nist.gov', vector: { version: '2.0' } }] },
    ],
    [
      'a changed rating',
      [['C31', 'C', LOW, HIGH.slice(9)]],
      { ratings: [{ vector: { baseVector: `CVSS:3.1/${LOW}` } }] },
    ],
    [
      'an added weakness, of its own organisation',
      [['W', 'A', null, 'NIST CWE-79']],
      { weaknesses: [{ source: 'cna@example', id: 'CWE-79' }] },
    ],
    [
      'a removed weakness without a number',
      [['W', 'R', 'NIST NVD-CWE-noinfo', null]],
      { weaknesses: [{}, {}, { id: 'NVD-CWE-noinfo' }] },
    ],
    [
      'an added reference with its kinds',
      [['R', 'A', null, 'https://a.example/1 [No Types Assigned]']],
      { references: [] },
    ],
    [
      'a removed reference with its author',
      [['R', 'R', 'CERT.PL https://b.example/2', null]],
      { references: [{}, { url: 'https://b.example/2' }] },
    ],
    ['an added configuration', [['P', 'A', null, CONFIGURATION]], { configurations: [] }],
    [
      'a changed configuration',
      [['P', 'C', `OR\\n     *${CPE} versions up to (including) 2.2`, CONFIGURATION]],
      { configurations: [{ nodes: [{ cpeMatch: [{ versionEndIncluding: '2.2' }] }] }] },
    ],
  ])('undoes %s', (_what, details, expected) => {
    const past = undo(...details)
    expect([...(past?.unknown ?? [])]).not.toContain(Object.keys(expected)[0])
    expect(past?.state).toMatchObject(expected)
  })

  it.each<readonly [what: string, member: string, detail: Detail]>([
    ['its old value is not stated', 'description', ['D', 'C', null, 0]],
    ['its old value was cut', 'description', ['D', 'C', 0, 0]],
    ['the record does not have its new value', 'ratings', ['C31', 'A', null, LOW]],
    ['the record does not have its new reference', 'references', ['R', 'A', null, 'https://c.example/']],
    ['its vector cannot be read', 'ratings', ['C31', 'R', 'AV:N/AC:L', null]],
    ['its configuration cannot be read', 'configurations', ['P', 'R', 'OR Configuration 1', null]],
    ['its weakness cannot be read', 'weaknesses', ['W', 'R', 'Insufficient Information', null]],
  ])('makes a member unknown before a change if %s, and no other member', (_why, member, detail) => {
    const past = undo(detail, ['D', 'C', 'First text.', 0])
    expect([...(past?.unknown ?? [])].filter((name) => name !== 'status')).toEqual([member])
  })

  it('undoes changes of the same record from the newest to the oldest', () => {
    const [first, second] = [CHANGED_AT - 86_400_000, CHANGED_AT]
    const changes = [
      change([['D', 'C', 'Zeroth text.', 0]], 'CVE Modified', first),
      change([['D', 'C', 'First text.', 0]], 'CVE Modified', second),
    ]
    const at = (end: number) => walkBack(readState(RECORD), changes, new Date(end))?.state.description
    expect([at(first), at(second), at(second + 1)]).toEqual(['Zeroth text.', 'First text.', 'Second text.'])
  })

  it('finds that NVD had no record before the CVE was received', () => {
    const received = change([['D', 'A', null, 0]], 'New CVE Received')
    expect(walkBack(readState(RECORD), [received], BEFORE)).toBeUndefined()
    expect(walkBack(readState(RECORD), [received], new Date(CHANGED_AT + 1))).toBeDefined()
  })

  it.each([
    ['Initial Analysis', 'Analyzed', 'Analyzed'],
    ['Modified Analysis', 'Modified', undefined],
    ['CVE Rejected', 'Rejected', 'Rejected'],
    ['New CVE Received', 'Received', undefined],
  ])(
    'tells the status after %s as the last event and with the current status %s: %s',
    (event, vulnStatus, expected) => {
      const past = walkBack(readState({ ...RECORD, vulnStatus }), [change([], event)], new Date(CHANGED_AT + 1))
      expect(past?.unknown.has('status') ? undefined : past?.state.status).toBe(expected)
    },
  )
})

describe('CPE configurations in NVD changes', () => {
  it('reads operators, vulnerable and other products, and all limits of versions', () => {
    const text = `AND\n     OR\n          *${CPE} versions from (including) 1.0 up to (excluding) 2.0\n          *${CPE} versions from (excluding) 3.0 up to (including) 4.0\n     OR\n          cpe:2.3:h:example:router:-:*:*:*:*:*:*:*`
    expect(parseConfiguration(text)).toEqual({
      operator: 'AND',
      negate: false,
      nodes: [
        {
          operator: 'OR',
          negate: false,
          cpeMatch: [
            { vulnerable: true, criteria: CPE, versionStartIncluding: '1.0', versionEndExcluding: '2.0' },
            { vulnerable: true, criteria: CPE, versionStartExcluding: '3.0', versionEndIncluding: '4.0' },
          ],
        },
        {
          operator: 'OR',
          negate: false,
          cpeMatch: [{ vulnerable: false, criteria: 'cpe:2.3:h:example:router:-:*:*:*:*:*:*:*' }],
        },
      ],
    })
  })

  it('gives the same key to configurations that differ only in order and ids', () => {
    const one = parseConfiguration(`OR\n *${CPE} versions up to (excluding) 1\n *${CPE} versions up to (excluding) 2`)
    const two = parseConfiguration(`OR\n *${CPE} versions up to (excluding) 2\n *${CPE} versions up to (excluding) 1`)
    const other = parseConfiguration(`OR\n *${CPE} versions up to (excluding) 2\n ${CPE} versions up to (excluding) 1`)
    expect(one && toConfigurationKey(one)).toBe(two && toConfigurationKey(two))
    expect(one && toConfigurationKey(one)).not.toBe(other && toConfigurationKey(other))
  })

  it.each(['', 'OR', 'Record truncated', `OR\n *${CPE} versions before 2`, `*${CPE}`])(
    'does not guess what %j means',
    (text) => {
      expect(parseConfiguration(text)).toBeUndefined()
    },
  )
})
