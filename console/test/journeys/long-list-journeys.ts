// A list of 1,000 rows.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { growCatalog } from '../../../service/test/support/generator/grow-catalog.ts'
import type { ConsoleSetup } from './journey-setup.ts'

/** Copies of the sample, which has about 100 CVEs. */
const COPIES = 11
const ROWS = 1000
const PAGE_ROWS = 50
const ROW_PX = 53

/** Reads the rows that the browser has rendered, and the row in the middle of the window. */
interface RenderedRows {
  readonly count: number
  readonly middle: number
  readonly scrollTop: number
}

const READ_ROWS = `(() => {
  const row = document.elementFromPoint(innerWidth - 300, innerHeight / 2)?.closest('tr[data-index]')
  const count = document.querySelectorAll('tr[data-index]').length
  return { count, middle: Number(row?.dataset.index ?? -1), scrollTop: Math.round(scrollY) }
})()`

const readRows = (page: Page) => page.evaluate<RenderedRows>(READ_ROWS)

export function describeLongList(setup: ConsoleSetup): void {
  describe('Console: a list of 1,000 CVEs', () => {
    it('renders only a few rows while scrolling, and "back" restores rows and position', async () => {
      await growCatalog(setup.databaseUrl, COPIES)
      const { page, open, problems } = await setup.openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/cves')
      await loadRows(page)

      const passed: number[] = []
      for (let top = 0; top < ROWS * ROW_PX; top += 200 * ROW_PX) {
        await page.evaluate(`scrollTo(0, ${top})`)
        await expect.poll(async () => (await readRows(page)).middle).toBeGreaterThan(passed.at(-1) ?? -1)
        const { count, middle } = await readRows(page)
        expect(count).toBeLessThan(80)
        passed.push(middle)
      }
      expect(passed.at(-1)).toBeGreaterThan(ROWS - 300)

      await page.evaluate(`scrollTo(0, ${(ROWS / 2) * ROW_PX})`)
      await expect.poll(async () => (await readRows(page)).middle).toBeGreaterThan(ROWS / 2 - 100)
      const before = await readRows(page)
      const requests: string[] = []
      page.on('request', (request) => requests.push(new URL(request.url()).pathname))
      await page.locator(`tr[data-index="${before.middle}"] a`).click()
      await page.getByRole('heading', { level: 1, name: /CVE-\d/ }).waitFor()
      await page.goBack()
      // A click may scroll its row into view, by less than a row.
      await expect.poll(async () => Math.abs((await readRows(page)).scrollTop - before.scrollTop)).toBeLessThan(ROW_PX)
      await page.getByText(`${ROWS.toLocaleString('en')} of`).waitFor()
      expect(requests).not.toContain('/console/api/v1/cves')
      expect(problems).toEqual([])
    })
  })
}

async function loadRows(page: Page): Promise<void> {
  const more = page.getByRole('button', { name: 'Load 50 more' })
  for (let rows = PAGE_ROWS; rows < ROWS; rows += PAGE_ROWS) {
    await more.click()
    await page.getByText(`${(rows + PAGE_ROWS).toLocaleString('en')} of`).waitFor()
  }
}
