// Opens a page of the console in a browser and reads what the browser measured.
import type { Page } from 'playwright-core'

/** What a visit of a page cost. Times are in milliseconds since the start of the navigation. */
export interface Visit {
  readonly isWarm: boolean
  /** Requests that left the browser; answers from its cache do not count. */
  readonly requests: number
  /** Calls of the console's API among them. */
  readonly calls: number
  /** Bytes received, compressed and with headers. */
  readonly bytes: number
  /** Start of the first call of the API; null if the page made none. */
  readonly firstCallMs: number | null
  /** Time until the heading of the verdict is in the page; null on pages without one. */
  readonly verdictMs: number | null
  /** Largest contentful paint. */
  readonly paintMs: number
  /** Cumulative layout shift. */
  readonly shift: number
}

/** What the script in the page has collected. */
interface Observed {
  readonly verdictMs: number | null
  readonly paintMs: number
  readonly shift: number
  readonly firstCallMs: number | null
}

const API_PATH = '/console/api/'
/** Time without a request after which a page counts as loaded. */
const QUIET_MS = 700
const POLL_MS = 50
const MAX_WAIT_MS = 60_000

/** Runs in the page before its own scripts. */
const OBSERVE = `
  const observed = { verdictMs: null, paintMs: 0, shift: 0 }
  globalThis.observedSpeed = observed
  performance.setResourceTimingBufferSize(1000)
  new PerformanceObserver((list) => { observed.paintMs = list.getEntries().at(-1).startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) observed.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new MutationObserver(() => {
    if (observed.verdictMs === null && document.querySelector('[data-verdict] :is(h1, h2)'))
      observed.verdictMs = performance.now()
  }).observe(document, { childList: true, subtree: true })
`

const READ = `({
  ...globalThis.observedSpeed,
  firstCallMs: performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.startsWith('${API_PATH}'))
    .map(({ startTime }) => startTime).sort((a, b) => a - b)[0] ?? null,
})`

/** Exchanges a key for a session, and returns its cookie. */
export async function signIn(url: string, key: string) {
  const answer = await fetch(`${url}${API_PATH}session`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: key }),
  })
  const [name, value] = (answer.headers.get('Set-Cookie') ?? '').split(/[=;]/, 2)
  if (!name || !value) throw new Error(`${url} refused the key: ${answer.status} ${await answer.text()}`)
  return { name, value, url }
}

/** Opens an address in a new page, waits until it has requested nothing for a while, and closes the page. */
export async function visitPage(page: Page, url: string): Promise<Visit> {
  await page.addInitScript(OBSERVE)
  const traffic = await watchTraffic(page)
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor({ timeout: MAX_WAIT_MS })
  for (let waitedMs = 0, quietMs = 0; quietMs < QUIET_MS && waitedMs < MAX_WAIT_MS; waitedMs += POLL_MS) {
    quietMs = traffic.pending.size === 0 ? quietMs + POLL_MS : 0
    await page.waitForTimeout(POLL_MS)
  }
  const { requests, calls, bytes } = traffic
  const observed = await page.evaluate<Observed>(READ)
  await page.close()
  return { isWarm: false, requests, calls, bytes, ...observed }
}

/** Counts through the DevTools protocol, which tells the bytes on the wire and which answers came from the cache. */
async function watchTraffic(page: Page) {
  const session = await page.context().newCDPSession(page)
  const pending = new Set<string>()
  const sent = new Map<string, string>()
  const traffic = { pending, requests: 0, calls: 0, bytes: 0 }
  const end = ({ requestId }: { readonly requestId: string }) => {
    pending.delete(requestId)
    const url = sent.get(requestId)
    if (!sent.delete(requestId) || url === undefined) return
    traffic.requests += 1
    if (new URL(url).pathname.startsWith(API_PATH)) traffic.calls += 1
  }
  session.on('Network.requestWillBeSent', ({ requestId, request: { url } }) => {
    if (!url.startsWith('http')) return
    sent.set(requestId, url)
    pending.add(requestId)
  })
  session.on('Network.requestServedFromCache', ({ requestId }) => void sent.delete(requestId))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache === true) sent.delete(requestId)
  })
  session.on('Network.loadingFinished', (event) => {
    if (sent.has(event.requestId)) traffic.bytes += event.encodedDataLength
    end(event)
  })
  session.on('Network.loadingFailed', end)
  await session.send('Network.enable')
  return traffic
}
