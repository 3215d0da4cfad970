import { describe, expect, it } from 'vitest'
import type { Knowledge } from '../../../src/catalog/model/source-data.ts'
import { techniquesOf } from '../../../src/catalog/render/techniques.ts'
import { facts, knowledge, resolved } from '../records.ts'

const KNOWN: Knowledge = knowledge({
  techniquesOfWeakness: new Map([
    ['CWE-79', ['T1190', 'T1059.003']],
    ['CWE-89', ['T1190', 'T1005', 'T9999']],
  ]),
  activeTechniques: new Set(['T1190', 'T1059', 'T1059.003', 'T1005']),
})

const mappings = (...techniques: string[]) => techniques.map((techniqueId) => ({ techniqueId }))
const weaknesses = (...ids: string[]) => ids.map((id) => ({ id, by: ['nvd'] }))

function techniques(curated: string[], weaknessIds: string[]) {
  return techniquesOf(
    facts({ mappings: mappings(...curated) }),
    resolved({ weaknesses: weaknesses(...weaknessIds) }),
    KNOWN,
  )
}

describe('ATT&CK techniques', () => {
  it('are those that people found, sorted and each once', () => {
    expect(techniques(['T1190', 'T1059.003', 'T1059', 'T1190'], [])).toEqual(['T1059', 'T1059.003', 'T1190'])
  })

  it('are derived from the weaknesses where nobody found any', () => {
    expect(techniques([], ['CWE-79', 'CWE-89', 'CWE-1'])).toEqual(['T1005', 'T1059.003', 'T1190'])
  })

  it('are not derived beside those that people found', () => {
    expect(techniques(['T1059'], ['CWE-79'])).toEqual(['T1059'])
  })

  it('are left out where they are withdrawn or unknown, and then derived ones stand in', () => {
    expect(techniques(['T9999'], ['CWE-89'])).toEqual(['T1005', 'T1190'])
    expect(techniques(['T9999'], [])).toEqual([])
  })
})
