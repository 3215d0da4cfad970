// The real data beside the project, for tests at full size. Whoever has only the project is told what is not run.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../../shared/data', import.meta.url))

/** Undefined, and loudly so, where it is not there. */
export function sharedData(what: string): string | undefined {
  if (existsSync(`${FOLDER}/README.md`)) return FOLDER
  process.stderr.write(`SKIPPED: ${what} needs the real data in ../shared/data, which is not here.\n`)
  return undefined
}
