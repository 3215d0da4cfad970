import { describe, expect, it } from 'vitest'
import type { KevFact } from '../../../src/catalog/model/source-data.ts'
import { renderKev } from '../../../src/catalog/render/kev.ts'
import { kevEntrySchema, kevInBatchSchema, kevInRecentSchema, kevSummarySchema } from '../../../src/contract/kev.ts'
import { CVE_ID, kev } from '../records.ts'
import { expectFits } from '../schema-assertions.ts'

const SCHEMAS = {
  summary: kevSummarySchema,
  inBatch: kevInBatchSchema,
  inRecent: kevInRecentSchema,
  entry: kevEntrySchema,
}

function rendered(form: keyof typeof SCHEMAS, known: Partial<KevFact> = {}): unknown {
  const text = renderKev(CVE_ID, kev(known))[form]
  expectFits(SCHEMAS[form], text, form)
  return JSON.parse(text)
}

const SUMMARY = {
  dateAdded: '2024-03-06',
  knownRansomware: false,
  vendorProject: 'Maker',
  product: 'Thing',
  vulnerabilityName: 'A name that we made up',
  requiredAction: 'Do something.',
  dueDate: '2024-03-27',
  notes: 'https://example.org/note',
}
const IN_BATCH = { known_exploited: true, due_date: '2024-03-27', action_required: 'Do something.' }

describe('A KEV entry', () => {
  it('inside a CVE object is the summary', () => {
    expect(rendered('summary')).toEqual(SUMMARY)
  })

  it('in the batch response has known_exploited, due_date and action_required instead', () => {
    expect(rendered('inBatch')).toEqual(IN_BATCH)
  })

  it('among recent CVEs is as in batch plus the fields of the summary', () => {
    expect(rendered('inRecent')).toEqual({ ...IN_BATCH, ...SUMMARY })
  })

  it('in the list of /kev has its CVE and its description too', () => {
    expect(rendered('entry')).toEqual({
      ...SUMMARY,
      cveId: 'CVE-2024-0001',
      shortDescription: 'A description that we made up.',
    })
  })

  it('says true where ransomware is known to use it', () => {
    expect(rendered('entry', { knownRansomware: true })).toMatchObject({ knownRansomware: true })
    expect(rendered('summary', { knownRansomware: true })).toMatchObject({ knownRansomware: true })
  })

  it('has empty notes as "", and missing ones as null', () => {
    expect(rendered('entry', { notes: '' })).toMatchObject({ notes: '' })
    expect(rendered('entry', { notes: null })).toMatchObject({ notes: null })
  })

  it('without a due date or notes has null where they are fields, and nothing where they are optional', () => {
    const without = { dueDate: null, notes: null }
    expect(rendered('entry', without)).toMatchObject({ dueDate: null })
    expect(rendered('inBatch', without)).toMatchObject({ due_date: null })
    expect(rendered('summary', without)).not.toHaveProperty('dueDate')
    expect(rendered('summary', without)).not.toHaveProperty('notes')
  })
})
