// A price is defined only in the `credits` of its endpoint. Every other text takes it from there.
import { describe, expect, it } from 'vitest'
import { findLiteralPrices } from '../../../tools/docs/literal-prices.ts'
import { type OpenApi, renderVocabulary } from '../../../tools/generate/write-vocabulary.ts'
import { endpoints } from '../../src/api/endpoints/index.ts'
import { buildOpenApiDocument } from '../../src/contract/openapi/openapi.ts'
import { GUIDE } from '../../src/documentation/guide/index.ts'
import { buildLlmsText } from '../../src/documentation/llms-text.ts'
import { renderGuidePage } from '../../src/documentation/page.ts'
import { PLANS } from '../../src/domain/account/plan.ts'
import { writeTemporaryDirectory } from '../feeds/temporary-files.ts'

/** The price, and the numbers about nightly scans on the free plan that follow from it. */
const listNumbers = (price: number) => [
  `${(31 * price).toLocaleString('en')} credits`,
  `pay for ${Math.floor(PLANS.free.monthlyCredits / price)} scans`,
  `${price}`,
]
const replaceEach = (text: string, from: readonly string[], to: readonly string[]) =>
  from.reduce((replaced, each, index) => replaced.replaceAll(each, to[index] ?? ''), text)

describe('A price that is changed in the endpoint', () => {
  const price = String(endpoints.find(({ name }) => name === 'scan-sbom')?.credits)
  const changed = endpoints.map((each) => (each.name === 'scan-sbom' ? { ...each, credits: 41.5 } : each))
  // The cast is needed because the document's type does not describe its members.
  const document = buildOpenApiDocument(changed) as unknown as OpenApi

  it("is the price in openapi.json and in the SDK's vocabulary", () => {
    expect(document.paths['/api/v1/sbom']?.['post']).toMatchObject({ 'x-credits': 41.5 })
    expect(renderVocabulary(document)).toContain('  scanSbom: 41.5,\n')
  })

  it('is the price in llms.txt and on every guide page that states it', () => {
    expect(buildLlmsText(GUIDE, changed, null)).toContain('41.5 credits')
    const pages = GUIDE.map((page) => ({
      path: page.path,
      before: renderGuidePage(page, GUIDE, endpoints),
      after: renderGuidePage(page, GUIDE, changed),
    }))
    const states = pages.filter(({ after }) => after.includes('41.5'))
    expect(states.map(({ path }) => path)).toEqual(['/docs/guide/credits', '/docs/guide/sbom'])
    for (const { before, after } of states)
      expect(replaceEach(after, listNumbers(41.5), listNumbers(Number(price)))).toBe(before)
  })
})

describe('The check of texts for callers', () => {
  it.each([
    ['cli/src/scan.ts', 'const text = `Cost: 35 credits.`'],
    ['sdk/src/client.ts', '/** Scans. Costs 1 credit per page. */'],
    ['sdk/src/client.ts', '/**\n * Scans. Costs 35\n * credits.\n */'],
    ['console/src/panel.tsx', '<p>This call costs 0.5 credits.</p>'],
    ['service/src/guide.ts', 'for 2 more credits per CVE'],
    ['cli/README.md', '400 ids cost 8 credits.'],
    ['sdk/src/records.ts', '/** Credits charged: 35 per call. */'],
  ])('finds a price in %s', async (path, text) => {
    expect(await checkText(path, text)).toHaveLength(1)
  })

  it.each([
    ['cli/src/scan.ts', 'const text = formatCredits(PRICES.scanSbom)'],
    ['sdk/src/client.ts', '/** Scans. Costs `PRICES.scanSbom` credits. */'],
    ['service/src/endpoint.ts', 'credits: 35,'],
  ])('accepts a text in %s that takes the price from its definition', async (path, text) => {
    expect(await checkText(path, text)).toEqual([])
  })
})

async function checkText(path: string, text: string) {
  return findLiteralPrices(await writeTemporaryDirectory({ [path]: text }))
}
