import { describe, expect, it } from 'vitest'
import { listAliases } from '../../../src/catalog/render/aliases.ts'
import { cve, resolved, vendor } from '../builders.ts'
import { claim } from '../records.ts'

const GHSA = 'GHSA-jfh8-c2jp-5v3q'

describe('Aliases of a CVE (decision E32)', () => {
  it('are the ids of advisories, as stated by the databases that issue them', () => {
    const claims = [
      claim({ source: 'ghsa', provider: 'ghsa', advisories: [GHSA] }),
      claim({ source: 'osv', provider: 'osv:go', advisories: ['GO-2021-0113', 'CVE-2021-38561'] }),
      claim({ source: 'redhat', provider: 'redhat', advisories: ['RHSA-2024:4312', 'RHBA-2024:4313'] }),
      claim({ source: 'msrc', provider: 'msrc', advisories: ['2024-Aug', 'KB5041580'] }),
    ]
    expect(listAliases({ claims })).toEqual([
      { alias: GHSA, source: 'ghsa' },
      { alias: 'GO-2021-0113', source: 'go' },
      { alias: 'KB5041580', source: 'msrc' },
      { alias: 'RHBA-2024:4313', source: 'redhat' },
      { alias: 'RHSA-2024:4312', source: 'redhat' },
    ])
  })

  it('include no id that another database states', () => {
    const claims = [
      claim({ source: 'osv', provider: 'osv:go', advisories: ['GO-2021-0113', GHSA] }),
      claim({ source: 'osv', provider: 'osv:unknown', advisories: ['PYSEC-2021-335'] }),
    ]
    expect(listAliases({ claims })).toEqual([{ alias: 'GO-2021-0113', source: 'go' }])
  })

  it("include the GHSA id in a record that GitHub wrote as a CNA, but in no other CNA's record", () => {
    const list = (shortName: string, cna: object) =>
      listAliases(resolved([cve({ cna: { providerMetadata: { shortName }, ...cna } })]))
    expect(list('GitHub_M', { source: { advisory: GHSA, discovery: 'UNKNOWN' } })).toEqual([
      { alias: GHSA, source: 'ghsa' },
    ])
    expect(list('GitHub_M', { source: { advisory: 'GHSL-2020-312' } })).toEqual([])
    expect(list('GitHub_M', { references: [{ url: `https://github.com/advisories/${GHSA}` }] })).toEqual([])
    expect(list('php', { source: { advisory: GHSA } })).toEqual([])
  })

  it('are listed once if both the advisory and the record of GitHub name them', () => {
    const record = cve({ cna: { providerMetadata: { shortName: 'GitHub_M' }, source: { advisory: GHSA } } })
    const aliases = listAliases(resolved([record, vendor('ghsa', { advisories: [GHSA] })]))
    expect(aliases).toEqual([{ alias: GHSA, source: 'ghsa' }])
  })

  it('include no id in a link', () => {
    const url = `https://github.com/maker/thing/security/advisories/${GHSA}`
    expect(listAliases({ claims: [claim({ references: [{ url, by: 'nvd', tags: [] }] })] })).toEqual([])
  })

  it('are listed once, and number at most 500', () => {
    const advisories = Array.from({ length: 600 }, (_, at) => `RHSA-2021:${1000 + at}`)
    const claims = [claim({ source: 'redhat', provider: 'redhat', advisories: ['RHSA-2021:1000', ...advisories] })]
    const aliases = listAliases({ claims })
    expect(aliases).toHaveLength(500)
    expect(aliases.at(0)).toEqual({ alias: 'RHSA-2021:1000', source: 'redhat' })
    expect(aliases.at(-1)).toEqual({ alias: 'RHSA-2021:1499', source: 'redhat' })
  })
})
