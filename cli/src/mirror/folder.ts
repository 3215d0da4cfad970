// The folder of a copy: it is created if it is missing, and one process at a time writes to it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { getErrorMessage, UsageError } from '../command.ts'

/** Code of SQLite for a database that another process has locked. */
const SQLITE_BUSY = 5

/** Opens a file of SQLite. */
export function openSqlite(file: string): DatabaseSync {
  const { DatabaseSync } = requireSqlite()
  return new DatabaseSync(file)
}

/** Returns SQLite, which Node.js contains from 22.13 on. The package visctl accepts 22.12. */
function requireSqlite() {
  const sqlite = process.getBuiltinModule('node:sqlite')
  if (sqlite) return sqlite
  throw new UsageError(
    `visctl mirror requires Node.js 22.13 or newer; this is ${process.version}.`,
    'Install a newer Node.js. All other commands of visctl work with this one.',
  )
}

/**
 * Creates the folder and locks it. Returns the function that unlocks it. The lock is an exclusive transaction on an empty
 * database, which the operating system releases when the process ends, also when it is killed.
 */
export function lockFolder(folder: string): () => void {
  requireSqlite()
  try {
    mkdirSync(folder, { recursive: true })
    const lock = openSqlite(join(folder, 'mirror.lock'))
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new UsageError(`Another visctl mirror writes to ${folder}.`, 'Stop it first, or use another folder.')
    }
    throw new UsageError(`The folder ${folder} cannot be used: ${getErrorMessage(error)}.`)
  }
}
