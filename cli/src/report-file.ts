// The file with the report of `visctl gate` or `visctl scan`. Only visctl writes it. A check removes the report of an
// earlier run before it starts and renames the new report into place at the end, so that the file is absent if the
// check fails or is killed.
import { lstat, rename, rm, writeFile } from 'node:fs/promises'
import { getErrorMessage, UsageError } from './command.ts'

/** Removes the report of an earlier run, so that it is not mistaken for the report of a failed check. */
export function clearReport(file: string): Promise<void> {
  return explainErrors(async () => ((await isReplaceable(file)) ? rm(file, { force: true }) : writeFile(file, '')))
}

export function writeReport(file: string, text: string): Promise<void> {
  return explainErrors(async () => {
    if (!(await isReplaceable(file))) return writeFile(file, text)
    const temporary = `${file}.${process.pid}.tmp`
    await writeFile(temporary, text)
    return rename(temporary, file)
  })
}

/** Only regular files are removed and replaced. `/dev/stdout`, pipes and links are written to directly. */
async function isReplaceable(file: string): Promise<boolean> {
  const stats = await lstat(file).catch(() => undefined)
  return stats === undefined || stats.isFile()
}

async function explainErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw new UsageError(`The report could not be written: ${getErrorMessage(error)}.`)
  }
}
