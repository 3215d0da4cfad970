// Usage: node lab/bench/data/generate.ts --records 5000 --to DIR [--seed 1] [--today 2026-08-22]
import { parseArgs } from 'node:util'
import { parseDate } from '../../../service/src/domain/instant.ts'
import type { DatasetOptions } from '../../../service/test/support/generator/generated-records.ts'
import { writeUpstreamFiles } from '../../../service/test/support/generator/upstream-files.ts'

const USAGE = `Usage: node lab/bench/data/generate.ts --records 5000 --to DIR [--seed 1] [--today 2026-08-22]

Writes generated files in the formats of NVD, the CVE List, CISA (KEV), FIRST (EPSS) and nomi-sec (PoC-in-GitHub).
Load them with: vis-server sync --from DIR`

/** Maximum number of generated records: with more, an NVD year file would exceed the 2 GB that the NVD feed accepts. */
const MAX_RECORDS = 4_000_000

export function parseOptions(args: readonly string[], now: Date): DatasetOptions & { readonly to: string } {
  const options = {
    records: { type: 'string' },
    to: { type: 'string' },
    seed: { type: 'string' },
    today: { type: 'string' },
  } as const
  const {
    records,
    to,
    seed = '1',
    today = now.toISOString().slice(0, 10),
  } = parseArgs({ args: [...args], options }).values
  if (to === undefined || to === '') throw new Error(`--to is missing: pass the folder to write to.\n\n${USAGE}`)
  if (parseDate(today) === undefined || today < '1999-12-31')
    throw new Error(`--today must be a day from 1999-12-31 on, such as 2026-08-22, but is ${JSON.stringify(today)}.`)
  return {
    records: parseWholeNumber('--records', records, MAX_RECORDS),
    seed: parseWholeNumber('--seed', seed, 2 ** 31),
    today,
    to,
  }
}

function parseWholeNumber(option: string, text: string | undefined, max: number): number {
  const number = /^\d{1,10}$/.test(text ?? '') ? Number(text) : 0
  if (number >= 1 && number <= max) return number
  const actual = text === undefined ? 'missing' : JSON.stringify(text)
  throw new Error(`${option} must be a whole number from 1 to ${max}, but is ${actual}.\n\n${USAGE}`)
}

if (import.meta.main) {
  try {
    const { to, ...options } = parseOptions(process.argv.slice(2), new Date())
    await writeUpstreamFiles(to, options)
    console.log(`Wrote ${options.records} records to ${to}. Load them with: vis-server sync --from ${to}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
