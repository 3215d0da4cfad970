// Measures how fast a browser shows pages of the console, with an empty cache and again with a filled one:
//
//   VIS_API_KEY=… node lab/bench/console/measure.ts before=http://127.0.0.1:3001 after=http://127.0.0.1:3002
//
// With several services, their visits alternate, so that another program's load hits all of them. The key must be valid
// at each of them.
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { formatTable, type Service, summarize } from './figures.ts'
import { signIn, type Visit, visitPage } from './visit.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '/,/cves/CVE-2024-3400,/cves,/kev' },
    visits: { type: 'string', default: '5' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
})
const key = process.env['VIS_API_KEY']
const services = positionals.map(toService)
if (key === undefined || services.length === 0) {
  console.error('Usage: VIS_API_KEY=<key> node lab/bench/console/measure.ts [<name>=]<address> …')
  process.exit(2)
}

function toService(text: string): Service {
  const [, name = text, url = text] = /^([\w-]+)=(.+)$/.exec(text) ?? []
  return { name, url: url.replace(/\/$/, '') }
}

const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const path of values.pages.split(',')) {
    console.log(`\n/console${path}, median of ${values.visits} visits\n`)
    console.log(await measurePage(path))
  }
} finally {
  await browser.close()
}

async function measurePage(path: string): Promise<string> {
  const visits = new Map<string, Visit[]>(services.map(({ name }) => [name, []]))
  for (let turn = 0; turn < Number(values.visits); turn += 1) {
    for (const { name, url } of services) visits.get(name)?.push(...(await visitTwice(url, path)))
  }
  return formatTable([...visits].map(([name, own]) => ({ name, ...summarize(own) })))
}

/** The first visit finds an empty cache, the second one what the first has stored. */
async function visitTwice(url: string, path: string): Promise<readonly Visit[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  try {
    await context.addCookies([await signIn(url, key ?? '')])
    const visit = async () => visitPage(await context.newPage(), `${url}/console${path}`)
    return [await visit(), { ...(await visit()), isWarm: true }]
  } finally {
    await context.close()
  }
}
