import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { GUIDE } from '../../../src/api/documentation/guide/index.ts'
import { endpoints } from '../../../src/api/endpoints/index.ts'
import { ATTRIBUTIONS } from '../../../src/contract/attributions.ts'
import { ERRORS } from '../../../src/contract/errors.ts'
import { PLANS } from '../../../src/domain/plan.ts'
import { feedPlans } from '../../../src/feeds/index.ts'
import { atEnd } from '../../support/cleanup.ts'
import { testService } from '../../support/service.ts'

const { api } = await testService()

const paths = GUIDE.map(({ path }) => path)
const page = async (path: string) => (await api.get(path, { key: null })).text
const words = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll('&amp;', '&')

describe('The guide', () => {
  it.each(paths)('%s needs no key, runs no script and loads nothing from elsewhere', async (path) => {
    const { status, headers, text } = await api.get(path, { key: null })

    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(text).not.toMatch(/<script|<style| style=| on[a-z]+=|(src|<link[^>]* href)="(https?:)?\/\//)
  })

  it('leads nowhere that is not there', async () => {
    const pages = new Map(await Promise.all(paths.map(async (path) => [path as string, await page(path)] as const)))
    const links = [...pages].flatMap(([path, text]) =>
      Array.from(text.matchAll(/href="([/#][^"]*)"/g), ([, href = '']) => ({ path, href })),
    )
    const dead = links.filter(({ path, href }) => {
      const [target = '', anchor] = (href.startsWith('#') ? path + href : href).split('#')
      const text = pages.get(target)
      if (text === undefined) return !['/docs', '/docs/style.css', '/openapi.json'].includes(target)
      return anchor !== undefined && !text.includes(`id="${anchor}"`)
    })

    expect(links.length).toBeGreaterThan(50)
    expect(dead).toEqual([])
  })

  it('knows every error of the contract', async () => {
    const text = await page('/docs/guide/errors')
    for (const [code, { status, meaning }] of Object.entries(ERRORS)) {
      expect(words(text)).toMatch(new RegExp(`${code}\\s+${status}\\s+`))
      expect(words(text)).toContain(meaning.replaceAll('"', '&quot;'))
    }
  })

  it('knows the price of every call, and every plan', async () => {
    const text = words(await page('/docs/guide/credits'))
    for (const { method, path, credits } of endpoints) {
      const row = text.split('\n').find((line) => line.includes(`${method} ${path} `))
      expect(row?.trim()).toMatch(new RegExp(`\\s${credits === 0 ? 'free' : credits}$`))
    }
    for (const plan of Object.keys(PLANS)) expect(text).toContain(plan)
  })

  it('says how long pages may be, as the endpoints do', async () => {
    const text = words(await page('/docs/guide/pagination'))
    expect(text).toMatch(/\/api\/v1\/cves\s+1 to 100\s+20/)
    expect(text).toMatch(/\/api\/v1\/cves\/recent\s+1 to 500\s+100/)
    expect(text).toMatch(/\/api\/v1\/kev\s+1 to 500\s+50/)
  })
})

describe('Attributions', () => {
  it('cover every feed, each once', () => {
    expect(ATTRIBUTIONS.map(({ feed }) => feed).sort()).toEqual(feedPlans.map((plan) => plan.open({}).feed.name).sort())
  })

  it('stand in the guide and in openapi.json', async () => {
    const [guide, openapi] = [words(await page('/docs/guide/attributions')), await api.get('/openapi.json')]
    expect(guide).toContain('This product uses data from the NVD API but is not endorsed or certified by the NVD.')
    for (const { notice, terms } of ATTRIBUTIONS) {
      for (const text of [guide, openapi.json.info.description]) {
        expect(text).toContain(notice)
        expect(text).toContain(terms.name)
      }
    }
  })
})

const CHROMIUM = '/usr/bin/chromium'

describe.skipIf(!existsSync(CHROMIUM))('In a browser (needs Debian chromium)', () => {
  it.each([
    ['a desk', { width: 1280, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ])('on %s nothing is wider than the screen, and nothing is missing', async (name, viewport) => {
    const tab = await (await launched()).newPage({ viewport })
    const faults: string[] = []
    tab.on('console', (message) => faults.push(message.text()))
    tab.on('requestfailed', (request) => faults.push(request.url()))

    for (const path of paths) {
      await tab.goto(`http://127.0.0.1:${api.port}${path}`)
      expect(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), path).toBe(true)
      await photograph(tab, `${path.split('/').slice(2).join('-')} on ${name}`)
    }
    expect(faults).toEqual([])
  })

  it('the keyboard gets past the navigation, and to code that is wider than the screen', async () => {
    const tab = await (await launched()).newPage({ viewport: { width: 390, height: 844 } })
    await tab.goto(`http://127.0.0.1:${api.port}/docs/guide`)

    await tab.keyboard.press('Tab')
    expect(await tab.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await tab.keyboard.press('Enter')
    expect(await tab.evaluate('document.activeElement.id')).toBe('content')
    await tab.keyboard.press('Tab')
    expect(await tab.evaluate('document.activeElement.tagName')).toBe('PRE')
  })
})

let browser: Promise<Browser> | undefined

function launched(): Promise<Browser> {
  if (!browser) {
    browser = chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
    atEnd(async () => (await browser)?.close())
  }
  return browser
}

/** For people: SCREENSHOTS=folder npx vitest run --project service service/test/spec/documentation/guide.test.ts */
async function photograph(tab: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (!folder) return
  for (const colorScheme of ['light', 'dark'] as const) {
    await tab.emulateMedia({ colorScheme })
    await tab.screenshot({ path: `${folder}/${name}, ${colorScheme}.png`.replaceAll(/,? /g, '-'), fullPage: true })
  }
}
