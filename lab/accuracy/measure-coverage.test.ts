import { expect, it } from 'vitest'
import { createCatalogHarness } from '../../service/test/catalog/catalog-setup.ts'
import { cveListRecord, nvdRating, nvdRecord } from '../../service/test/catalog/source-fixtures.ts'
import { measureCoverage } from './measure-coverage.ts'

const VECTOR = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'
const RATED = {
  metrics: [{ cvssV3_1: { version: '3.1', vectorString: VECTOR, baseScore: 7.5, baseSeverity: 'HIGH' } }],
}
const NOT_ANALYZED = { metrics: {}, weaknesses: [], configurations: [] }

it('measures per year what NVD alone and all sources together provide, and counts scores that contradict their vector', async () => {
  const catalog = await createCatalogHarness()
  await catalog.storeRecord('nvd', 'CVE-2025-1000', nvdRecord('CVE-2025-1000', NOT_ANALYZED))
  await catalog.storeRecord('cve', 'CVE-2025-1000', cveListRecord('CVE-2025-1000', RATED))
  await catalog.storeRecord('cve', 'CVE-2025-1001', cveListRecord('CVE-2025-1001', {}, 'REJECTED'))
  const wrong = nvdRecord('CVE-2026-1000', { metrics: { cvssMetricV31: [nvdRating(VECTOR, 9.8)] } })
  await catalog.storeRecord('nvd', 'CVE-2026-1000', wrong)
  await catalog.storeRecord('cve', 'CVE-2026-1001', cveListRecord('CVE-2026-1001', RATED))
  const progress: number[] = []

  const coverage = await measureCoverage(catalog.context.session, (done) => progress.push(done))

  const [none, all] = [
    { nvdAlone: 0, nvdMerged: 0, allMerged: 0 },
    { nvdAlone: 1, nvdMerged: 1, allMerged: 1 },
  ]
  expect(coverage.years).toEqual([
    {
      year: '2025',
      inNvd: 1,
      all: 1,
      having: { severity: { ...none, nvdMerged: 1, allMerged: 1 }, cwe: none, cpe: none, affected: none },
    },
    {
      year: '2026',
      inNvd: 1,
      all: 2,
      having: { severity: { ...all, allMerged: 2 }, cwe: all, cpe: all, affected: all },
    },
  ])
  expect(coverage).toMatchObject({ ratings: 3, disagreements: new Map([['3.1 nvd', 1]]) })
  expect(coverage.examples).toMatchObject([{ cveId: 'CVE-2026-1000', rating: { statedScore: 9.8, score: 7.5 } }])
  expect(progress).toEqual([4])
})
