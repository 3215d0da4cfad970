// Parses the metrics that a process exposes at /metrics and the metric tables of docs/metrics.md.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Metric {
  readonly type: string
  /** Label names of the metric, sorted, without the labels that every histogram or summary has. */
  readonly labels: readonly string[]
}

export type MetricTable = ReadonlyMap<string, Metric>

const BUILT_IN_LABELS = ['le', 'quantile']
/** Suffixes of the metric series that belong to a histogram or a summary. */
const SUFFIX = /_(bucket|sum|count)$/

export const inRepository = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
export const readRepository = (path: string) => readFileSync(inRepository(path), 'utf8')

export function parseExposition(text: string): MetricTable {
  const types = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => [name, type]))
  const labels = new Map<string, Set<string>>()
  for (const [, sample = '', braces = ''] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const name = types.has(sample) ? sample : sample.replace(SUFFIX, '')
    const found = Array.from(braces.matchAll(/(\w+)="/g), ([, label = '']) => label)
    labels.set(
      name,
      new Set([...(labels.get(name) ?? []), ...found.filter((label) => !BUILT_IN_LABELS.includes(label))]),
    )
  }
  return new Map(Array.from(types, ([name, type]) => [name, { type, labels: [...(labels.get(name) ?? [])].sort() }]))
}

/** Returns the metrics in the tables of docs/metrics.md that a `node`, a `worker` or status.sh (`backup`) exposes. */
export function readDocumentedMetrics(process: 'node' | 'worker' | 'backup'): MetricTable {
  const rows = readRepository('docs/metrics.md').matchAll(
    /^\| `(\w+)` \| (\w+) \|([^|]*)\| (node|worker|both|backup) \| \S.* \|$/gm,
  )
  const documented = Array.from(rows, ([, name = '', type = '', labels = '', exposedBy = '']) => ({
    name,
    exposedBy,
    metric: { type, labels: Array.from(labels.matchAll(/`(\w+)`/g), ([, label = '']) => label).sort() },
  }))
  return new Map(
    documented
      .filter(({ exposedBy }) => exposedBy === process || (exposedBy === 'both' && process !== 'backup'))
      .map(({ name, metric }) => [name, metric]),
  )
}

/** Returns the metrics of this service that occur in a PromQL expression but are missing in docs/metrics.md. */
export function findUnknownMetrics(expression: string): readonly string[] {
  const processes = ['node', 'worker', 'backup'] as const
  const known = new Set(processes.flatMap((process) => [...readDocumentedMetrics(process).keys()]))
  const names = expression.match(/\b(?:vis|nodejs|process)[_:][\w:]+/g) ?? []
  return names.filter((name) => !name.includes(':') && !known.has(name) && !known.has(name.replace(SUFFIX, '')))
}
