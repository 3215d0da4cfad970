import { describe, expect, it } from 'vitest'
import { attackVectorWord, cvssV2Object, cvssV3Object, cvssV4Object } from '../../src/domain/cvss/cvss-object.ts'
import { baseScore, exploitabilityScore, impactScore } from '../../src/domain/cvss/cvss-score.ts'
import { type CvssVector, parseCvssVector } from '../../src/domain/cvss/cvss-vector.ts'

describe('CVSS calculator: base score (decision C5)', () => {
  it.each([
    // Examples from the CVSS 2.0 guide (CVE-2002-0392, CVE-2003-0818, CVE-2003-0062) and boundary cases.
    ['AV:N/AC:L/Au:N/C:N/I:N/A:C', 7.8],
    ['AV:N/AC:L/Au:N/C:C/I:C/A:C', 10],
    ['AV:L/AC:H/Au:N/C:C/I:C/A:C', 6.2],
    ['AV:N/AC:L/Au:N/C:P/I:P/A:P', 7.5],
    ['AV:A/AC:M/Au:S/C:P/I:N/A:N', 2.3],
    ['AV:L/AC:H/Au:M/C:N/I:N/A:P', 0.8],
    ['AV:N/AC:L/Au:N/C:N/I:N/A:N', 0],
    ['AV:L/AC:H/Au:M/C:N/I:N/A:N', 0],
  ])('gives the CVSS 2.0 vector %s the score %d', (text, score) => {
    expect(baseScore(parse(text))).toBe(score)
  })

  it.each([
    // FIRST's examples for CVSS 3.x, with both scopes, each attack vector and each level of privileges.
    ['AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 6.1],
    ['AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
    ['AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
    ['AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
    ['AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
    ['AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
    ['AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
    ['AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:H/A:N', 6.8],
    ['AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 6.8],
    ['AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', 9.3],
    ['AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6],
    ['AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', 10],
    ['AV:P/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N', 1.6],
    ['AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N', 0],
    ['AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:N', 0],
  ])('gives the CVSS 3.0 and 3.1 vector %s the score %d', (metrics, score) => {
    expect([`CVSS:3.0/${metrics}`, `CVSS:3.1/${metrics}`].map((text) => baseScore(parse(text)))).toEqual([score, score])
  })

  it.each([
    // FIRST's examples for CVSS 4.0 without threat and environmental metrics.
    ['AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.3],
    ['AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 7.7],
    ['AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N', 8.3],
    ['AV:L/AC:L/AT:N/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N', 4.6],
    ['AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N', 5.1],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N', 6.9],
    ['AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N', 5.9],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N', 8.7],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 9.3],
    ['AV:A/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:H', 6.4],
    ['AV:P/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 8.6],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H', 10],
    ['AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N', 0],
  ])('gives the CVSS 4.0 vector %s the score %d', (metrics, score) => {
    expect(baseScore(parse(`CVSS:4.0/${metrics}`))).toBe(score)
  })

  it.each([
    ['AV:N/AC:L/Au:N/C:P/I:P/A:P/E:U/RL:OF/RC:UC/CDP:H/TD:L/CR:H/IR:L/AR:ND', 7.5],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:U/RL:O/RC:U/CR:L/MAV:P/MS:C/MC:N', 9.8],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N/E:U/CR:L/MAV:P/MSI:S/S:P/U:Clear', 9.3],
  ])('ignores the optional metrics in the vector %s and computes the score %d', (text, score) => {
    expect(baseScore(parse(text))).toBe(score)
  })

  it.each([
    ['AV:N/AC:L/Au:N/C:P/I:P/A:P', 10, 6.4],
    ['AV:L/AC:H/Au:S/C:N/I:P/A:N', 1.5, 2.9],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 3.9, 5.9],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N', 2.8, 2.7],
    ['CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:N', 3.9, 0],
    ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', undefined, undefined],
  ])(
    'gives the vector %s the exploitability subscore %s and the impact subscore %s',
    (text, exploitability, impact) => {
      expect([exploitabilityScore(parse(text)), impactScore(parse(text))]).toEqual([exploitability, impact])
    },
  )
})

describe('CVSS object builder', () => {
  it('builds all members of a CVSS 3.1 object', () => {
    expect(buildObject('CVSS:3.1/AV:A/AC:H/PR:L/UI:R/S:C/C:H/I:L/A:N/E:P')).toEqual({
      version: '3.1',
      vectorString: 'CVSS:3.1/AV:A/AC:H/PR:L/UI:R/S:C/C:H/I:L/A:N/E:P',
      baseScore: 6.2,
      baseSeverity: 'MEDIUM',
      attackVector: 'ADJACENT_NETWORK',
      attackComplexity: 'HIGH',
      privilegesRequired: 'LOW',
      userInteraction: 'REQUIRED',
      scope: 'CHANGED',
      confidentialityImpact: 'HIGH',
      integrityImpact: 'LOW',
      availabilityImpact: 'NONE',
    })
  })

  it('builds a CVSS 3.0 object with version 3.0 (decision C4)', () => {
    expect(buildObject('CVSS:3.0/AV:P/AC:L/PR:H/UI:N/S:U/C:N/I:N/A:N')).toMatchObject({
      version: '3.0',
      baseScore: 0,
      baseSeverity: 'NONE',
      attackVector: 'PHYSICAL',
      privilegesRequired: 'HIGH',
      scope: 'UNCHANGED',
    })
  })

  it("builds a CVSS 4.0 object with FIRST's names (decision C10)", () => {
    expect(buildObject('CVSS:4.0/AV:A/AC:H/AT:P/PR:L/UI:P/VC:H/VI:L/VA:N/SC:N/SI:H/SA:L')).toEqual({
      version: '4.0',
      vectorString: 'CVSS:4.0/AV:A/AC:H/AT:P/PR:L/UI:P/VC:H/VI:L/VA:N/SC:N/SI:H/SA:L',
      baseScore: 5.7,
      baseSeverity: 'MEDIUM',
      attackVector: 'ADJACENT',
      attackComplexity: 'HIGH',
      attackRequirements: 'PRESENT',
      privilegesRequired: 'LOW',
      userInteraction: 'PASSIVE',
      vulnConfidentialityImpact: 'HIGH',
      vulnIntegrityImpact: 'LOW',
      vulnAvailabilityImpact: 'NONE',
      subConfidentialityImpact: 'NONE',
      subIntegrityImpact: 'HIGH',
      subAvailabilityImpact: 'LOW',
    })
  })

  it('builds a CVSS 2.0 object with CVSS 2.0 severity terms', () => {
    expect(buildObject('AV:A/AC:M/Au:S/C:C/I:P/A:N')).toEqual({
      version: '2.0',
      vectorString: 'AV:A/AC:M/Au:S/C:C/I:P/A:N',
      baseScore: 5.8,
      baseSeverity: 'MEDIUM',
      accessVector: 'ADJACENT_NETWORK',
      accessComplexity: 'MEDIUM',
      authentication: 'SINGLE',
      confidentialityImpact: 'COMPLETE',
      integrityImpact: 'PARTIAL',
      availabilityImpact: 'NONE',
    })
  })

  it.each([
    ['AV:L/AC:L/Au:M/C:P/I:P/A:P', 'local'],
    ['AV:A/AC:L/Au:N/C:P/I:P/A:P', 'adjacent'],
    ['CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'network'],
    ['CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 'adjacent'],
    ['CVSS:4.0/AV:P/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', 'physical'],
  ])('names the attack vector of %s "%s", with the same names for all CVSS versions (decision C17)', (text, word) => {
    expect(attackVectorWord(parse(text))).toBe(word)
  })
})

function parse(text: string): CvssVector {
  const vector = parseCvssVector(text)
  if (vector === undefined) throw new Error(`${text} is not a CVSS vector`)
  return vector
}

function buildObject(text: string) {
  const vector = parse(text)
  switch (vector.version) {
    case '2.0':
      return cvssV2Object(vector)
    case '3.0':
    case '3.1':
      return cvssV3Object(vector)
    case '4.0':
      return cvssV4Object(vector)
  }
}
