import { describe, expect, it } from 'vitest'
import { ALIAS_FORMS } from '../../service/src/domain/source/alias.ts'
import { findAdvisoryUrl, findIssuer, isAlias } from '../src/text/alias.ts'

/** Words such as "bit-torrent" look like ids of Bitnami, and the service holds no ids of the other two. */
const UNKNOWN = ['BIT', 'EUVD', 'GCVE']

describe('ids of advisories', () => {
  it.each(Object.entries(ALIAS_FORMS).filter(([name]) => !UNKNOWN.includes(name)))(
    'recognises the example of %s in any letter case, with its issuer',
    (_name, { example, issuer }) => {
      expect(isAlias(example.toLowerCase())).toBe(true)
      expect(findIssuer(example)).toBe(issuer)
    },
  )

  it.each(['CVE-2021-44228', 'log4j', 'bit-torrent', 'KB12', 'GHSA-jfh8-c2jp', ''])(
    'does not recognise "%s"',
    (text) => {
      expect(isAlias(text)).toBe(false)
    },
  )

  it('links an advisory to its issuer', () => {
    expect(findAdvisoryUrl('RHSA-2021:5127')).toBe('https://access.redhat.com/errata/RHSA-2021:5127')
    expect(findAdvisoryUrl('KB5008212')).toBe('https://support.microsoft.com/help/5008212')
    expect(findAdvisoryUrl('JVNDB-2021-005429')).toBeUndefined()
  })
})
