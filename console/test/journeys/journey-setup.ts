// A real service with the sample, in a process of its own, and Debian's Chromium.
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { openPool } from '../../../service/src/database/postgres.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { loadFolder } from '../../../service/test/support/catalog/load-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { createTestDatabase } from '../../../service/test/support/database.ts'
import { spawnServer } from '../../../service/test/support/processes/spawned-server.ts'
import { runStatements } from '../../../service/test/support/run-statements.ts'

const CHROMIUM = '/usr/bin/chromium'
const SAMPLE = fileURLToPath(new URL('../../../service/sample', import.meta.url))
const BUILT_CONSOLE = fileURLToPath(new URL('../../dist/index.html', import.meta.url))
/** Time of the sample. The clocks of the service and of the pages are set to it, so that due dates lie around today. */
const SAMPLE_TIME = '2026-08-21T18:00:00Z'
const POOL_LIMITS = { poolSize: 1, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }
/** Longest wait for a part of a page. A busy machine must not make the journeys fail. */
const PAGE_TIMEOUT_MS = 60_000
const POLL_MS = 50

export interface ConsoleSetup {
  /** Address of the service, such as `http://127.0.0.1:40123`. */
  readonly url: string
  readonly key: string
  /** Opens a page in a browser of its own, with the clock of the sample. */
  openPage(options?: PageOptions): Promise<JourneyPage>
  /** Starts a second node on the same database, with other settings. Returns its address. */
  startNode(environment: Readonly<Record<string, string>>): Promise<string>
  /** Creates an account and returns its key. */
  createKey(): Promise<string>
  stopNode(): Promise<void>
  restartNode(): Promise<void>
  /** Runs SQL statements in the database of the service. */
  runSql(statements: string): Promise<void>
}

interface PageOptions extends BrowserContextOptions {
  readonly url?: string
}

interface JourneyPage {
  readonly page: Page
  /** Violations of the content security policy, requests to other origins, and errors of the page so far. */
  readonly problems: readonly string[]
  signIn(key: string): Promise<void>
  /** Opens an address below /console and waits for its heading. */
  open(path: string): Promise<void>
}

export async function startConsole(): Promise<ConsoleSetup> {
  if (!existsSync(BUILT_CONSOLE)) throw new Error('The console is not built: run "npm run build -w console" first.')
  const database = await createTestDatabase()
  await loadFolder(database.url, SAMPLE, SAMPLE_TIME)
  const startNode = (environment: Readonly<Record<string, string>>) =>
    spawnServer({
      args: ['serve', '--now', SAMPLE_TIME],
      environment: { ...buildEnvironment(database.url), ...environment },
    })
  let node = await startNode({ PORT: '0' })
  cleanUpAfterTests(() => node.stop())
  const { port } = node
  const url = `http://127.0.0.1:${port}`
  const browser = await launchBrowser()
  const createKey = () => storeAccount(database.url)
  return {
    url,
    key: await createKey(),
    createKey,
    openPage: ({ url: address = url, ...options } = {}) => openPage(browser, address, options),
    startNode: async (environment) => {
      const second = await startNode(environment)
      cleanUpAfterTests(() => second.stop())
      return `http://127.0.0.1:${second.port}`
    },
    stopNode: () => node.stop(),
    restartNode: async () => {
      node = await startNode({ PORT: String(port) })
    },
    runSql: (statements) => runStatements(database.url, statements),
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

async function storeAccount(databaseUrl: string): Promise<string> {
  const pool = openPool(databaseUrl, 'journeys', POOL_LIMITS, () => {})
  const key = createTestKey()
  await account('pro').withKey(key).store(pool.db)
  await pool.close()
  return key.key
}

async function launchBrowser(): Promise<Browser> {
  const args = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...args] })
  cleanUpAfterTests(() => browser.close())
  return browser
}

async function openPage(browser: Browser, url: string, options: BrowserContextOptions): Promise<JourneyPage> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce', ...options })
  cleanUpAfterTests(() => context.close())
  context.setDefaultTimeout(PAGE_TIMEOUT_MS)
  const page = await context.newPage()
  const problems = collectProblems(page, url)
  await page.clock.setFixedTime(SAMPLE_TIME)
  const open = async (path: string) => {
    await page.goto(`/console${path}`)
    await page.locator('h1').first().waitFor()
    await page.waitForLoadState('networkidle')
    await waitUntilLoaded(page)
  }
  const signIn = async (key: string) => {
    await open('/sign-in')
    await page.getByLabel('API key').fill(key)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  }
  return { page, problems, open, signIn }
}

/** Waits until no grey lines stand in the place of content that is being loaded. */
async function waitUntilLoaded(page: Page): Promise<void> {
  const lines = page.locator('.animate-pulse')
  for (let waitedMs = 0; (await lines.count()) > 0 && waitedMs < PAGE_TIMEOUT_MS; waitedMs += POLL_MS)
    await sleep(POLL_MS)
}

/** Chromium reports violations of the content security policy as errors in the console of the page. */
function collectProblems(page: Page, url: string): readonly string[] {
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
