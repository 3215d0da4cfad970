import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog/catalog-setup.ts'
import { advisory, storeCsaf } from '../catalog/csaf-documents.ts'
import { cveListRecord, nvdRating, nvdRecord } from '../catalog/source-fixtures.ts'
import { advisoryRecord, storeOsv } from '../support/advisories.ts'
import { runCommand } from '../support/run-command.ts'

const V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const EMPTY = { metrics: {}, weaknesses: [], configurations: [] }
const RATED = { ...EMPTY, metrics: { cvssMetricV31: [nvdRating(V31, 9.8)] } }
const FIXED = {
  affected: [
    {
      vendor: 'example',
      product: 'widget',
      defaultStatus: 'unaffected',
      versions: [{ version: '1.0', lessThan: '1.4', status: 'affected', versionType: 'semver' }],
    },
  ],
}
const [BOTH, NVD_ONLY, REJECTED] = ['CVE-2024-0001', 'CVE-2025-0002', 'CVE-2025-0003']

interface Row {
  readonly source: string
  readonly counts: Readonly<Record<string, { readonly cves: number; readonly alone: number }>>
}

describe('vis-server catalog coverage', async () => {
  const catalog = await createCatalogHarness()
  await catalog.storeRecord('nvd', BOTH, nvdRecord(BOTH, RATED))
  await catalog.storeRecord('cve', BOTH, cveListRecord(BOTH, FIXED))
  await catalog.storeRecord('nvd', NVD_ONLY, nvdRecord(NVD_ONLY, RATED))
  await catalog.storeRecord('cve', REJECTED, cveListRecord(REJECTED, FIXED, 'REJECTED'))
  await catalog.storeKev([{ cveId: BOTH }])
  const remediations = [{ category: 'vendor_fix', details: 'Update.', product_ids: ['R21'] }]
  const statuses = { known_affected: ['R21'], known_not_affected: ['Hub'] }
  await storeCsaf(
    catalog.context.session.db,
    'csaf-cisco',
    advisory('cisco-sa-router-4711', NVD_ONLY, { product_status: statuses, remediations }),
  )
  await catalog.publish()
  const run = (...args: string[]) =>
    runCommand(['catalog', 'coverage', ...args], { DATABASE_URL: catalog.url, NODE_ENV: 'test' })

  it('counts the CVEs of each year with a score, a product and a fix', async () => {
    const { stdout } = await run()

    expect(stdout).toMatch(/\bCVES\s+SCORE\s+WEAKNESS\s+PRODUCT\s+FIX\s+DESCRIPTION\n2024\s+1\s+1\s+1\s+1\s+1\s+1\n/)
    expect(stdout).toMatch(/\n2025\s+1\s+1\s+0\s+0\s+1\s+1\n$/)
  })

  it('counts what each source gives, and what no other source gives', async () => {
    const { cves, sources } = JSON.parse((await run('--sources', '--json')).stdout)

    const counts = Object.fromEntries(sources.map((each: Row) => [each.source, each.counts]))
    expect(cves, 'rejected CVEs are not counted').toBe(2)
    expect(counts['nvd'].record).toEqual({ cves: 2, alone: 0 })
    expect(counts['nvd'].score).toEqual({ cves: 2, alone: 2 })
    expect(counts['nvd'].fix).toEqual({ cves: 0, alone: 0 })
    expect(counts['cve']).toMatchObject({ record: { cves: 1, alone: 0 }, fix: { cves: 1, alone: 1 } })
    expect(counts['kev'].record).toEqual({ cves: 1, alone: 0 })
    expect(counts['csaf-cisco'], 'a fix in words has no version').toMatchObject({
      fix: { cves: 0, alone: 0 },
      stated_fix: { cves: 1, alone: 1 },
      not_affected: { cves: 1, alone: 1 },
      remediation: { cves: 1, alone: 1 },
    })
  })

  it('prints a table of the sources', async () => {
    const { stdout, stderr } = await run('--sources')

    expect(stdout).toMatch(/nvd\s+2 \(0\)\s+2 \(2\)\s+–/)
    expect(`${stdout}${stderr}`).toContain('2 CVEs, without rejected ones.')
  })
})

describe('vis-server catalog coverage --sources', () => {
  it('counts a source that is only an entry of a family under its own name', async () => {
    const catalog = await createCatalogHarness()
    await catalog.storeRecord('nvd', NVD_ONLY, nvdRecord(NVD_ONLY, RATED))
    const record = { ...advisoryRecord('RubyGems', 'gem/lark', '1.2'), cve_ids: [NVD_ONLY], aliases: [] }
    await storeOsv(catalog, 'rubysec', 'rubysec:lark/1', record)
    await catalog.selectRows(`
      insert into source.osv_advisory_cve (feed, advisory_id, cve_id)
      values ('rubysec', 'rubysec:lark/1', '${NVD_ONLY}')
    `)
    await catalog.publish()
    const command = ['catalog', 'coverage', '--sources', '--json']
    const { stdout } = await runCommand(command, { DATABASE_URL: catalog.url, NODE_ENV: 'test' })

    const found = JSON.parse(stdout).sources.find(({ source }: Row) => source === 'rubysec')
    expect(found.counts).toMatchObject({
      record: { cves: 1, alone: 0 },
      affected: { cves: 1, alone: 1 },
      fix: { cves: 1, alone: 1 },
      score: { cves: 0, alone: 0 },
    })
  })
})
