import { existsSync, readFileSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { ERRORS } from '../../../src/contract/response/errors.ts'
import { GUIDE } from '../../../src/documentation/guide/index.ts'
import { STYLE } from '../../../src/documentation/style.ts'
import { PLANS } from '../../../src/domain/account/plan.ts'
import { DATA_SOURCES } from '../../../src/domain/source/sources.ts'
import { cleanUpAfterTests } from '../../support/cleanup.ts'
import { startTestService } from '../../support/service.ts'

const { api } = await startTestService()

const paths = GUIDE.map(({ path }) => path)
const page = async (path: string) => (await api.get(path, { key: null })).text
const stripTags = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll('&amp;', '&')

/** Computes the contrast of two colors (WCAG 2.2), from 1 to 21. */
function computeContrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(computeLuminance).sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function computeLuminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

describe('API guide', () => {
  it.each(paths)('serves %s without a key, without inline scripts and without files from other hosts', async (path) => {
    const { status, headers, text } = await api.get(path, { key: null })

    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(text.match(/<script.*?>/g)).toEqual(['<script type="module" src="/docs/copy.js">'])
    expect(text).not.toMatch(/<style| style=| on[a-z]+=|(src|<link[^>]* href)="(https?:)?\/\//)
  })

  it('has no dead links', async () => {
    const pages = new Map(await Promise.all(paths.map(async (path) => [path as string, await page(path)] as const)))
    const links = [...pages].flatMap(([path, text]) =>
      Array.from(text.matchAll(/href="([/#][^"]*)"/g), ([, href = '']) => ({ path, href })),
    )
    const dead = links.filter(({ path, href }) => {
      const [target = '', anchor] = (href.startsWith('#') ? path + href : href).split('#')
      const text = pages.get(target)
      if (text === undefined) return !['/docs', '/docs/style.css', '/favicon.ico', '/openapi.json'].includes(target)
      return anchor !== undefined && !text.includes(`id="${anchor}"`)
    })

    expect(links.length).toBeGreaterThan(50)
    expect(dead).toEqual([])
  })

  it('shows colored code in every language, and no highlighter runs in production', async () => {
    const text = await page('/docs/guide')
    expect(text).toContain('<span class="hljs-string">&quot;X-API-Key: <span class="hljs-variable">$VIS_API_KEY</span>')
    expect(text).toContain('<span class="hljs-keyword">await</span> client.')
    expect(text).toContain('<span class="hljs-keyword">with</span> urlopen')
    expect(text).toContain('<span class="hljs-attr">&quot;cve_id&quot;</span>')
    expect(await page('/docs/guide/recipes')).not.toContain('-<span class="hljs-built_in">')
    const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
    expect(dependencies).not.toHaveProperty('highlight.js')
  })

  it('uses colors with a contrast of at least 4.5 to 1 for text and code, in light and dark mode', () => {
    const colors = new Map(
      Array.from(STYLE.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g), ([, name = '', ...pair]) => [
        name,
        pair,
      ]),
    )
    const texts = [...colors.keys()].filter((name) => /^(ink|faint|link|code-)/.test(name))
    expect(texts).toEqual(['ink', 'faint', 'link', 'code-keyword', 'code-string', 'code-name', 'code-number'])
    for (const background of ['paper', 'raised', 'mark']) {
      for (const text of background === 'mark' ? ['ink'] : texts) {
        for (const scheme of [0, 1]) {
          const contrast = computeContrast(colors.get(text)?.[scheme] ?? '', colors.get(background)?.[scheme] ?? '')
          expect(contrast, `${text} on ${background}, ${scheme === 0 ? 'light' : 'dark'}`).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  })

  it('lists every error code with its status and meaning', async () => {
    const text = await page('/docs/guide/errors')
    for (const [code, { status, meaning }] of Object.entries(ERRORS)) {
      expect(stripTags(text)).toMatch(new RegExp(`${code}\\s+${status}\\s+`))
      expect(stripTags(text)).toContain(meaning.replaceAll('"', '&quot;'))
    }
  })

  it('lists the price of every endpoint, and every plan', async () => {
    const text = stripTags(await page('/docs/guide/credits'))
    for (const { method, path, credits } of endpoints) {
      const row = text.split('\n').find((line) => line.includes(`${method} ${path} `))
      expect(row?.trim()).toMatch(new RegExp(`\\s${credits === 0 ? 'free' : credits}$`))
    }
    for (const plan of Object.keys(PLANS)) expect(text).toContain(plan)
  })

  it('lists the range and the default of the limit parameter for each list endpoint', async () => {
    const text = stripTags(await page('/docs/guide/pagination'))
    expect(text).toMatch(/\/api\/v1\/cves\s+1 to 100\s+20/)
    expect(text).toMatch(/\/api\/v1\/cves\/recent\s+1 to 500\s+100/)
    expect(text).toMatch(/\/api\/v1\/kev\s+1 to 500\s+50/)
  })
})

describe('List of attributions', () => {
  it('is shown in full on its guide page', async () => {
    const guide = stripTags(await page('/docs/guide/attributions'))
    expect(guide).toContain('This product uses data from the NVD API but is not endorsed or certified by the NVD.')
    for (const { notice, terms } of Object.values(DATA_SOURCES)) {
      expect(guide).toContain(notice)
      expect(guide).toContain(terms.name)
    }
  })
})

const CHROMIUM = '/usr/bin/chromium'

describe.skipIf(!existsSync(CHROMIUM))('Browser (needs Debian chromium)', () => {
  it.each([
    ['a desktop screen', { width: 1280, height: 900 }],
    ['a phone screen', { width: 390, height: 844 }],
  ])(
    'shows every guide page on %s without horizontal scrolling and without failed requests',
    async (name, viewport) => {
      const tab = await (await launchBrowser()).newPage({ viewport })
      const problems: string[] = []
      tab.on('console', (message) => problems.push(message.text()))
      tab.on('requestfailed', (request) => problems.push(request.url()))

      for (const path of paths) {
        await tab.goto(`http://127.0.0.1:${api.port}${path}`)
        expect(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true)
        await takeScreenshots(tab, `${path.split('/').slice(2).join('-')} on ${name}`)
      }
      expect(problems).toEqual([])
    },
  )

  it("lets a keyboard user skip the guide's navigation and focus wide code blocks", async () => {
    const tab = await (await launchBrowser()).newPage({ viewport: { width: 390, height: 844 } })
    await tab.goto(`http://127.0.0.1:${api.port}/docs/guide`)

    await tab.keyboard.press('Tab')
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await tab.keyboard.press('Enter')
    expect(await tab.evaluate('document.activeElement.id')).toBe('content')
    await tab.keyboard.press('Tab')
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Copy')
    await tab.keyboard.press('Tab')
    expect(await tab.evaluate('document.activeElement.tagName')).toBe('PRE')
  })

  it('copies the code in a block when its copy button is pressed', async () => {
    const context = await (await launchBrowser()).newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const tab = await context.newPage()
    await tab.goto(`http://127.0.0.1:${api.port}/docs/guide`)
    const block = tab.locator('figure.python')

    await block.getByRole('button', { name: 'Copy' }).press('Enter')
    await block.getByRole('button', { name: 'Copied' }).waitFor()

    const copied = await tab.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(await block.locator('code').textContent())
    expect(copied).toMatch(/^import json, os\nfrom urllib/)
    expect(await tab.getByRole('status').textContent()).toBe('Copied to the clipboard.')
    expect(await tab.locator('figure.answer button').count()).toBe(0)
  })

  it('shows the guide without buttons if JavaScript is off', async () => {
    const tab = await (await launchBrowser()).newPage({ javaScriptEnabled: false })
    await tab.goto(`http://127.0.0.1:${api.port}/docs/guide`)

    expect(await tab.locator('figure.commands').count()).toBeGreaterThan(2)
    expect(await tab.locator('button').count()).toBe(0)
  })
})

let browser: Promise<Browser> | undefined

function launchBrowser(): Promise<Browser> {
  if (!browser) {
    browser = chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
    cleanUpAfterTests(async () => (await browser)?.close())
  }
  return browser
}

/**
 * Writes screenshots of the guide for manual review:
 * SCREENSHOTS=folder npx vitest run --project service service/test/spec/documentation/guide.test.ts
 */
async function takeScreenshots(tab: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme })
    await tab.screenshot({ path: `${folder}/${name}, ${colorScheme}.png`.replaceAll(/,? /g, '-'), fullPage: true })
  }
}
