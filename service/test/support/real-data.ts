// Finds the real upstream files for tests and benchmarks at full size. The files are not part of the repository.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Environment variable with the folder that contains `data` and `data-more`. */
const SETTING = 'VIS_DATA'

/**
 * Returns the folder of the real upstream files, or undefined without VIS_DATA. Throws if VIS_DATA names a folder
 * without data.
 */
export function findRealData(folder: 'data' | 'data-more' = 'data'): string | undefined {
  const root = process.env[SETTING]
  if (root === undefined || root === '') return undefined
  const path = resolve(root, folder)
  if (existsSync(join(path, 'README.md'))) return path
  throw new Error(
    `${SETTING} is ${root}, but there is no ${path}/README.md. Set ${SETTING} to the folder that contains data and data-more.`,
  )
}

/**
 * Returns the folder of the real files. Without VIS_DATA, the function prints which test is skipped and how to run the
 * test.
 */
export function realData(what: string, folder: 'data' | 'data-more' = 'data'): string | undefined {
  const path = findRealData(folder)
  if (path === undefined)
    process.stderr.write(
      `SKIPPED: ${what}. Set ${SETTING} to the folder that contains data and data-more (the real upstream files) to run it.\n`,
    )
  return path
}
