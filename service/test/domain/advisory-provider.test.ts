import { describe, expect, it } from 'vitest'
import { ADVISORY_FEEDS, toAdvisoryProvider } from '../../src/domain/source/advisory-provider.ts'

describe('The provider of an advisory', () => {
  it.each([
    ['osv-go', 'osv:go'],
    ['go', 'osv:go'],
    ['ghsa', 'ghsa'],
    ['rubysec', 'rubysec'],
    ['unknown', 'osv:unknown'],
  ])('of %s is %s', (name, provider) => {
    expect(toAdvisoryProvider(name)).toBe(provider)
  })

  it('follows from each feed whose advisories are published without a CVE', () => {
    expect(ADVISORY_FEEDS).toContain('ghsa')
    expect(ADVISORY_FEEDS).toContain('osv-pypa')
    expect(ADVISORY_FEEDS).toContain('friendsofphp')
    expect(ADVISORY_FEEDS).not.toContain('redhat')
  })
})
