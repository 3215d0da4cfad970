import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../../../catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../../../catalog/source-fixtures.ts'
import { startTestService } from '../../../support/service.ts'

const { api, database, logLines, metrics } = await startTestService()
const catalog = await createCatalogHarness(database.url)

const CPE = 'cpe:2.3:a:examplesoft:router:2.1:*:*:*:*:*:*:*'
const [SURE, VAGUE] = ['CVE-2026-2001', 'CVE-2026-2002']
await catalog.storeRecord(
  'nvd',
  SURE,
  nvdRecord(SURE, {
    metrics: { cvssMetricV31: [nvdRating('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8)] },
    configurations: [configure({ criteria: CPE.replace(':2.1:', ':*:'), versionEndExcluding: '2.4' })],
  }),
)
await catalog.storeRecord(
  'nvd',
  VAGUE,
  nvdRecord(VAGUE, { configurations: [configure({ criteria: CPE.replace(':2.1:', ':-:') })] }),
)
const ADVISORY = 'GHSA-2222-3333-4444'
const LARK = {
  advisories: [ADVISORY],
  title: 'A flaw in lark',
  published: '2026-08-01T10:00:00Z',
  withdrawn: false,
  scores: [],
  products: [{ vendor: 'npm', product: 'lark', status: 'affected', cpe: null, purl: 'pkg:npm/lark', fixed: '1.2.3' }],
}
await catalog.selectRows(`
  insert into source.ghsa_advisory (ghsa_id, cve_id, content_hash, modified, record)
  values ('${ADVISORY}', null, '', '2026-08-02T10:00:00Z', '${JSON.stringify(LARK)}')
`)
await catalog.publish()

function configure(match: object) {
  return { nodes: [{ operator: 'OR', negate: false, cpeMatch: [{ vulnerable: true, ...match }] }] }
}

const ROUTER = { type: 'library', 'bom-ref': 'router', name: 'Router', version: '2.1', cpe: CPE }
const cycloneDx = (components: readonly unknown[], more: object = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
  components,
  ...more,
})
const send = (body: string | Buffer, query = '', headers = {}) =>
  api.send('POST', `/api/v1/sbom${query}`, { body, headers })
const scan = async (body: object, query = '') => {
  const { status, json } = await send(JSON.stringify(body), query)
  expect([status, json.error]).toEqual([200, undefined])
  return json.data
}

describe('POST /api/v1/sbom: responses', () => {
  it('rates hits on a component known only by its name one step lower', async () => {
    const named = { type: 'library', name: 'Router', version: '2.1', publisher: 'ExampleSoft' }
    const data = await scan(cycloneDx([named]))
    expect(data.components[0].interpreted_as).toEqual({
      vendor: 'examplesoft',
      product: 'router',
      version: '2.1',
      identified_by: 'product',
    })
    expect(data.components[0].matches).toMatchObject([{ id: SURE, confidence: 'medium' }])
  })

  it('with fail_on, says whether a component is affected at that level', async () => {
    expect((await scan(cycloneDx([ROUTER]), '?fail_on=P4')).gate.result).toBe('failed')
    expect((await scan(cycloneDx([ROUTER]), '?fail_on=P0')).gate.result).toBe('incomplete')
    const { json } = await send(JSON.stringify(cycloneDx([])), '?fail_on=P3&priority_max=P1')
    expect([json.error.parameter, json.error.message]).toEqual([
      'fail_on',
      'fail_on must not be less urgent than priority_max',
    ])
  })

  it('accepts the CycloneDX and SPDX media types, and gzip', async () => {
    const body = JSON.stringify(cycloneDx([ROUTER]))
    for (const type of [
      'application/vnd.cyclonedx+json; version=1.6',
      'application/vnd.cyclonedx+json;version="1.6"; charset=utf-8',
      'application/spdx+json',
    ])
      expect((await send(body, '', { 'Content-Type': type })).status).toBe(200)
    expect((await send(gzipSync(body), '', { 'Content-Encoding': 'gzip' })).status).toBe(200)
    const refused = await send(body, '', { 'Content-Encoding': 'br' })
    expect([refused.status, refused.headers['accept-encoding']]).toEqual([415, 'gzip, identity'])
    expect((await send(body, '', { 'Content-Type': 'text/xml' })).status).toBe(415)
  })
})

describe('POST /api/v1/sbom: suppressed hits and VEX documents', () => {
  const suppressed = { id: SURE, reason: 'The feature is switched off.' }

  it('hides hits that a suppression list or an OpenVEX document rules out', async () => {
    const data = await scan({ document: cycloneDx([ROUTER]), suppress: [suppressed] })
    expect(data.components[0]).toMatchObject({ matches: [], suppressed: [suppressed] })
    const lark = { type: 'library', name: 'lark', purl: 'pkg:npm/lark@1.2.0' }
    expect((await scan(cycloneDx([lark]))).components[0].matches).toMatchObject([{ id: ADVISORY }])
    const statement = {
      vulnerability: { name: ADVISORY },
      products: [{ '@id': 'pkg:oci/shop', subcomponents: [{ '@id': 'pkg:npm/lark@1.2.0' }] }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
    }
    const suppress = { '@context': 'https://openvex.dev/ns/v0.2.0', statements: [statement] }
    const other = { ...lark, purl: 'pkg:npm/lark@1.1.0' }
    const judged = await scan({ document: cycloneDx([lark, other]), suppress })
    expect(judged.components).toMatchObject([
      { matches: [], suppressed: [{ id: ADVISORY, reason: 'vulnerable_code_not_in_execute_path' }] },
      { matches: [{ id: ADVISORY }], suppressed: [] },
    ])
  })

  it('returns an OpenVEX document with an action for affected components and the reason for suppressed hits', async () => {
    const { document } = await scan(cycloneDx([ROUTER]), '?format=openvex&confidence_min=low')
    const products = [{ '@id': CPE, identifiers: { cpe23: CPE } }]
    expect(document).toMatchObject({ '@context': 'https://openvex.dev/ns/v0.2.0', version: 1 })
    expect(document.statements).toMatchObject([
      { vulnerability: { name: SURE }, products, status: 'affected', action_statement: expect.stringContaining('2.4') },
      { vulnerability: { name: VAGUE }, products, status: 'under_investigation' },
    ])
    const judged = await scan({ document: cycloneDx([ROUTER]), suppress: [suppressed] }, '?format=openvex')
    expect(judged.document.statements).toEqual([
      { vulnerability: { name: VAGUE }, products, status: 'under_investigation', status_notes: expect.any(String) },
      { vulnerability: { name: SURE }, products, status: 'not_affected', impact_statement: suppressed.reason },
    ])
  })

  it('states at most matches_per_component undecided and listed hits of a component, the listed ones first', async () => {
    const { document } = await scan(cycloneDx([ROUTER]), '?format=openvex&matches_per_component=1')
    expect(document.statements).toMatchObject([{ vulnerability: { name: SURE }, status: 'affected' }])
  })

  it('says under investigation for a component without a version, for each CVE of its product', async () => {
    const unversioned = { type: 'library', name: 'Router', cpe: CPE.replace(':2.1:', ':*:') }
    const { document } = await scan(cycloneDx([unversioned]), '?format=openvex')
    expect(document.statements).toMatchObject([
      {
        vulnerability: { name: SURE },
        status: 'under_investigation',
        status_notes: 'Sources name versions of router, and the component has none.',
      },
      { vulnerability: { name: VAGUE }, status: 'under_investigation' },
    ])
  })

  it('returns a CycloneDX document with the components affected by its vulnerabilities', async () => {
    const { document } = await scan(
      cycloneDx([ROUTER, { ...ROUTER, version: '3.0', cpe: CPE.replace('2.1', '3.0') }]),
      '?format=cyclonedx_vex',
    )
    expect(document).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: [
        { 'bom-ref': 'router', name: 'Router', version: '2.1', cpe: CPE },
        { 'bom-ref': 'component-1', properties: [{ name: 'vis:verdict', value: 'possibly_affected' }, {}] },
      ],
      vulnerabilities: [
        { id: SURE, analysis: { state: 'exploitable', response: ['update'] }, affects: [{ ref: 'router' }] },
        { id: VAGUE, analysis: { state: 'in_triage' }, affects: [{ ref: 'router' }] },
        { id: VAGUE, analysis: { state: 'in_triage' }, affects: [{ ref: 'component-1' }] },
      ],
    })
  })
})

describe('POST /api/v1/sbom: rejected documents', () => {
  it.each([
    ['specVersion', cycloneDx([], { specVersion: '1.3' }), ['1.4', '1.5', '1.6', '1.7']],
    ['document.specVersion', { document: cycloneDx([], { specVersion: 2 }) }, ['1.4', '1.5', '1.6', '1.7']],
    ['spdxVersion', { spdxVersion: 'SPDX-2.1' }, ['SPDX-2.2', 'SPDX-2.3']],
    ['bomFormat', { bomFormat: 'Other' }, ['CycloneDX']],
  ])('returns a 400 that names %s and the allowed values', async (parameter, body, allowed) => {
    const { status, json } = await send(JSON.stringify(body))
    expect([status, json.error.parameter, json.error.details.errors[0].allowed]).toEqual([400, parameter, allowed])
  })

  it('logs nothing from a document', async () => {
    await scan(cycloneDx([{ ...ROUTER, name: 'secret-name', 'bom-ref': 'secret-ref' }]))
    await send('{"secret-text')
    expect(logLines.join('\n')).not.toContain('secret-')
    expect(await metrics.text()).toContain('vis_documents_total{result="answered"}')
  })
})
