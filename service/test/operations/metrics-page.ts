// What a process shows at /metrics, and what the documents and files for operators say of it.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Metric {
  readonly type: string
  /** Sorted; without those that a histogram or a summary has by nature. */
  readonly labels: readonly string[]
}

export type MetricTable = ReadonlyMap<string, Metric>

const BY_NATURE = ['le', 'quantile']
/** Of a histogram or a summary. */
const SUFFIX = /_(bucket|sum|count)$/

export const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
export const readRepository = (path: string) => readFileSync(inRepository(path), 'utf8')

export function readExposition(text: string): MetricTable {
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [name, type]))
  const labels = new Map<string, Set<string>>()
  for (const [, sample = '', braces = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const name = types.has(sample) ? sample : sample.replace(SUFFIX, '')
    const found = Array.from(braces.matchAll(/(\w+)="/g), ([, label = '']) => label)
    labels.set(name, new Set([...(labels.get(name) ?? []), ...found.filter((label) => !BY_NATURE.includes(label))]))
  }
  return new Map(Array.from(types, ([name, type]) => [name, { type, labels: [...(labels.get(name) ?? [])].sort() }]))
}

/** The tables of docs/metrics.md: of those metrics that a `node` or a `worker` shows. */
export function documentedMetrics(shownBy: 'node' | 'worker'): MetricTable {
  const rows = readRepository('docs/metrics.md').matchAll(
    /^\| `(\w+)` \| (\w+) \|([^|]*)\| (node|worker|both) \| \S.* \|$/gm,
  )
  const documented = Array.from(rows, ([, name = '', type = '', labels = '', of = '']) => ({
    name,
    of,
    metric: { type, labels: Array.from(labels.matchAll(/`(\w+)`/g), ([, label = '']) => label).sort() },
  }))
  return new Map(
    documented.filter(({ of }) => of === shownBy || of === 'both').map(({ name, metric }) => [name, metric]),
  )
}

/** Names in an expression of PromQL that are neither documented nor made by a rule or by Prometheus itself. */
export function strangersIn(expression: string): readonly string[] {
  const known = new Set([...documentedMetrics('node').keys(), ...documentedMetrics('worker').keys()])
  const names = expression.match(/\b(?:vis|nodejs|process)[_:][\w:]+/g) ?? []
  return names.filter((name) => !name.includes(':') && !known.has(name) && !known.has(name.replace(SUFFIX, '')))
}
