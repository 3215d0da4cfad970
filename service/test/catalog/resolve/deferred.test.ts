import { describe, expect, it } from 'vitest'
import { cisa, cve, nvd, resolved } from '../builders.ts'

describe('Resolver: a CVE that NVD deferred', () => {
  it('takes the values that NVD lacks from the CNA and from CISA', () => {
    const metrics = [{ cvssV3_1: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', baseScore: 9.8 } }]
    const versions = [{ version: '1.0', lessThan: '1.2', status: 'affected' }]
    const affected = { vendor: 'ExampleSoft', product: 'Router', versions }
    const problemTypes = [{ descriptions: [{ cweId: 'CWE-787' }] }]
    const filled = resolved([
      nvd({ vulnStatus: 'Deferred' }),
      cve({ cna: { affected: [affected] }, adp: [cisa({ metrics, problemTypes })] }),
    ])
    expect(filled).toMatchObject({
      sourceTag: 'nvd',
      status: { value: 'Deferred', by: 'nvd' },
      score: { value: { score: 9.8 }, by: 'cisa-adp' },
      weaknesses: [{ id: 'CWE-787', by: ['cisa-adp'] }],
      cpe: { by: 'cna:apache', isDerived: true },
      fix: { value: { member: 'lessThan', version: '1.2' }, by: 'cna:apache' },
    })
  })
})
