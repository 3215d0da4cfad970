// Recorded results of the benchmark, by run size and section, in recorded.json. They are the only source of the tables
// in lab/docs/performance.md and of the limits: a run fails if a figure is 1.25 times worse than the recorded value. A run
// with --write replaces the results of its own sections only, so that sections can be measured one by one.
import { readFileSync, writeFileSync } from 'node:fs'
import type { FigureName, SectionResult } from '../figures.ts'

/** A run with --quick uses generated data of small size, so its figures have recorded values of their own. */
export type RunSize = 'full' | 'quick'

export interface RecordedSection extends SectionResult {
  readonly day: string
}

type RecordedResults = Readonly<Record<RunSize, Readonly<Record<string, RecordedSection>>>>

const FILE = new URL('./recorded.json', import.meta.url)
/** Significant digits of a recorded number. More would only make differences between versions hard to read. */
const DIGITS = 4

export function readRecorded(): RecordedResults {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

export function writeRecorded(results: RecordedResults): void {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(DIGITS)) : value)
  writeFileSync(FILE, `${JSON.stringify(results, round, 2)}\n`)
}

export function findRecordedValue(results: RecordedResults, size: RunSize, figure: FigureName): number | undefined {
  return Object.values(results[size])
    .flatMap(({ measured }) => measured)
    .find((each) => each.figure === figure)?.ratio.value
}
