import { describe, expect, it } from 'vitest'
import { chosen, published, rating, V2, V30, V31, V40 } from '../records.ts'

describe('cvss', () => {
  it('has the CVSS object of version 3.1', () => {
    expect(published({ resolved: { v3: chosen(rating(V31)) } }).fragments.cvss).toEqual({
      v3_1: {
        version: '3.1',
        vectorString: V31,
        baseScore: 9.8,
        baseSeverity: 'CRITICAL',
        attackVector: 'NETWORK',
        attackComplexity: 'LOW',
        privilegesRequired: 'NONE',
        userInteraction: 'NONE',
        scope: 'UNCHANGED',
        confidentialityImpact: 'HIGH',
        integrityImpact: 'HIGH',
        availabilityImpact: 'HIGH',
      },
    })
  })

  it('has a v3.0-only CVE in v3_1 with version "3.0"', () => {
    expect(published({ resolved: { v3: chosen(rating(V30)) } }).fragments.cvss).toMatchObject({
      v3_1: { version: '3.0', vectorString: V30, baseScore: 5.5, baseSeverity: 'MEDIUM' },
    })
  })

  it('has v3_1: null where there is no v3 at all, and no v4_0 where there is none', () => {
    expect(published({ resolved: { v2: chosen(rating(V2)) } }).fragments.cvss).toEqual({ v3_1: null })
  })

  it("has v4_0 with FIRST's names for CVEs with v4.0 scores", () => {
    const { v4_0: version4, v3_1: version3 } = Object(
      published({ resolved: { v4: chosen(rating(V40)) } }).fragments.cvss,
    )
    expect(version3).toBeNull()
    expect(version4).toMatchObject({ version: '4.0', vectorString: V40, attackRequirements: 'PRESENT' })
    expect(Object.keys(version4)).toEqual([
      'version',
      'vectorString',
      'baseScore',
      'baseSeverity',
      'attackVector',
      'attackComplexity',
      'attackRequirements',
      'privilegesRequired',
      'userInteraction',
      'vulnConfidentialityImpact',
      'vulnIntegrityImpact',
      'vulnAvailabilityImpact',
      'subConfidentialityImpact',
      'subIntegrityImpact',
      'subAvailabilityImpact',
    ])
  })

  it('has baseSeverity "NONE" for a score of 0.0', () => {
    const harmless = rating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N')
    const { fragments, columns } = published({ resolved: { v3: chosen(harmless), score: chosen(harmless) } })
    expect(fragments.cvss).toMatchObject({ v3_1: { baseScore: 0, baseSeverity: 'NONE' } })
    expect(fragments.severity).toBe(0)
    expect(columns.score).toBe(0)
  })
})

describe('severity', () => {
  it('is the one score, whatever its version', () => {
    const { fragments, columns } = published({ resolved: { score: chosen(rating(V2)) } })
    expect(fragments.severity).toBe(6)
    expect(columns.score).toBe(6)
  })

  it('is null where nobody has scored', () => {
    expect(published({}).fragments.severity).toBeNull()
  })
})
