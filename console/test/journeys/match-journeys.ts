// Journeys through the page "Am I affected?".
import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { COVERAGE_GAPS } from '../../../service/src/domain/match-words.ts'
import type { ConsoleSetup } from './journey-setup.ts'
import {
  countClicks,
  findAccessibilityProblems,
  findColorProblems,
  findUnreachableControls,
  isWiderThanWindow,
} from './page-checks.ts'

const COMPONENTS = `# web
pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1
apache http server 2.4.49
http_servre 2.4.50
apache log4j 2.17.1
cpe:2.3:a:apache:log4j:*:*:*:*:*:*:*:*`

const SBOM = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { component: { type: 'application', 'bom-ref': 'shop', name: 'shop', version: '1.0' } },
  components: [
    {
      type: 'library',
      'bom-ref': 'log',
      name: 'log4j-core',
      purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1',
    },
    { type: 'library', 'bom-ref': 'pad', name: 'left-pad', purl: 'pkg:npm/left-pad@1.3.0' },
    { type: 'file', 'bom-ref': 'file', name: '/etc/hosts' },
    { type: 'library', 'bom-ref': 'logging', name: 'logging', purl: 'pkg:generic/logging@1.0' },
  ],
  dependencies: [
    { ref: 'shop', dependsOn: ['logging', 'pad'] },
    { ref: 'logging', dependsOn: ['log'] },
  ],
}

const field = (page: Page) => page.getByLabel('Components, one per line')
const result = (page: Page) => page.getByRole('heading', { name: 'Result', exact: true })

async function checkComponents(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
}

function chooseFile(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'application/json', buffer: Buffer.from(text) }
  return page.getByLabel('Choose an SBOM file').setInputFiles(file)
}

async function readDownload(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}

export function describeMatches(setup: ConsoleSetup): void {
  describe('Console: am I affected', () => {
    it('plans the upgrades, lists the CVEs of pasted components by priority, and says what is not covered', async () => {
      const { page, open, problems } = await setup.openSignedIn({ viewport: { width: 1440, height: 900 } })
      await open('/match')
      expect(await page.title()).toBe('Am I affected? · Vulnerability Intelligence')
      await checkComponents(page, COMPONENTS)
      await page.getByText(/^Incomplete: for 5 of 5 components, not every database can judge them/).waitFor()
      await page.getByText(/ 2 of 5 components are affected, /).waitFor()
      expect(await page.getByText(/ by 4 CVEs and advisories\./).count()).toBe(1)
      const plan = page.getByRole('table', { name: /^Fix plan/ })
      const line = await plan.locator('tbody tr').first().innerText()
      for (const part of ['log4j-core', '2.14.1', '2.16.0', 'minor']) expect(line).toContain(part)
      await plan.getByRole('link', { name: 'CVE-2021-44228' }).first().waitFor()
      await page.getByRole('button', { name: /^Affected hits \d/ }).click()
      const first = page
        .getByRole('table', { name: /^CVEs and advisories/ })
        .locator('tbody tr')
        .first()
      await expect.poll(() => first.innerText()).toMatch(/^CVE-2021-44228\s/)
      expect(await first.innerText()).toContain('2.14.1 is inside.')
      const uncovered = page.getByRole('region', { name: /^Could not be judged/ })
      await uncovered.getByRole('heading', { name: COVERAGE_GAPS.unknown_product }).waitFor()
      // The sample is never complete, so no component is clear.
      expect(await page.getByText(/^The oldest data that decided is of /).count()).toBe(1)
      expect(await page.getByRole('region', { name: /^(?:Not affected|No known advisory)/ }).count()).toBe(0)

      await page.getByRole('button', { name: 'apache http_server' }).click()
      await page.getByText(/ 3 of 5 components are affected/).waitFor()
      expect(await field(page).inputValue()).toContain('\napache http_server 2.4.50\n')
      expect(page.url()).toBe(`${setup.url}/console/match`)
      expect(problems).toEqual([])
    })
  })
}

export function describeSbomMatches(setup: ConsoleSetup): void {
  describe('Console: am I affected, with an SBOM', () => {
    it('checks the components of an SBOM file, and saves the result as OpenVEX', async () => {
      const { page, open, problems } = await setup.openSignedIn()
      await open('/match')
      const count = await countClicks(page)
      await chooseFile(page, 'shop.cdx.json', JSON.stringify(SBOM))
      await page
        .getByText(/2 of 3 components could not be judged: /)
        .and(page.getByText(/ 1 of 3 components is affected/))
        .waitFor()
      await page.getByText('brought in by logging').waitFor()
      await page.getByRole('link', { name: 'CVE-2021-44228' }).first().waitFor()
      await page.getByRole('heading', { name: /^Skipped components/ }).waitFor()
      const [plan] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^Fix plan, Markdown/ }).click(),
      ])
      expect(plan.suggestedFilename()).toBe('fix-plan.md')
      // A person needs two more for the file: the button, and the browser's own window.
      expect(await count(), 'clicks from the chosen file to the saved plan').toBe(1)
      expect(await readDownload(plan)).toMatch(/^# Fix plan for shop\.cdx\.json\n\n## What was checked\n/)
      await page.getByRole('button', { name: 'Export' }).click()
      const [vex] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'OpenVEX' }).click(),
      ])
      expect(vex.suggestedFilename()).toBe('affected.openvex.json')
      expect(JSON.parse(await readDownload(vex)).statements).toContainEqual(
        expect.objectContaining({
          vulnerability: expect.objectContaining({ name: 'CVE-2021-44228' }),
          status: 'affected',
        }),
      )
      expect(problems).toEqual([])
    })
  })
}

export function describeMatchMemory(setup: ConsoleSetup): void {
  describe('Console: am I affected, after leaving the page', () => {
    it('keeps the pasted text for "back", and writes none of it to the address or the storage', async () => {
      const { page, open } = await setup.openSignedIn()
      await open('/match?priority_max=P1')
      await checkComponents(page, 'openssl openssl 1.0.1f')
      await page.getByRole('link', { name: 'CVE-2014-0160' }).first().click()
      await page.getByRole('heading', { name: 'CVE-2014-0160' }).waitFor()
      await page.goBack()
      await result(page).waitFor()
      expect(await field(page).inputValue()).toBe('openssl openssl 1.0.1f')
      expect(await page.getByLabel('Priority', { exact: true }).inputValue()).toBe('P1')
      const kept = await page.evaluate<string>(
        'location.href + JSON.stringify({ ...localStorage, ...sessionStorage }) + JSON.stringify(history.state)',
      )
      expect(kept).not.toContain('1.0.1f')
    })
  })
}

export function describeMatchInput(setup: ConsoleSetup): void {
  describe('Console: am I affected, input', () => {
    it('names the lines that cannot be read, including those that only the service rejects', async () => {
      const { page, open } = await setup.openSignedIn()
      await open('/match')
      await checkComponents(page, 'openssl openssl 1.0.1f\nlog4j\nlodash@4.17.20')
      await page.getByRole('alert').filter({ hasText: 'Line 2: The version is missing.' }).waitFor()
      await page.getByText('pkg:npm/lodash@4.17.20').waitFor()
      expect(await field(page).evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true)
      await checkComponents(page, 'openssl openssl 1.0.1f\n\ncpe:2.3:a:*:*:1:*:*:*:*:*:*:*')
      await page.getByText(/^Line 3: The service does not accept this line: it must be a CPE/).waitFor()
      await field(page).fill('openssl openssl 1.0.1f')
      expect(await page.getByText(/^Line 3:/).count()).toBe(0)
    })

    it('rejects a file that is not an SBOM, and accepts an SBOM that is dropped', async () => {
      const { page, open } = await setup.openSignedIn()
      await open('/match')
      await chooseFile(page, 'bom.xml', '<bom/>')
      await page.getByRole('alert').filter({ hasText: 'bom.xml is XML.' }).waitFor()
      await page.evaluate(`(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['{"spdxVersion":"SPDX-2.3","packages":[{"SPDXID":"SPDXRef-a","name":"a","versionInfo":"1.0"}]}'], 'dropped.json'))
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      })()`)
      // A chosen file is checked at once. The form, with the file, is one press away.
      await page.getByRole('button', { name: 'Check another' }).click()
      const chosen = page.getByRole('region', { name: 'Chosen SBOM' })
      await chosen.getByText('dropped.json').waitFor()
      expect(await chosen.innerText()).toContain('SPDX 2.3')
      await chosen.getByRole('button', { name: 'Remove' }).click()
      await field(page).waitFor()
    })
  })
}

export function describeMatchAccess(setup: ConsoleSetup): void {
  describe('Console: am I affected, by keyboard and for screen readers', () => {
    it('works by keyboard alone, from the first letter to the saved file', async () => {
      const { page, open } = await setup.openSignedIn()
      await open('/match')
      await field(page).focus()
      await page.keyboard.type('openssl openssl 1.0.1f')
      await page.keyboard.press('Control+Enter')
      await page.locator('h2:focus', { hasText: 'Result' }).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.locator('[role=menuitem]:focus', { hasText: 'Markdown' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.locator('[role=menuitem]:focus', { hasText: 'All hits' }).waitFor()
      const [csv] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(csv.suggestedFilename()).toBe('affected.csv')
      expect(await readDownload(csv)).toContain(
        '\r\nP1,CVE-2014-0160,,openssl openssl,1.0.1f,,affected,affected,incomplete,',
      )
      await page.keyboard.press('Enter')
      await page.locator('[role=menuitem]:focus').waitFor()
      await page.keyboard.press('End')
      const [json] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(JSON.parse(await readDownload(json)).overview.by_verdict.affected).toBe(1)
    })

    it.each([1440, 390])('has no serious axe findings with a result at %d px', async (width) => {
      const { page, open, problems } = await setup.openSignedIn({ viewport: { width, height: 900 } })
      await open('/match')
      await checkComponents(page, COMPONENTS)
      await result(page).waitFor()
      expect(await findAccessibilityProblems(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await findColorProblems(page)).toEqual([])
      expect(await isWiderThanWindow(page)).toBe(false)
      expect(await findUnreachableControls(page)).toEqual([])
      expect(problems).toEqual([])
    })
  })
}

export function describeFailedMatches(setup: ConsoleSetup): void {
  describe('Console: am I affected, failed checks', () => {
    it('says that the service does not respond, and checks the same lines again', async () => {
      const { page, open } = await setup.openSignedIn()
      await open('/match')
      await page.context().setOffline(true)
      await checkComponents(page, 'openssl openssl 1.0.1f')
      await page.getByText('The service does not answer').waitFor()
      await page.context().setOffline(false)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('link', { name: 'CVE-2014-0160' }).first().waitFor()
    })

    it('says when checking can continue after too many reads', async () => {
      const url = await setup.startLimitedNode()
      const { page } = await setup.openSignedIn({ key: await setup.createKey() })
      await page.goto(`${url}/console/match`)
      // Eleven components count as two reads, and this node allows one a minute.
      await checkComponents(page, Array.from({ length: 11 }, (_, index) => `apache log4j 2.${index}`).join('\n'))
      await page.getByRole('alert').filter({ hasText: 'Too many reads in a minute' }).waitFor()
      expect(await page.getByRole('button', { name: 'Read again' }).isDisabled()).toBe(true)
    })
  })
}
