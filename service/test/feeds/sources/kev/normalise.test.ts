import { describe, expect, it } from 'vitest'
import { type KevRow, normaliseKev } from '../../../../src/feeds/sources/kev/normalise.ts'
import { buildEntry, omitMember } from './fixtures.ts'

const NOW = new Date('2026-08-22T09:00:00Z')
const RELEASED_AT = new Date('2026-08-20T15:00:00Z')
const normalise = (entry: unknown, now = NOW) => normaliseKev({ entry, releasedAt: RELEASED_AT }, now)

function toRow(entry: unknown, now = NOW): KevRow {
  const row = normalise(entry, now)
  if ('rejected' in row) throw new Error(row.reason)
  return row
}

describe('KEV feed: normalising an entry', () => {
  it.each([
    ['the ransomware use "KNOWN" becomes known', { knownRansomwareCampaignUse: 'KNOWN' }, { isKnownRansomware: true }],
    [
      'an undocumented ransomware use becomes not known',
      { knownRansomwareCampaignUse: 'Suspected' },
      { isKnownRansomware: false },
    ],
    ['empty notes stay empty (decision D14)', { notes: '' }, { notes: '' }],
    [
      'spaces around a text are removed',
      { vendorProject: ' Halvorsen', product: 'MailGate ', vulnerabilityName: 'A name\u00a0', notes: 'A note. ' },
      { vendorProject: 'Halvorsen', product: 'MailGate', vulnerabilityName: 'A name', notes: 'A note.' },
    ],
    [
      'spaces around a sentence are removed',
      { shortDescription: 'A sentence. ', requiredAction: 'An action.\n' },
      { shortDescription: 'A sentence.', requiredAction: 'An action.' },
    ],
    ['a lower-case CVE id becomes upper-case', { cveID: 'cve-2024-3094' }, { cveId: 'CVE-2024-3094' }],
    ['an empty due date becomes null', { dueDate: '' }, { dueDate: null }],
    ['a due date in the future stays unchanged', { dueDate: '2031-01-01' }, { dueDate: '2031-01-01', isFuture: false }],
    [
      'members that are null are treated as missing',
      { dueDate: null, notes: null, cwes: null, knownRansomwareCampaignUse: null },
      { dueDate: null, notes: null, cwes: [], isKnownRansomware: false },
    ],
    ['an unknown member is accepted', { urgency: { level: 11 } }, { product: 'MailGate' }],
  ])('normalises the members of a KEV entry: %s', (_case, changed, expected) => {
    expect(normalise(buildEntry('CVE-2024-3094', changed))).toMatchObject(expected)
  })

  it.each([
    ['dueDate', { dueDate: null }],
    ['notes', { notes: null }],
    ['cwes', { cwes: [] }],
    ['knownRansomwareCampaignUse', { isKnownRansomware: false }],
  ])('accepts a KEV entry without %s', (member, expected) => {
    expect(normalise(omitMember(member, buildEntry('CVE-2024-3094')))).toMatchObject(expected)
  })

  it.each([
    ['vendorProject', 'Another vendor'],
    ['product', 'Another product'],
    ['vulnerabilityName', 'Another name'],
    ['dateAdded', '2026-08-18'],
    ['shortDescription', 'Another sentence.'],
    ['requiredAction', 'Another action.'],
    ['dueDate', null],
    ['knownRansomwareCampaignUse', 'Known'],
    ['notes', ''],
    ['notes', null],
    ['cwes', []],
  ])('changes the content hash when the member %s becomes %j', (member, value) => {
    const before = buildEntry('CVE-2024-3094')
    expect(toRow({ ...before, [member]: value }).contentHash).not.toEqual(toRow(before).contentHash)
  })
})

describe('KEV feed: rejected entries', () => {
  it.each([
    ['that is not an object', 'CVE-2024-0001', 'an entry without an id', 'object'],
    ['without an id', omitMember('cveID', buildEntry('')), 'an entry without an id', 'cveID'],
    ['with a GHSA id', buildEntry('GHSA-jfh8-c2jp-5v3q'), 'GHSA-jfh8-c2jp-5v3q', 'not a CVE id'],
    [
      'with a CVE id that has leading zeros (decision B5)',
      buildEntry('CVE-2024-03094'),
      'CVE-2024-03094',
      'not a CVE id',
    ],
    ['without a product', omitMember('product', buildEntry('CVE-2024-0001')), 'CVE-2024-0001', 'product'],
    ['without dateAdded', omitMember('dateAdded', buildEntry('CVE-2024-0001')), 'CVE-2024-0001', 'dateAdded'],
    [
      'with an impossible dateAdded',
      buildEntry('cve-2024-0001', { dateAdded: '2026-02-30' }),
      'CVE-2024-0001',
      'dateAdded is not a date: "2026-02-30"',
    ],
    [
      'with dateAdded in another format',
      buildEntry('CVE-2024-0001', { dateAdded: '08/19/2026' }),
      'CVE-2024-0001',
      'dateAdded is not a date',
    ],
    [
      'with an impossible dueDate',
      buildEntry('CVE-2024-0001', { dueDate: '2026-13-01' }),
      'CVE-2024-0001',
      'dueDate is not a date: "2026-13-01"',
    ],
    ['with a number as notes', buildEntry('CVE-2024-0001', { notes: 7 }), 'CVE-2024-0001', 'notes'],
    ['with a string as cwes', buildEntry('CVE-2024-0001', { cwes: 'CWE-20' }), 'CVE-2024-0001', 'cwes'],
  ])('rejects a KEV entry %s', (_case, invalid, rejected, reason) => {
    expect(normalise(invalid)).toEqual({ rejected, reason: expect.stringContaining(reason) })
  })
})
