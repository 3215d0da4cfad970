import { describe, expect, it } from 'vitest'
import type { ReferenceData } from '../../../src/catalog/model/source-data.ts'
import { findTechniques } from '../../../src/catalog/render/techniques.ts'
import { referenceData, resolved, sourceData } from '../records.ts'

const REFERENCE_DATA: ReferenceData = referenceData({
  techniquesByWeakness: new Map([
    ['CWE-79', ['T1190', 'T1059.003']],
    ['CWE-89', ['T1190', 'T1005', 'T9999']],
  ]),
  activeTechniques: new Set(['T1190', 'T1059', 'T1059.003', 'T1005']),
})

const mappings = (...techniques: string[]) => techniques.map((techniqueId) => ({ techniqueId }))
const weaknesses = (...ids: string[]) => ids.map((id) => ({ id, by: ['nvd'] }))

function find(curated: string[], weaknessIds: string[]) {
  return findTechniques(
    sourceData({ mappings: mappings(...curated) }),
    resolved({ weaknesses: weaknesses(...weaknessIds) }),
    REFERENCE_DATA,
  )
}

describe('Rendering of ATT&CK techniques', () => {
  it('lists curated techniques sorted and without duplicates', () => {
    expect(find(['T1190', 'T1059.003', 'T1059', 'T1190'], [])).toEqual(['T1059', 'T1059.003', 'T1190'])
  })

  it('derives techniques from the weaknesses of a CVE without curated techniques', () => {
    expect(find([], ['CWE-79', 'CWE-89', 'CWE-1'])).toEqual(['T1005', 'T1059.003', 'T1190'])
  })

  it('does not mix derived techniques with curated techniques', () => {
    expect(find(['T1059'], ['CWE-79'])).toEqual(['T1059'])
  })

  it('drops inactive techniques and falls back to derived techniques', () => {
    expect(find(['T9999'], ['CWE-89'])).toEqual(['T1005', 'T1190'])
    expect(find(['T9999'], [])).toEqual([])
  })
})
