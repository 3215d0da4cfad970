// npm run conformance: the black-box suite of ../shared/conformance against the service, with accounts of our own making.
// A check that asks for an endpoint that does not exist yet is listed as waiting, even if it passes: it would by accident.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { endpoints } from '../../src/api/endpoints/index.ts'
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
  call(method: string, path: string, options?: { root?: boolean }): Promise<unknown>
}

const suite = resolve(process.argv[2] ?? '../shared/conformance')
if (!existsSync(suite)) {
  process.stderr.write(
    `SKIPPED: there is no conformance suite at ${suite}. Name its folder: npm run conformance -- <folder>\n`,
  )
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
const load = (file: string) => import(pathToFileURL(resolve(suite, file)).href)

const world = await startWorld()
const { Client } = await load('lib/client.mjs')
const { runAll } = await load('lib/check.mjs')
const { createWorld } = await load('lib/world.mjs')
const checks: Check[] = (await Promise.all(SECTIONS.map((name) => load(`checks/${name}.mjs`)))).flatMap(
  (module) => module.default,
)

const api: SuiteClient = new Client({ url: world.url, keys: world.keys })
const asked = watchCalls(api)
const context = { api, world: createWorld(api), start: await api.usage() }
const waiting = new Map<string, string[]>()
const [passed, failed]: [Result[], Result[]] = [[], []]
for (const check of checks) {
  asked.clear()
  const [result]: [Result] = await runAll([check], context, () => {})
  const missing = [...asked].filter((path) => !isServed(path))
  if (missing.length > 0 || result.status === 'skipped') wait(missing[0] ?? result.reason ?? 'skipped', check)
  else if (result.status === 'passed') passed.push(result)
  else failed.push(result)
  // The suite remembers what it discovered, failures included.
  if (result.status !== 'passed') context.world = createWorld(api)
}
api.agent.destroy()
await world.stop()
report()

/** Which paths a check asked for, in the form of the route they belong to. */
function watchCalls(client: SuiteClient): Set<string> {
  const paths = new Set<string>()
  const call = client.call.bind(client)
  client.call = (method, path, options) => {
    paths.add(options?.root ? path : `/api/v1${path}`)
    return call(method, path, options)
  }
  return paths
}

function isServed(path: string): boolean {
  return /nothing|\/cve$/.test(path) || endpoints.some((endpoint) => endpoint.path === path.replace(/\/$/, ''))
}

function wait(why: string, check: Check): void {
  const route = why.replace(/^(\/api\/v1\/cve\/)(?!batch)[^/]+/, '$1{cve-id}')
  waiting.set(route, [...(waiting.get(route) ?? []), `${check.section}: ${check.name}`])
}

function report(): void {
  const isVerbose = process.argv.includes('--verbose')
  for (const { section, name } of isVerbose ? passed : []) process.stdout.write(`passed  ${section}: ${name}\n`)
  for (const [why, names] of [...waiting].sort((a, b) => b[1].length - a[1].length)) {
    process.stdout.write(`WAITING ${String(names.length).padStart(3)}  for ${why}\n`)
    for (const name of isVerbose ? names : []) process.stdout.write(`             ${name}\n`)
  }
  for (const { section, name, reason, trace = [] } of failed) {
    process.stdout.write(
      `FAILED  ${section}: ${name}\n        ${reason}\n${trace.map((line) => `        > ${line}\n`).join('')}`,
    )
  }
  const waits = [...waiting.values()].flat().length
  process.stdout.write(
    `${checks.length} checks: ${passed.length} passed, ${failed.length} failed, ${waits} waiting for later endpoints or accounts\n`,
  )
  process.exitCode = failed.length > 0 ? 1 : 0
}
