import { describe, expect, it } from 'vitest'
import { toDisplayName } from '../../src/domain/provider-names.ts'

describe('The name of a provider for people', () => {
  it.each([
    ['nvd', 'NVD'],
    ['cisa-adp', 'CISA'],
    ['redhat', 'Red Hat'],
    ['cna:redhat', 'Red Hat'],
    ['cna:GitHub_M', 'GitHub'],
    ['cna:Linux', 'the Linux kernel project'],
    ['adp:palo_alto', 'Palo Alto Networks'],
    ['cna:EEF', 'the Erlang Ecosystem Foundation'],
    ['cna:bc94ec7e', 'an organisation of the CVE Program'],
  ])('of %s is %s', (provider, name) => {
    expect(toDisplayName(provider)).toBe(name)
  })

  it('is the short name of a CNA that is not in the table', () => {
    expect(toDisplayName('cna:Wordfence')).toBe('Wordfence')
    expect(toDisplayName('cna:constructor')).toBe('constructor')
  })
})
