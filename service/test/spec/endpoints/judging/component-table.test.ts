// Nothing unknown may read as clean, in any form of the answer (decision E29).
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { publishTableCatalog, TABLE, type TableRow } from '../../../support/component-table.ts'
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

const isClean = (verdict: string) => verdict === 'not_affected' || verdict === 'no_known_advisory'
const listRefs = (isListed: (row: TableRow) => boolean) =>
  TABLE.flatMap((row, index) => (isListed(row) ? [`row-${index}`] : []))
const CLEAN = listRefs(({ verdict }) => isClean(verdict))
const [AFFECTED, POSSIBLY] = (['affected', 'possibly_affected'] as const).map((word) =>
  listRefs(({ verdict }) => verdict === word),
)

describe('The verdict of a component', () => {
  it.each(TABLE.map((row, index) => ({ ...row, index })))('$verdict: $title', ({ verdict, gap, index }) => {
    const { verdict: found, coverage_gap } = answer.components[index]
    expect([found, coverage_gap]).toEqual([verdict, gap])
  })

  it('comes with the databases that judge it, whether they are complete, and their age', () => {
    const find = (text: string) => answer.components[TABLE.findIndex(({ title }) => title === text)].coverage
    const current = ['cve', 'ghsa'].map((source) => {
      return { source, complete: true, as_of: '2026-08-22T00:00:00Z', stale: false }
    })
    expect(find('a package that a stale database does not name')).toEqual([
      ...current,
      { source: 'osv-rustsec', complete: true, as_of: '2025-02-01T00:00:00Z', stale: true },
    ])
    expect(find('a package that no loaded database names')).toEqual([
      ...current,
      { source: 'osv-pypa', complete: false, as_of: null, stale: true },
    ])
    expect(find('a generic package')).toEqual([])
  })

  it('comes with a count of CVEs without a known order, unless they are about other releases only', () => {
    const refs = TABLE.flatMap((_, index) => (answer.components[index].unordered_total > 0 ? [`row-${index}`] : []))
    expect(refs.length).toBeGreaterThan(0)
    for (const ref of refs) expect(POSSIBLY).toContain(ref)
  })

  it('is counted in the summary, with the reasons for gaps and the oldest database', () => {
    const { overview } = answer
    const count = (verdict: string) => TABLE.filter((row) => row.verdict === verdict).length
    expect(overview).toMatchObject({
      components_total: TABLE.length,
      by_verdict: {
        affected: count('affected'),
        possibly_affected: count('possibly_affected'),
        not_covered: count('not_covered'),
        not_affected: count('not_affected'),
        no_known_advisory: count('no_known_advisory'),
      },
      oldest_data: { source: 'osv-rustsec', as_of: '2025-02-01T00:00:00Z', as_of_basis: 'released' },
    })
    expect(overview.by_coverage_gap).toEqual(
      Object.fromEntries(
        Object.keys(overview.by_coverage_gap).map((gap) => [
          gap,
          TABLE.filter((row) => (row.gap ?? 'covered') === gap).length,
        ]),
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

interface VexStatement {
  readonly status: string
  readonly products: readonly { readonly identifiers: { readonly purl?: string; readonly cpe23?: string } }[]
}

interface VexComponent {
  readonly 'bom-ref': string
  readonly properties: readonly { readonly name: string; readonly value: string }[]
}

describe('A component that is not known to be clean', () => {
  it('makes a gate fail or remain incomplete', async () => {
    const { gate } = await scan('?fail_on=P4')
    const named = (gate.findings as { listed: { ref: string }[] }[]).flatMap((each) => each.listed)
    const expected = sbom.components.map((each) => each['bom-ref']).filter((ref) => !CLEAN.includes(ref))
    expect(new Set(named.map(({ ref }) => ref))).toEqual(new Set(expected))
  })

  it.each(['low', 'medium', 'high'])(
    'is affected or under investigation in OpenVEX, and counted if it is not covered, with confidence_min=%s',
    async (confidence) => {
      const { statements, tooling } = (await scan(`?format=openvex&confidence_min=${confidence}`)).document
      const findStatuses = (ref: string) => {
        const { purl, cpe } = { purl: undefined, cpe: undefined, ...sbom.components[Number(ref.slice(4))] }
        const own = (statements as VexStatement[]).filter(({ products: [product] }) =>
          [product?.identifiers.purl, product?.identifiers.cpe23].includes(purl ?? cpe),
        )
        return new Set(own.map(({ status }) => status))
      }
      for (const ref of AFFECTED ?? []) expect(['affected', 'under_investigation']).toContain([...findStatuses(ref)][0])
      for (const ref of POSSIBLY ?? []) expect([...findStatuses(ref)], ref).toEqual(['under_investigation'])
      const statuses = new Set((statements as VexStatement[]).map(({ status }) => status))
      expect([...statuses].filter((each) => each !== 'affected')).toEqual(['under_investigation'])
      const gaps = TABLE.filter(({ gap }) => gap !== null).length
      expect(tooling).toContain(`No complete and current database judges ${gaps} of ${TABLE.length} components`)
    },
  )

  it.each(['low', 'medium', 'high'])(
    'is exploitable, in triage or listed with its gap in CycloneDX, with confidence_min=%s',
    async (confidence) => {
      const { components: listed, vulnerabilities } = (await scan(`?format=cyclonedx_vex&confidence_min=${confidence}`))
        .document
      const states = new Map<string, string>()
      for (const { analysis, affects } of vulnerabilities) states.set(affects[0].ref, analysis.state)
      expect(new Set(states.keys())).toEqual(new Set([...(AFFECTED ?? []), ...(POSSIBLY ?? [])]))
      for (const ref of POSSIBLY ?? []) expect(states.get(ref), ref).toBe('in_triage')
      for (const state of states.values()) expect(['exploitable', 'in_triage']).toContain(state)
      const gaps = Object.fromEntries(
        listed.map(({ 'bom-ref': ref, properties }: VexComponent) => [
          ref,
          properties.find(({ name }) => name === 'vis:coverage_gap')?.value ?? null,
        ]),
      )
      for (const [index, { gap }] of TABLE.entries()) expect(gaps[`row-${index}`] ?? null, `row ${index}`).toBe(gap)
    },
  )

  it('is only called not affected or fixed by a judgement of the caller, for its own CVE', async () => {
    const index = TABLE.findIndex(({ title }) => title === 'a covered package whose version has no order')
    const id = 'GHSA-2222-3333-4441'
    for (const [status, state] of [
      ['not_affected', 'not_affected'],
      ['fixed', 'resolved'],
    ]) {
      const statement = { vulnerability: { name: id }, products: [{ '@id': 'pkg:npm/lark@newest' }], status }
      const suppress = { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [statement] }
      const body = JSON.stringify({ document: sbom, suppress })
      const send = async (format: string) =>
        (await api.send('POST', `/api/v1/sbom?format=${format}`, { body })).json.data.document
      const judged = (await send('openvex')).statements.filter((each: VexStatement) => each.status === status)
      expect(judged).toMatchObject([{ vulnerability: { name: id }, products: [{ '@id': 'pkg:npm/lark@newest' }] }])
      const states = (await send('cyclonedx_vex')).vulnerabilities.filter(
        ({ analysis }: { analysis: { state: string } }) => analysis.state === state,
      )
      expect(states).toMatchObject([{ id, affects: [{ ref: `row-${index}` }] }])
    }
  })
})
