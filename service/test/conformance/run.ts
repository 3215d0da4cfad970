// npm run conformance: the black-box suite of ../shared/conformance against a service of its own, with the real data of
// ../shared/data, notices from our fixtures, and accounts of our own making.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startWorld } from './world.ts'

interface Check {
  readonly section: string
  readonly name: string
}

interface Result extends Check {
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly reason?: string
  readonly trace?: readonly string[]
}

interface SuiteClient {
  keys: Record<string, unknown>
  agent: { destroy(): void }
  usage(): Promise<unknown>
}

const suite = resolve(process.argv[2] ?? '../shared/conformance')
const data = resolve(suite, '../data')
for (const [what, folder] of [
  ['conformance suite', suite],
  ['real data', data],
] as const) {
  if (existsSync(folder)) continue
  process.stderr.write(`SKIPPED: there is no ${what} at ${folder}. Name the suite: npm run conformance -- <folder>\n`)
  process.exit(0)
}

const SECTIONS = [
  'service',
  'auth',
  'protocol',
  'validation',
  'cve',
  'batch',
  'search',
  'paging',
  'recent',
  'kev',
  'detail',
  'agreement',
  'hostile',
  'credits',
  'ratelimit',
  'invariants',
]
/** These compare with the time of the service, which is set; credits and limits go by the database's, which is not. */
const BY_OUR_CLOCK = new Set(['batch', 'recent'])
const systemNow = Date.now
const load = (file: string) => import(pathToFileURL(resolve(suite, file)).href)

const world = await startWorld(data)
const { Client } = await load('lib/client.mjs')
const { runAll } = await load('lib/check.mjs')
const { createWorld } = await load('lib/world.mjs')

const api: SuiteClient = new Client({ url: world.url, keys: world.keys })
const context = { api, world: createWorld(api), start: await api.usage() }
const results: Result[] = []
for (const name of SECTIONS) {
  const { default: checksOf } = await load(`checks/${name}.mjs`)
  if (BY_OUR_CLOCK.has(name)) Date.now = () => systemNow() + world.aheadMs
  results.push(...(await runAll(checksOf, context, () => {})))
  Date.now = systemNow
}
api.agent.destroy()
await world.stop()
report()

function report(): void {
  const isVerbose = process.argv.includes('--verbose')
  const having = (status: Result['status']) => results.filter((each) => each.status === status)
  for (const { section, name } of isVerbose ? having('passed') : [])
    process.stdout.write(`passed  ${section}: ${name}\n`)
  for (const { section, name, reason } of having('skipped'))
    process.stdout.write(`SKIPPED ${section}: ${name}\n        ${reason}\n`)
  for (const { section, name, reason, trace = [] } of having('failed')) {
    process.stdout.write(
      `FAILED  ${section}: ${name}\n        ${reason}\n${trace.map((line) => `        > ${line}\n`).join('')}`,
    )
  }
  const counts = (['passed', 'failed', 'skipped'] as const).map((status) => `${having(status).length} ${status}`)
  process.stdout.write(`${results.length} checks: ${counts.join(', ')}\n`)
  process.exitCode = having('failed').length > 0 ? 1 : 0
}
