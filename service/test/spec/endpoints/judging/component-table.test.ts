// Nothing unknown may read as clean, in any form of the answer (decision E29).
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { publishTableCatalog, TABLE } from '../../../support/component-table.ts'
import { startTestService } from '../../../support/service.ts'

const { api, database } = await startTestService()
await publishTableCatalog(await createCatalogHarness(database.url))

const components = TABLE.map(({ component }) => component)
const answer = (await api.send('POST', '/api/v1/match', { body: JSON.stringify({ components }) })).json.data

const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: TABLE.map(({ title, component }, index) => ({
    type: 'library',
    'bom-ref': `row-${index}`,
    name: title,
    ...component,
  })),
}
const scan = async (query = '') =>
  (await api.send('POST', `/api/v1/sbom${query}`, { body: JSON.stringify(sbom) })).json.data

describe('The verdict of a component', () => {
  it.each(TABLE.map((row, index) => ({ ...row, index })))('$verdict: $title', ({ verdict, gap, index }) => {
    const { verdict: found, coverage_gap } = answer.components[index]
    expect([found, coverage_gap]).toEqual([verdict, gap])
  })

  it('comes with the databases that judge it, whether they are complete, and their age', () => {
    const find = (text: string) => answer.components[TABLE.findIndex(({ title }) => title === text)].coverage
    expect(find('a package that a stale database does not name')).toEqual([
      { source: 'ghsa', complete: true, as_of: '2026-08-22T00:00:00Z', stale: false },
      { source: 'osv-rustsec', complete: true, as_of: '2025-02-01T00:00:00Z', stale: true },
    ])
    expect(find('a package that no loaded database names')).toEqual([
      { source: 'ghsa', complete: true, as_of: '2026-08-22T00:00:00Z', stale: false },
      { source: 'osv-pypa', complete: false, as_of: null, stale: true },
    ])
    expect(find('a generic package')).toEqual([])
  })

  it('is counted in the summary, with the reasons for gaps and the oldest database', () => {
    const { summary } = answer
    const count = (verdict: string) => TABLE.filter((row) => row.verdict === verdict).length
    expect(summary).toMatchObject({
      affected: count('affected'),
      possibly_affected: count('possibly_affected'),
      not_covered: count('not_covered'),
      not_affected: count('not_affected'),
      no_known_advisory: count('no_known_advisory'),
      oldest_data: { source: 'osv-rustsec', as_of: '2025-02-01T00:00:00Z', as_of_basis: 'released' },
    })
    expect(summary.coverage).toEqual(
      Object.fromEntries(
        Object.keys(summary.coverage).map((gap) => [gap, TABLE.filter((row) => (row.gap ?? 'covered') === gap).length]),
      ),
    )
  })

  it('is the same for an SBOM', async () => {
    const { components: scanned } = await scan()
    expect(scanned.map((each: { verdict: string }) => each.verdict)).toEqual(TABLE.map(({ verdict }) => verdict))
  })

  it.each(TABLE.map((row, index) => ({ ...row, index })))('is the same for a list of CVEs: $title', async (row) => {
    const query = new URLSearchParams({ ...row.component, limit: '1' })
    const { component } = (await api.get(`/api/v1/cves?${query}`)).json.data
    const { verdict, coverage_gap, coverage } = answer.components[row.index]
    expect(component).toMatchObject({ verdict, coverage_gap, coverage })
  })
})

const isClean = (verdict: string) => verdict === 'not_affected' || verdict === 'no_known_advisory'
const CLEAN = TABLE.flatMap(({ verdict }, index) => (isClean(verdict) ? [`row-${index}`] : []))

describe('A component that is not known to be clean', () => {
  it('makes a gate fail or remain incomplete', async () => {
    const { gate } = await scan('?fail_on=P4')
    const named = (gate.reasons as { components: { ref: string }[] }[]).flatMap((each) => each.components)
    const expected = sbom.components.map((each) => each['bom-ref']).filter((ref) => !CLEAN.includes(ref))
    expect(new Set(named.map(({ ref }) => ref))).toEqual(new Set(expected))
  })

  it('has no statement not_affected or fixed in OpenVEX and CycloneDX', async () => {
    const openVex = (await scan('?format=openvex&confidence_min=low')).document
    const statuses = openVex.statements.map(({ status }: { status: string }) => status)
    expect(new Set(statuses)).toEqual(new Set(['affected', 'under_investigation']))
    const cycloneDx = (await scan('?format=cyclonedx_vex&confidence_min=low')).document
    const states = cycloneDx.vulnerabilities.map((each: { analysis: { state: string } }) => each.analysis.state)
    expect(new Set(states)).toEqual(new Set(['exploitable', 'in_triage']))
  })
})
