import { describe, expect, it } from 'vitest'
import type { KevEntry } from '../../../src/catalog/model/source-data.ts'
import { renderKev, saysEndOfLife } from '../../../src/catalog/render/kev.ts'
import {
  kevEntrySchema,
  kevInBatchSchema,
  kevInRecentSchema,
  kevSummarySchema,
} from '../../../src/contract/record/kev.ts'
import { CVE_ID, kev } from '../records.ts'
import { expectValid } from '../schema-assertions.ts'

const SCHEMAS = {
  summary: kevSummarySchema,
  inBatch: kevInBatchSchema,
  inRecent: kevInRecentSchema,
  entry: kevEntrySchema,
}

function renderForm(form: keyof typeof SCHEMAS, known: Partial<KevEntry> = {}): unknown {
  const text = renderKev(CVE_ID, kev(known))[form]
  expectValid(SCHEMAS[form], text, form)
  return JSON.parse(text)
}

const SUMMARY = {
  dateAdded: '2024-03-06',
  knownRansomware: false,
  vendorProject: 'Example Networks',
  product: 'Example Router',
  vulnerabilityName: 'Example Router Denial of Service',
  requiredAction: 'Install the update of the vendor.',
  dueDate: '2024-03-27',
  notes: 'https://example.org/note',
}
const IN_BATCH = { known_exploited: true, due_date: '2024-03-27', action_required: 'Install the update of the vendor.' }

describe('KEV rendering', () => {
  it('renders the summary of a KEV entry for a CVE object', () => {
    expect(renderForm('summary')).toEqual(SUMMARY)
  })

  it('renders known_exploited, due_date and action_required for the batch response', () => {
    expect(renderForm('inBatch')).toEqual(IN_BATCH)
  })

  it('renders the members of the batch response and of the summary for the response with recent CVEs', () => {
    expect(renderForm('inRecent')).toEqual({ ...IN_BATCH, ...SUMMARY })
  })

  it('renders the summary with the CVE id and the description for /kev', () => {
    expect(renderForm('entry')).toEqual({
      ...SUMMARY,
      cveId: 'CVE-2024-0001',
      shortDescription: 'A malformed packet restarts the router.',
    })
  })

  it('renders knownRansomware: true for a KEV entry with known ransomware use', () => {
    expect(renderForm('entry', { knownRansomware: true })).toMatchObject({ knownRansomware: true })
    expect(renderForm('summary', { knownRansomware: true })).toMatchObject({ knownRansomware: true })
  })

  it('renders empty notes as "" and missing notes as null for /kev', () => {
    expect(renderForm('entry', { notes: '' })).toMatchObject({ notes: '' })
    expect(renderForm('entry', { notes: null })).toMatchObject({ notes: null })
  })

  it('renders a missing due date as null for /kev and the batch response, and omits it from the summary', () => {
    const without = { dueDate: null, notes: null }
    expect(renderForm('entry', without)).toMatchObject({ dueDate: null })
    expect(renderForm('inBatch', without)).toMatchObject({ due_date: null })
    expect(renderForm('summary', without)).not.toHaveProperty('dueDate')
    expect(renderForm('summary', without)).not.toHaveProperty('notes')
  })
})

describe('A KEV entry about a product without support', () => {
  it.each<[string, boolean]>([
    ['The product is end-of-life and should be disconnected.', true],
    ['These products are end-of-life.', true],
    ['The product could be end-of-life.', false],
    ['Disconnect versions that have reached their end-of-life.', false],
  ])('%s', (requiredAction, expected) => {
    expect(saysEndOfLife(kev({ requiredAction }))).toBe(expected)
  })
})
