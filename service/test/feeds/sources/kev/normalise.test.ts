import { describe, expect, it } from 'vitest'
import { type KevRow, normaliseKev } from '../../../../src/feeds/sources/kev/normalise.ts'
import { entry, without } from './fixtures.ts'

const NOW = new Date('2026-08-22T09:00:00Z')
const RELEASED_AT = new Date('2026-08-20T15:00:00Z')
const normalise = (said: unknown, now = NOW) => normaliseKev({ entry: said, releasedAt: RELEASED_AT }, now)

function rowOf(said: unknown, now = NOW): KevRow {
  const row = normalise(said, now)
  if ('rejected' in row) throw new Error(row.reason)
  return row
}

describe('An entry of the KEV catalogue', () => {
  it('is what CISA wrote', () => {
    expect(normalise(entry('CVE-2024-3094'))).toEqual({
      cveId: 'CVE-2024-3094',
      vendorProject: 'Kettle',
      product: 'Teapot',
      vulnerabilityName: 'Kettle Teapot Spout Vulnerability',
      dateAdded: '2026-08-19',
      shortDescription: 'The spout of the teapot lets anybody pour.',
      requiredAction: 'Put the lid on.',
      dueDate: '2026-09-02',
      isKnownRansomware: false,
      notes: 'https://teapots.example/1',
      cwes: ['CWE-20'],
      isFuture: false,
      contentHash: expect.any(Buffer),
      releasedAt: RELEASED_AT,
    })
  })

  it.each([
    [
      '"Known" in any letter case is use by ransomware',
      { knownRansomwareCampaignUse: 'KNOWN' },
      { isKnownRansomware: true },
    ],
    [
      'a word that CISA has not used yet is not',
      { knownRansomwareCampaignUse: 'Suspected' },
      { isKnownRansomware: false },
    ],
    ['notes that are empty are empty (D14)', { notes: '' }, { notes: '' }],
    ['an id may have any letter case', { cveID: 'cve-2024-3094' }, { cveId: 'CVE-2024-3094' }],
    ['a due date may be empty', { dueDate: '' }, { dueDate: null }],
    ['a due date may be in the future', { dueDate: '2031-01-01' }, { dueDate: '2031-01-01', isFuture: false }],
    [
      'members that are null are missing',
      { dueDate: null, notes: null, cwes: null, knownRansomwareCampaignUse: null },
      { dueDate: null, notes: null, cwes: [], isKnownRansomware: false },
    ],
    ['members that nobody has seen before are no harm', { urgency: { level: 11 } }, { product: 'Teapot' }],
  ])('is read with care: %s', (_sentence, said, expected) => {
    expect(normalise(entry('CVE-2024-3094', said))).toMatchObject(expected)
  })

  it.each([
    ['dueDate', { dueDate: null }],
    ['notes', { notes: null }],
    ['cwes', { cwes: [] }],
    ['knownRansomwareCampaignUse', { isKnownRansomware: false }],
  ])('may be without %s', (member, expected) => {
    expect(normalise(without(member, entry('CVE-2024-3094')))).toMatchObject(expected)
  })

  it.each([
    ['vendorProject', 'Pan'],
    ['product', 'Lid'],
    ['vulnerabilityName', 'Another name'],
    ['dateAdded', '2026-08-18'],
    ['shortDescription', 'Another sentence.'],
    ['requiredAction', 'Take the lid off.'],
    ['dueDate', null],
    ['knownRansomwareCampaignUse', 'Known'],
    ['notes', ''],
    ['notes', null],
    ['cwes', []],
  ])('is another one when %s alone becomes %j', (member, value) => {
    const before = entry('CVE-2024-3094')
    expect(rowOf({ ...before, [member]: value }).contentHash).not.toEqual(rowOf(before).contentHash)
  })

  it('dated in the future counts as of today (C22), the same on every day until its own has come', () => {
    const ahead = entry('CVE-2024-3094', { dateAdded: '2026-08-24' })
    const [first, second, last] = ['2026-08-22', '2026-08-23', '2026-08-24'].map((day) => rowOf(ahead, new Date(day)))

    expect(first).toMatchObject({ dateAdded: '2026-08-22', isFuture: true })
    expect(second?.contentHash).toEqual(first?.contentHash)
    expect(last).toMatchObject({ dateAdded: '2026-08-24', isFuture: false })
    expect(last?.contentHash).not.toEqual(first?.contentHash)
  })
})

describe('An entry that cannot be used', () => {
  it.each([
    ['is not an object', 'CVE-2024-0001', 'an entry without an id', 'object'],
    ['has no id', without('cveID', entry('')), 'an entry without an id', 'cveID'],
    ['has an id of another kind', entry('GHSA-jfh8-c2jp-5v3q'), 'GHSA-jfh8-c2jp-5v3q', 'not a CVE id'],
    ['has an id with too many zeros (B5)', entry('CVE-2024-03094'), 'CVE-2024-03094', 'not a CVE id'],
    ['has no product', without('product', entry('CVE-2024-0001')), 'CVE-2024-0001', 'product'],
    ['has no date', without('dateAdded', entry('CVE-2024-0001')), 'CVE-2024-0001', 'dateAdded'],
    [
      'was added on a day that never was',
      entry('cve-2024-0001', { dateAdded: '2026-02-30' }),
      'CVE-2024-0001',
      'dateAdded is not a day: "2026-02-30"',
    ],
    [
      'was added on another kind of date',
      entry('CVE-2024-0001', { dateAdded: '08/19/2026' }),
      'CVE-2024-0001',
      'dateAdded is not a day',
    ],
    [
      'is due on a day that never was',
      entry('CVE-2024-0001', { dueDate: '2026-13-01' }),
      'CVE-2024-0001',
      'dueDate is not a day: "2026-13-01"',
    ],
    ['has notes that are a number', entry('CVE-2024-0001', { notes: 7 }), 'CVE-2024-0001', 'notes'],
    ['has weaknesses that are no list', entry('CVE-2024-0001', { cwes: 'CWE-20' }), 'CVE-2024-0001', 'cwes'],
  ])('because it %s is rejected with its reason', (_why, bad, rejected, reason) => {
    expect(normalise(bad)).toEqual({ rejected, reason: expect.stringContaining(reason) })
  })
})
