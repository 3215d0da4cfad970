import { describe, expect, it } from 'vitest'
import { toDisplayName, toLeadingName } from '../../src/domain/source/provider-names.ts'

describe("A provider's display name", () => {
  it.each([
    ['nvd', 'NVD'],
    ['cisa-adp', 'CISA'],
    ['redhat', 'Red Hat'],
    ['cna:redhat', 'Red Hat'],
    ['cna:GitHub_M', 'GitHub'],
    ['cna:Linux', 'the Linux kernel project'],
    ['adp:palo_alto', 'Palo Alto Networks'],
    ['cna:EEF', 'the Erlang Ecosystem Foundation'],
    ['osv:almalinux', 'AlmaLinux'],
    ['osv:bitnami', 'Bitnami'],
    ['osv:go', 'the Go vulnerability database'],
    ['osv:pypa', 'PyPA'],
    ['osv:rustsec', 'RustSec'],
    ['CVE', 'the CVE Program'],
    ['cna:bc94ec7e', 'an organisation of the CVE Program'],
  ])('for %s is %s', (provider, name) => {
    expect(toDisplayName(provider)).toBe(name)
  })

  it.each([
    ['osv:go', 'The Go vulnerability database'],
    ['cna:bc94ec7e', 'An organisation of the CVE Program'],
    ['osv:pypa', 'PyPA'],
    ['cna:huntrdev', 'huntr'],
  ])('for %s is %s at the start of a sentence', (provider, name) => {
    expect(toLeadingName(provider)).toBe(name)
  })

  it('is the short name of a CNA that is not in the table', () => {
    expect(toDisplayName('cna:Wordfence')).toBe('Wordfence')
    expect(toDisplayName('cna:constructor')).toBe('constructor')
  })
})
