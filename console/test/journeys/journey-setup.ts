// A real service with the sample, in a process of its own, and Debian's Chromium.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import type { Plan } from '../../../service/src/domain/account/plan.ts'
import { type AccountFixture, account, createTestKey } from '../../../service/test/support/builders.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { startTestIdentity } from '../../../service/test/support/identity.ts'
import { openMemberSession } from '../../../service/test/support/members.ts'
import { spawnServer } from '../../../service/test/support/processes/spawned-server.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'
import { loadSample } from './load-sample.ts'
import { type MemberNode, startMemberNode } from './member-node.ts'

const CHROMIUM = '/usr/bin/chromium'
const BUILT_CONSOLE = fileURLToPath(new URL('../../dist/index.html', import.meta.url))
/** Time of the sample. The clocks of the service and of the pages are set to it, so that due dates lie around today. */
export const SAMPLE_TIME = '2026-08-21T18:00:00Z'
const POOL_LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
/** Longest wait for a part of a page. A busy machine must not make the journeys fail. */
const PAGE_TIMEOUT_MS = 60_000
const POLL_MS = 50

/** The service and the browser exist while tests run, so its members must be read inside a test. */
export interface ConsoleSetup {
  /** Address of the service, such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly databaseUrl: string
  readonly key: string
  /** Opens the page that all journeys share, with the clock of the sample. Nobody is signed in. */
  openPage(options?: PageOptions): Promise<JourneyPage>
  /** The same with a session that all journeys share, or with a session of the given key or member. */
  openSignedIn(options?: PageOptions & Partial<SessionOptions>): Promise<JourneyPage>
  /** Starts a second node on the same database that allows one read a minute and no sign-in with a key. */
  startLimitedNode(): Promise<string>
  /** Starts a node with accounts of its own on which nobody can sign in. Returns its address. */
  startClosedNode(): Promise<string>
  /**
   * Starts a node on the same database on which people sign in by mail or at an OpenID provider, or sign up. Returns the
   * same node each time.
   */
  startMemberNode(): Promise<MemberNode>
  /** Creates an account and returns its key. */
  createKey(plan?: Plan): Promise<string>
  /** Stores an account and returns its id. */
  createAccount(fixture: AccountFixture): Promise<string>
  stopNode(): Promise<void>
  restartNode(): Promise<void>
  /** Runs SQL statements in the database of the service. */
  runSql(statements: string): Promise<void>
}

interface SessionOptions {
  /** API key that is exchanged for a session. */
  readonly key: string
  /** Id of the member whose session it is. */
  readonly memberId: string
}

interface PageOptions {
  readonly viewport?: { readonly width: number; readonly height: number }
}

interface JourneyPage {
  readonly page: Page
  /** Violations of the content security policy, requests to other origins, and errors of the page so far. */
  readonly problems: readonly string[]
  signIn(key: string): Promise<void>
  /** Opens an address below /console and waits for its heading. */
  open(path: string): Promise<void>
}

const DEFAULT_VIEWPORT = { width: 1280, height: 720 }

/**
 * Starts the service and the browser before the first test of the file. If no test of the file runs, because `-t` selects
 * none, nothing is started: vitest would not run the clean-up, and the processes would keep it from ending.
 */
export function startConsole(): ConsoleSetup {
  let started: ConsoleSetup | undefined
  beforeAll(async () => {
    started = await startService()
  })
  const get = () => {
    if (!started) throw new Error('The console starts before the first test: read its members inside a test.')
    return started
  }
  return {
    get url() {
      return get().url
    },
    get databaseUrl() {
      return get().databaseUrl
    },
    get key() {
      return get().key
    },
    openPage: (options) => get().openPage(options),
    openSignedIn: (options) => get().openSignedIn(options),
    startLimitedNode: () => get().startLimitedNode(),
    startClosedNode: () => get().startClosedNode(),
    startMemberNode: () => get().startMemberNode(),
    createKey: (plan) => get().createKey(plan),
    createAccount: (fixture) => get().createAccount(fixture),
    stopNode: () => get().stopNode(),
    restartNode: () => get().restartNode(),
    runSql: (statements) => get().runSql(statements),
  }
}

async function startService(): Promise<ConsoleSetup> {
  if (!existsSync(BUILT_CONSOLE)) throw new Error('The console is not built: run "npm run build -w console" first.')
  const browserStarts = launchBrowser()
  const database = await createTestDatabase()
  await loadSample(database.url, SAMPLE_TIME)
  const startNode = (environment: Readonly<Record<string, string>>) =>
    spawnServer({
      args: ['serve', '--now', SAMPLE_TIME],
      environment: { ...buildEnvironment(database.url), ...environment },
    })
  const identity = await startTestIdentity({ NODE_ENV: 'test', DATABASE_URL: database.url })
  let node = await startNode({ PORT: '0' })
  cleanUpAfterTests(() => node.stop())
  const { port } = node
  const url = `http://127.0.0.1:${port}`
  const createAccount = (fixture: AccountFixture) => storeAccount(database.url, fixture)
  const createKey = async (plan: Plan = 'pro') => {
    const { key, ...issued } = createTestKey()
    await createAccount(account(plan).withKey({ key, ...issued }))
    return key
  }
  const key = await createKey()
  const cookie = await createSession(url, key)
  const openShared = sharePage(await browserStarts, url)
  return {
    url,
    databaseUrl: database.url,
    key,
    createKey,
    createAccount,
    openPage: (options) => openShared([], options),
    openSignedIn: async (options = {}) => {
      if (options.memberId) return openShared([await createMemberSession(database.url, url, options.memberId)], options)
      return openShared([options.key === undefined ? cookie : await createSession(url, options.key)], options)
    },
    startMemberNode: once(async () => {
      // One process decides about the sign-ins of a database: two with different settings would take each other's requests.
      await identity.stop()
      return startMemberNode(startNode, database.url)
    }),
    startClosedNode: once(async () => {
      const accounts = await createTestDatabase()
      await startTestIdentity({ NODE_ENV: 'test', DATABASE_URL: accounts.url })
      const closed = await startNode({ CONSOLE_KEY_SIGN_IN: 'off', ACCOUNTS_DATABASE_URL: accounts.url })
      cleanUpAfterTests(() => closed.stop())
      return `http://127.0.0.1:${closed.port}`
    }),
    startLimitedNode: once(async () => {
      const limited = await startNode({ CONSOLE_READS_PER_MINUTE: '1', CONSOLE_KEY_SIGN_IN: 'off' })
      cleanUpAfterTests(() => limited.stop())
      return `http://127.0.0.1:${limited.port}`
    }),
    stopNode: () => node.stop(),
    restartNode: async () => {
      node = await startNode({ PORT: String(port) })
    },
    runSql: (statements) => runStatements(database.url, statements),
  }
}

/** Returns a function that calls another one when it is called first, and returns the same result each time. */
function once<Result>(start: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= start()
    return result
  }
}

function buildEnvironment(databaseUrl: string): Readonly<Record<string, string>> {
  return {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    OPS_PORT: '0',
    PORT: '0',
    DRAIN_DELAY_MS: '0',
    CONSOLE_KEY_SIGN_IN: 'on',
    CONSOLE_READS_PER_MINUTE: '10000',
    CONSOLE_READS_PER_DAY: '100000',
    CHARGE_DEADLINE_MS: '10000',
    DATABASE_ACQUIRE_TIMEOUT_MS: '10000',
    MAX_EVENT_LOOP_DELAY_MS: '10000',
  }
}

async function storeAccount(databaseUrl: string, fixture: AccountFixture): Promise<string> {
  const pool = openPool(databaseUrl, 'journeys', POOL_LIMITS, () => {})
  await fixture.store(pool.db)
  await pool.close()
  return fixture.id
}

async function launchBrowser(): Promise<Browser> {
  const args = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    // There is one page at a time, so further processes for pages only take processor time.
    '--renderer-process-limit=1',
    '--in-process-gpu',
  ]
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...args] })
  cleanUpAfterTests(() => browser.close())
  return browser
}

/** Exchanges a key for a session and returns its cookie. */
async function createSession(url: string, key: string): Promise<Cookie> {
  const answer = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: key }),
  })
  const [name = '', value = ''] = (answer.headers.get('Set-Cookie') ?? '').split(/[=;]/, 2)
  return { name, value, url }
}

/** Opens a session of a member and returns its cookie. Cookies do not depend on the port, so all nodes receive it. */
async function createMemberSession(databaseUrl: string, url: string, memberId: string): Promise<Cookie> {
  const [name = '', value = ''] = (await openMemberSession(databaseUrl, memberId)).split('=', 2)
  return { name, value, url }
}

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

interface SharedPage extends JourneyPage {
  readonly problems: string[]
}

/**
 * Opens the page of the journey before with other cookies. A browser context of its own for each journey would load and
 * compile the console anew, which takes three times as much processor time.
 */
function sharePage(browser: Browser, url: string) {
  let shared: SharedPage | undefined
  return async (
    cookies: readonly Cookie[],
    { viewport = DEFAULT_VIEWPORT }: PageOptions = {},
  ): Promise<JourneyPage> => {
    shared ??= await createPage(browser, url)
    const { page, problems } = shared
    // The page of the journey before may still send requests, also while it is left: Today marks what the member has seen.
    // Such a request would take the cookies of this journey.
    await page.evaluate('window.fetch = () => new Promise(() => {})')
    await page.goto('about:blank')
    problems.length = 0
    await page.context().clearCookies()
    await page.context().addCookies([...cookies])
    await page.clock.setFixedTime(SAMPLE_TIME)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize(viewport)
    onTestFinished(async ({ task }) => {
      // A journey that opens the page twice comes here twice.
      if (page.isClosed()) return
      await page.unrouteAll()
      if (task.result?.state === 'pass') return
      // The page may be in any state after a failure.
      shared = undefined
      await page.context().close()
    })
    return shared
  }
}

async function createPage(browser: Browser, url: string): Promise<SharedPage> {
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(PAGE_TIMEOUT_MS)
  const page = await context.newPage()
  const problems = collectProblems(page, url)
  const requests = trackRequests(page)
  const open = async (path: string) => {
    await page.goto(`/console${path}`, { waitUntil: 'commit' })
    await page.locator('h1').first().waitFor()
    await waitUntilLoaded(page, requests)
  }
  const signIn = async (key: string) => {
    await open('/sign-in')
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await waitUntilLoaded(page, requests)
  }
  return { page, problems, open, signIn }
}

/** Returns the requests of a page that have no answer yet. The set changes while the page is open. */
function trackRequests(page: Page): Set<Request> {
  const pending = new Set<Request>()
  // The wait for the next event is no part of loading a page: it is answered when an event comes.
  page.on('request', (request) => {
    if (!new URL(request.url()).searchParams.has('wait')) pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  // Chromium does not report the end of the requests that the page before has abandoned. The new page sends its own when
  // its document arrives.
  page.on('response', (response) => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear()
  })
  return pending
}

/** Counts the grey lines that stand in the place of content that is being loaded, after what the page is about to paint. */
const COUNT_LINES = `new Promise((done) => {
  requestAnimationFrame(() => setTimeout(() => done(document.querySelectorAll('.animate-pulse').length)))
})`

/** Waits until no request is in flight and no content is being loaded, twice in a row: an answer may cause the next request. */
async function waitUntilLoaded(page: Page, requests: ReadonlySet<Request>): Promise<void> {
  const deadline = performance.now() + PAGE_TIMEOUT_MS
  for (let quiet = 0; quiet < 2; ) {
    const lines = await page.evaluate<number>(COUNT_LINES)
    quiet = requests.size === 0 && lines === 0 ? quiet + 1 : 0
    if (performance.now() > deadline) {
      const missing = [...requests].map((request) => request.url()).join(', ')
      throw new Error(
        `After ${PAGE_TIMEOUT_MS} ms, ${page.url()} still has ${lines} grey lines and waits for: ${missing}`,
      )
    }
    await sleep(POLL_MS)
  }
}

/** Chromium reports violations of the content security policy as errors in the console of the page. */
function collectProblems(page: Page, url: string): string[] {
  const problems: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) problems.push(`request to another origin: ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(`error of the page: ${error.message}`))
  return problems
}
