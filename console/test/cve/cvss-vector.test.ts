import { describe, expect, it } from 'vitest'
import { describeAttack } from '../../src/pages/cve/model/describe-attack.ts'
import { readCvssVector } from '../../src/text/verdict/cvss-vector.ts'

const V3 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'

function listValues(version: '2.0' | '3.0' | '3.1' | '4.0', vector: string) {
  return readCvssVector(version, vector)?.metrics.map(({ name, value, filled, segments }) => [
    `${name}: ${value}`,
    `${filled}/${segments}`,
  ])
}

describe('CVE page: reading a CVSS vector', () => {
  it('labels every base metric of CVSS 3.1 and fills all segments for the worst values', () => {
    expect(listValues('3.1', V3)).toEqual([
      ['Attack vector: Network', '4/4'],
      ['Attack complexity: Low', '2/2'],
      ['Privileges required: None', '3/3'],
      ['User interaction: None', '2/2'],
      ['Scope: Changed', '2/2'],
      ['Confidentiality: High', '2/2'],
      ['Integrity: High', '2/2'],
      ['Availability: High', '2/2'],
    ])
  })

  it('leaves the bar empty for an impact of None', () => {
    const values = listValues('3.0', 'CVSS:3.0/AV:P/AC:H/PR:H/UI:R/S:U/C:N/I:L/A:N')
    expect(values?.map(([, bar]) => bar)).toEqual(['1/4', '1/2', '1/3', '1/2', '1/2', '0/2', '1/2', '0/2'])
  })

  it('labels the metrics of CVSS 4.0, separately for vulnerable and subsequent systems', () => {
    const values = listValues('4.0', 'CVSS:4.0/AV:A/AC:L/AT:P/PR:L/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:H')
    expect(values?.map(([text]) => text)).toEqual([
      'Attack vector: Adjacent network',
      'Attack complexity: Low',
      'Attack requirements: Present',
      'Privileges required: Low',
      'User interaction: Passive',
      'Confidentiality, vulnerable system: High',
      'Integrity, vulnerable system: Low',
      'Availability, vulnerable system: None',
      'Confidentiality, subsequent systems: None',
      'Integrity, subsequent systems: None',
      'Availability, subsequent systems: High',
    ])
  })

  it('labels the metrics of CVSS 2.0, whose vector has no prefix', () => {
    expect(listValues('2.0', 'AV:N/AC:M/Au:S/C:P/I:N/A:C')).toEqual([
      ['Access vector: Network', '3/3'],
      ['Access complexity: Medium', '2/3'],
      ['Authentication: Single', '2/3'],
      ['Confidentiality: Partial', '1/2'],
      ['Integrity: None', '0/2'],
      ['Availability: Complete', '2/2'],
    ])
  })

  it('lists defined threat and environmental metrics in words and leaves out undefined ones', () => {
    const vector = readCvssVector('3.1', `${V3}/E:P/RL:X/CR:H/MAV:L`)
    expect(vector?.extras).toEqual([
      { code: 'E', name: 'Exploit code maturity', value: 'Proof of concept' },
      { code: 'CR', name: 'Confidentiality requirement', value: 'High' },
      { code: 'MAV', name: 'Attack vector (modified)', value: 'L' },
    ])
  })

  it.each([
    ['a vector of another version', '3.1', 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'],
    ['a vector without availability', '3.1', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H'],
    ['a value that the version does not have', '3.1', V3.replace('UI:N', 'UI:P')],
    ['text that is not a vector', '2.0', 'critical'],
  ] as const)('returns undefined for %s', (_, version, vector) => {
    expect(readCvssVector(version, vector)).toBeUndefined()
  })
})

describe('CVE page: describing an attack in words', () => {
  const describeVector = (version: '2.0' | '3.1' | '4.0', text: string) => {
    const vector = readCvssVector(version, text)
    return vector && describeAttack(vector)
  }

  it('says where the attack comes from, with which privileges and with whose help', () => {
    expect(describeVector('3.1', V3)).toBe(
      'An attacker can exploit it over the network, without an account and without user interaction. High impact on confidentiality, integrity and availability, and other systems are affected as well.',
    )
  })

  it('says when the attack depends on conditions', () => {
    expect(describeVector('4.0', 'CVSS:4.0/AV:L/AC:H/AT:P/PR:H/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N')).toBe(
      'An attacker can exploit it with local access, with an administrator account and with the active help of a user. The attack depends on conditions that the attacker cannot control. The attack works only in certain deployments. Limited impact on confidentiality.',
    )
  })

  it('describes CVSS 2.0, which has no user interaction metric', () => {
    expect(describeVector('2.0', 'AV:A/AC:L/Au:N/C:N/I:N/A:C')).toBe(
      'An attacker can exploit it from a neighbouring network and without an account. High impact on availability.',
    )
  })
})
