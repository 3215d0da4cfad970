import { describe, expect, it } from 'vitest'
import type { Resolved } from '../../../src/catalog/model/resolved.ts'
import type { ReferenceData, SourceData } from '../../../src/catalog/model/source-data.ts'
import { render } from '../../../src/catalog/render/render.ts'
import {
  buildFix,
  chosen,
  claim,
  euKevEntry,
  exploit,
  kev,
  rating,
  reference,
  referenceData,
  resolved,
  sourceData,
  V2,
  V30,
  V31,
  V40,
} from '../records.ts'

/** Renders a CVE and returns its search values and its add-on `exploits`. */
function renderValues(cve: Partial<Resolved>, data: Partial<SourceData> = {}, known: Partial<ReferenceData> = {}) {
  const { search, fragments } = render(sourceData(data), resolved(cve), referenceData(known))
  return { ...search, exploits: JSON.parse(fragments.exploits) as { counts: Record<string, number> } | null }
}

describe('Search values: weaknesses and techniques', () => {
  it('list the weaknesses in numeric order', () => {
    const weaknesses = [
      { id: 'CWE-79', by: ['nvd'] },
      { id: 'CWE-502', by: ['cna:maker', 'nvd'] },
    ]
    expect(renderValues({ weaknesses })).toMatchObject({ cwes: ['CWE-79', 'CWE-502'] })
  })

  it('include the parent of each sub-technique once', () => {
    const ids = ['T1059.001', 'T1059.004', 'T1190']
    const mappings = ids.map((techniqueId) => ({ techniqueId }))
    const values = renderValues({}, { mappings }, { activeTechniques: new Set(ids) })
    expect(values).toMatchObject({ techniques: ['T1059', 'T1059.001', 'T1059.004', 'T1190'] })
  })
})

describe('Search values: assigner', () => {
  it('is the CNA named in the CVE List, or otherwise the one named by NVD', () => {
    const [nvd, cve] = [claim({ assigner: 'by-nvd' }), claim({ source: 'cve', assigner: 'by-cve' })]
    expect(renderValues({ claims: [nvd, cve] }).assigner).toBe('by-cve')
    expect(renderValues({ claims: [nvd, claim({ source: 'cve' })] }).assigner).toBe('by-nvd')
    expect(renderValues({ claims: [claim()] }).assigner).toBeNull()
  })
})

describe('Search values: exploits', () => {
  it('have maturity 0 and no evidence if nothing is known', () => {
    expect(renderValues({})).toMatchObject({ maturity: 0, evidenceCount: 0, isRansomware: false, exploits: null })
  })

  it.each([
    [1, { exploits: [exploit('poc')] }],
    [2, { exploits: [exploit('exploitdb')] }],
    [3, { exploits: [exploit('metasploit')] }],
    [4, { kev: kev() }],
    [5, { kev: kev({ knownRansomware: true }) }],
  ])('have the maturity %i for %j', (maturity, data) => {
    expect(renderValues({}, data)).toMatchObject({ maturity })
  })

  it('count each item of evidence that the add-on contains', () => {
    const data = { kev: kev(), euKev: euKevEntry(), exploits: [exploit('poc'), exploit('poc', { id: '2' })] }
    const values = renderValues({ references: [reference('a', 'Exploit'), reference('b')] }, data)
    expect(values.evidenceCount).toBe(5)
    expect(Object.values(values.exploits?.counts ?? {}).reduce((sum, each) => sum + each, 0)).toBe(5)
  })

  it('mention ransomware only if CISA lists the CVE and reports ransomware use', () => {
    expect(renderValues({}, { kev: kev({ knownRansomware: true }) }).isRansomware).toBe(true)
    expect(renderValues({}, { euKev: euKevEntry({ exploitation: ['Ransomware'] }) }).isRansomware).toBe(false)
    const removedAt = new Date('2026-08-01T00:00:00Z')
    expect(renderValues({}, { kev: kev({ knownRansomware: true, removedAt }) }).isRansomware).toBe(false)
  })
})

describe('Search values: score version and fix', () => {
  it.each([
    [V2, 2],
    [V30, 3],
    [V31, 3],
    [V40, 4],
  ])('contain the major version of %s', (vector, version) => {
    expect(renderValues({ score: chosen(rating(vector)) }).scoreVersion).toBe(version)
  })

  it('contain no version without a score', () => {
    expect(renderValues({}).scoreVersion).toBeNull()
  })

  it('report a fix only if a source names a fixed version', () => {
    expect(renderValues({ fixes: [buildFix()] }).hasFix).toBe(true)
    expect(renderValues({ fix: chosen({ kind: 'release' }) }).hasFix).toBe(false)
  })
})
