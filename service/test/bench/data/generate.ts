// node service/test/bench/data/generate.ts --records 5000 --to DIR [--seed 1] [--today 2026-08-22]
import { parseArgs } from 'node:util'
import { parseDate } from '../../../src/domain/instant.ts'
import type { Wanted } from './record-facts.ts'
import { writeUpstreamFiles } from './upstream-files.ts'

const USAGE = `Usage: node service/test/bench/data/generate.ts --records 5000 --to DIR [--seed 1] [--today 2026-08-22]

Writes files as NVD, the CVE List, CISA (KEV), FIRST (EPSS) and nomi-sec (PoC-in-GitHub) publish them, with texts that
nobody wrote.
Load them with: vis-server sync --from DIR`

/** A year's file may not become larger than the feed accepts, and that is two gigabytes. */
const MAX_RECORDS = 4_000_000

export function readOptions(args: readonly string[], now: Date): Wanted & { readonly to: string } {
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
  if (to === undefined || to === '') throw new Error(`--to is missing: name the folder to write to.\n\n${USAGE}`)
  if (parseDate(today) === undefined || today < '1999-12-31')
    throw new Error(`--today takes a day since 1999-12-31, such as 2026-08-22, not ${JSON.stringify(today)}.`)
  return {
    records: wholeNumber('--records', records, MAX_RECORDS),
    seed: wholeNumber('--seed', seed, 2 ** 31),
    today,
    to,
  }
}

function wholeNumber(option: string, text: string | undefined, most: number): number {
  const number = /^\d{1,10}$/.test(text ?? '') ? Number(text) : 0
  if (number >= 1 && number <= most) return number
  const given = text === undefined ? 'it is missing' : `not ${JSON.stringify(text)}`
  throw new Error(`${option} takes a whole number from 1 to ${most}; ${given}.\n\n${USAGE}`)
}

if (import.meta.main) {
  try {
    const { to, ...wanted } = readOptions(process.argv.slice(2), new Date())
    await writeUpstreamFiles(to, wanted)
    console.log(`Wrote ${wanted.records} records to ${to}. Load them with: vis-server sync --from ${to}`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
