import { describe, expect, it } from 'vitest'
import { createCatalogHarness } from '../catalog/catalog-setup.ts'
import { nvdRating, nvdRecord } from '../catalog/source-fixtures.ts'
import { runCommand } from '../support/run-command.ts'

const V31 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'
const EMPTY = { metrics: {}, weaknesses: [], configurations: [] }
const RATED = { metrics: { cvssMetricV31: [nvdRating(V31, 9.8)] } }

interface Row {
  readonly id: string
  readonly count: number
  readonly examples: readonly string[]
}

async function publishCatalog(records: Readonly<Record<string, object>>) {
  const catalog = await createCatalogHarness()
  for (const [id, members] of Object.entries(records))
    await catalog.storeRecord('nvd', id, nvdRecord(id, { ...EMPTY, ...members }))
  await catalog.publish()
  const environment = { DATABASE_URL: catalog.url, NODE_ENV: 'test' }
  return { catalog, run: (...args: string[]) => runCommand(['catalog', 'audit', ...args], environment) }
}

describe('vis-server catalog audit', async () => {
  const { catalog, run } = await publishCatalog({ 'CVE-2024-0001': RATED, 'CVE-2024-0002': {}, 'CVE-2025-0003': {} })
  await catalog.selectRows(`update catalog.cve_document set description = '"<p>A flaw.</p>"'`)

  it('checks the stored rows and prints counts, examples and the coverage by year', async () => {
    const { code, stdout } = await run('--examples', '2')

    expect(code).toBe(0)
    expect(stdout).toMatch(/html-tags\s+3\s+.*CVE-2024-0001 CVE-2024-0002\n/)
    expect(stdout).toMatch(/Round trip: 15 served values .* 0 differences\n/)
    expect(stdout).toMatch(/entities\s+0\s/)
    expect(stdout).toMatch(/2024\s+2\s+1\s+0\s+0\s+0\s+2\n2025\s+1\s+0/)
  })

  it('prints JSON for scripts', async () => {
    const { checks, years, cves, roundTrip } = JSON.parse((await run('--json', '--examples', '1')).stdout)

    expect(cves).toBe(3)
    expect(checks.find(({ id }: Row) => id === 'html-tags')).toMatchObject({ count: 3, examples: ['CVE-2024-0001'] })
    expect(roundTrip.differences).toEqual([])
    expect(roundTrip.compared).toMatchObject({ scores: 3, dates: 9 })
    expect(years).toContainEqual({ year: '2025', cves: 1, score: 0, weakness: 0, product: 0, fix: 0, description: 1 })
  })

  it('compares the values of one CVE with the raw records', async () => {
    expect((await run('--cve', 'cve-2024-0001')).stdout).toMatch(/^\s*Round trip: 7 served values .* 0 differences\n$/)
    expect(JSON.parse((await run('--cve', 'CVE-2024-0001', '--json')).stdout).roundTrip.compared.scores).toBe(3)
    expect((await run('--cve', 'GHSA-1')).stderr).toContain('--cve takes a CVE id, not "GHSA-1".')
  })

  it('counts the CVEs that have lost a value since an earlier catalog', async () => {
    const later = await publishCatalog({ 'CVE-2024-0001': {}, 'CVE-2024-0002': {} })

    const { stdout } = await later.run('--json', '--compare', catalog.url)

    const { losses, cves } = JSON.parse(stdout)
    const found = losses.filter(({ count }: Row) => count > 0).map(({ id, examples }: Row) => [id, examples])
    expect(cves).toBe(3)
    expect(found).toEqual([
      ['record', ['CVE-2025-0003']],
      ['score', ['CVE-2024-0001']],
    ])
  })

  it('rejects a number of examples that is not a number', async () => {
    expect((await run('--examples', 'many')).stderr).toMatch(/--examples takes a number from 0 to 1000, not "many"/)
  })
})
