import { describe, expect, it } from 'vitest'
import { chosen, published, rating, V2, V30, V31, V40 } from '../records.ts'

describe('CVE rendering: cvss', () => {
  it('renders all members of a CVSS 3.1 object', () => {
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

  it('renders a CVSS 3.0 rating in v3_1 with version "3.0"', () => {
    expect(published({ resolved: { v3: chosen(rating(V30)) } }).fragments.cvss).toMatchObject({
      v3_1: { version: '3.0', vectorString: V30, baseScore: 5.5, baseSeverity: 'MEDIUM' },
    })
  })

  it('renders v2_0 with CVSS 2.0 severity terms if the score of the CVE is a CVSS 2.0 score (decision E2)', () => {
    const version2 = chosen(rating(V2))
    expect(published({ resolved: { score: version2, v2: version2 } }).fragments.cvss).toEqual({
      v3_1: null,
      v2_0: {
        version: '2.0',
        vectorString: V2,
        baseScore: 6,
        baseSeverity: 'MEDIUM',
        accessVector: 'NETWORK',
        accessComplexity: 'MEDIUM',
        authentication: 'SINGLE',
        confidentialityImpact: 'PARTIAL',
        integrityImpact: 'PARTIAL',
        availabilityImpact: 'PARTIAL',
      },
    })
  })

  it('omits v2_0 if the score of the CVE is from another CVSS version', () => {
    const [version3, version2] = [chosen(rating(V31)), chosen(rating(V2))]
    const { cvss } = published({ resolved: { score: version3, v3: version3, v2: version2 } }).fragments
    expect(Object.keys(Object(cvss))).toEqual(['v3_1'])
  })

  it("renders v4_0 with FIRST's member names for a CVSS 4.0 rating", () => {
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

  it('renders baseSeverity "NONE" for a score of 0.0', () => {
    const harmless = rating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N')
    const { fragments, search } = published({ resolved: { v3: chosen(harmless), score: chosen(harmless) } })
    expect(fragments.cvss).toMatchObject({ v3_1: { baseScore: 0, baseSeverity: 'NONE' } })
    expect(fragments.severity).toBe(0)
    expect(search.score).toBe(0)
  })
})

describe('CVE rendering: severity', () => {
  it('renders the chosen score as severity for every CVSS version', () => {
    const { fragments, search } = published({ resolved: { score: chosen(rating(V2)) } })
    expect(fragments.severity).toBe(6)
    expect(search.score).toBe(6)
  })

  it('renders severity: null for a CVE without a score', () => {
    expect(published({}).fragments.severity).toBeNull()
  })
})
