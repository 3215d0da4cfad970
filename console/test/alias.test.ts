import { ADVISORY_IDS } from 'vis-sdk/sources'
import { describe, expect, it } from 'vitest'
import { findAdvisoryUrl, findIssuer, isAlias } from '../src/text/alias.ts'

describe('Advisory ids', () => {
  it.each(ADVISORY_IDS)('in the form $form are recognised in any letter case, with their issuer', (form) => {
    expect(isAlias(form.example.toLowerCase())).toBe(form.ambiguous !== true)
    expect(findIssuer(form.example)).toBe(form.issuer)
  })

  it.each(['CVE-2021-44228', 'log4j', 'bit-torrent', 'KB12', 'GHSA-jfh8-c2jp', ''])('do not include "%s"', (text) => {
    expect(isAlias(text)).toBe(false)
  })

  it('link to their issuer', () => {
    expect(findAdvisoryUrl('RHSA-2021:5127')).toBe('https://access.redhat.com/errata/RHSA-2021:5127')
    expect(findAdvisoryUrl('KB5008212')).toBe('https://support.microsoft.com/help/5008212')
    expect(findAdvisoryUrl('JVNDB-2021-005429')).toBeUndefined()
  })
})
