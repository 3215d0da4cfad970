// A CVE whose sources send the longest texts that a feed reads: the service cuts them, and its pages stay usable.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { loadFolder } from '../../../service/test/support/catalog/load-catalog.ts'
import { type ConsoleSetup, SAMPLE_TIME } from './journey-setup.ts'

const ID = 'CVE-2026-99999'
/** Controls that turn the direction of text, Hebrew letters, and no space at which a line could break. */
const TEXT = `\u202eFixed\u2066\u05d0\u05d1\u05d2${'x😀'.repeat(300_000)}`
/** The time within which a page must be usable, times ten: a busy machine must not make the journeys fail. */
const MAX_USABLE_MS = 20_000

const NVD_RECORD = {
  id: ID,
  sourceIdentifier: 'a@example.com',
  published: '2026-08-20T10:00:00.000',
  lastModified: '2026-08-20T12:00:00.000',
  vulnStatus: 'Received',
  descriptions: [{ lang: 'en', value: TEXT }],
  references: Array.from({ length: 200 }, (_, index) => ({
    url: `https://example.com/${index}/${'x'.repeat(7900)}`,
    source: 'a@example.com',
    tags: ['Patch'],
  })),
}

const CVE_RECORD = {
  dataType: 'CVE_RECORD',
  dataVersion: '5.1',
  cveMetadata: {
    cveId: ID,
    state: 'PUBLISHED',
    assignerShortName: 'example',
    datePublished: '2026-08-20T10:00:00.000Z',
    dateUpdated: '2026-08-20T10:00:00.000Z',
  },
  containers: {
    cna: {
      providerMetadata: { shortName: 'example', dateUpdated: '2026-08-20T10:00:00.000Z' },
      title: TEXT,
      descriptions: [{ lang: 'en', value: TEXT }],
      affected: Array.from({ length: 40 }, (_, index) => ({
        vendor: `${index} \u202e\u05d0${'v'.repeat(7000)}`,
        product: `${index} \u202e\u05d0${'p'.repeat(9000)}`,
        versions: [{ version: `1.${index}`, status: 'affected' }],
      })),
      references: [{ url: 'https://example.com/' }],
    },
  },
}

const ADVISORY = {
  id: 'GHSA-aaaa-bbbb-cccc',
  modified: '2026-08-20T10:00:00Z',
  published: '2026-08-20T10:00:00Z',
  aliases: [ID],
  summary: TEXT,
  details: TEXT,
  affected: [{ package: { ecosystem: 'npm', name: 'example' }, ranges: [] }],
  references: [],
  database_specific: { github_reviewed: true },
}

async function loadLongTexts(databaseUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vis-long-texts-'))
  const nvd = {
    resultsPerPage: 1,
    startIndex: 0,
    totalResults: 1,
    format: 'NVD_CVE',
    version: '2.0',
    timestamp: '2026-08-21T18:00:00.000',
    vulnerabilities: [{ cve: NVD_RECORD }],
  }
  await writeFile(join(folder, 'nvdcve-2.0-recent.json'), JSON.stringify(nvd))
  await writeFile(join(folder, 'cvelist5.ndjson'), `${JSON.stringify(CVE_RECORD)}\n`)
  await writeFile(join(folder, 'ghsa.ndjson'), `${JSON.stringify(ADVISORY)}\n`)
  await loadFolder(databaseUrl, folder, SAMPLE_TIME)
  await rm(folder, { recursive: true })
}

/** Opens a page and returns the time until it has painted the wanted part and reacts. */
async function measure(page: Page, open: () => Promise<void>, wanted: string): Promise<number> {
  const start = performance.now()
  await open()
  await page.locator(wanted).first().waitFor()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return Math.round(performance.now() - start)
}

const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

export function describeLongTexts(setup: ConsoleSetup): void {
  describe('Console: a CVE with 900,000 characters in its texts', () => {
    it('has a page and list rows that stay usable, show part of the text, and keep its direction', async () => {
      await loadLongTexts(setup.databaseUrl)
      const { page, open, problems } = await setup.openSignedIn({ viewport: { width: 1440, height: 900 } })

      const usualMs = await measure(page, () => open('/cves/CVE-2021-44228'), 'bdi')
      const pageMs = await measure(page, () => open(`/cves/${ID}`), 'bdi')
      console.log(`page of a CVE with the longest texts: usable after ${pageMs} ms (an ordinary CVE: ${usualMs} ms)`)
      expect(pageMs).toBeLessThan(MAX_USABLE_MS)
      await page.getByRole('heading', { name: 'Description' }).waitFor()
      const shown = await page.evaluate<string>('document.body.innerText')
      expect(shown.length).toBeLessThan(60_000)
      expect(shown).not.toMatch(CONTROLS)
      expect(shown).toContain('\ufffdFixed')

      const more = page.getByRole('button', { name: 'Show 20,000 of' }).first()
      const moreMs = await measure(page, () => more.click(), 'bdi')
      console.log(`20,000 more characters: ${moreMs} ms`)
      expect(moreMs).toBeLessThan(MAX_USABLE_MS)

      const listMs = await measure(page, () => open('/cves?sort=-modified'), 'tr[data-index]')
      console.log(`list with the CVE: usable after ${listMs} ms`)
      expect(listMs).toBeLessThan(MAX_USABLE_MS)
      expect(await page.evaluate<string>('document.body.innerText')).not.toMatch(CONTROLS)
      expect(problems).toEqual([])
    })
  })
}
