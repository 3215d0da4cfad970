// Medians of visits, and their table.
import type { Visit } from './visit.ts'

export interface Service {
  readonly name: string
  readonly url: string
}

type Figures = Readonly<Record<Exclude<keyof Visit, 'isWarm'>, number | null>>

interface Summary {
  readonly cold: Figures
  readonly warm: Figures
}

export function summarize(visits: readonly Visit[]): Summary {
  return {
    cold: takeMedians(visits.filter(({ isWarm }) => !isWarm)),
    warm: takeMedians(visits.filter(({ isWarm }) => isWarm)),
  }
}

function takeMedians(visits: readonly Visit[]): Figures {
  const median = (name: keyof Figures) => findMedian(visits.map((visit) => visit[name]))
  return {
    requests: median('requests'),
    calls: median('calls'),
    bytes: median('bytes'),
    firstCallMs: median('firstCallMs'),
    verdictMs: median('verdictMs'),
    paintMs: median('paintMs'),
    shift: median('shift'),
  }
}

/** Returns the lower one of two values in the middle, so that the result is a value that was measured. */
function findMedian(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

const COLUMNS: readonly (readonly [header: string, name: keyof Figures, digits: number, unit: number])[] = [
  ['requests', 'requests', 0, 1],
  ['API calls', 'calls', 0, 1],
  ['kB', 'bytes', 0, 1000],
  ['first call ms', 'firstCallMs', 0, 1],
  ['verdict ms', 'verdictMs', 0, 1],
  ['LCP ms', 'paintMs', 0, 1],
  ['CLS', 'shift', 3, 1],
]

/** Returns a Markdown table with two lines for each service. */
export function formatTable(services: readonly ({ readonly name: string } & Summary)[]): string {
  const lines = services.flatMap(({ name, cold, warm }) => [
    [name, 'cold', ...formatFigures(cold)],
    [name, 'warm', ...formatFigures(warm)],
  ])
  const header = ['', 'cache', ...COLUMNS.map(([words]) => words)]
  return [header, header.map((_, index) => (index < 2 ? '---' : '---:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function formatFigures(figures: Figures): readonly string[] {
  return COLUMNS.map(([, name, digits, unit]) => {
    const value = figures[name]
    return value === null ? '–' : (value / unit).toFixed(digits)
  })
}
