// The folder that holds a copy. It is created if it is missing, and only one process at a time writes to it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { getErrorMessage, UsageError } from '../command.ts'

/** SQLite's error code for a database that another process has locked. */
const SQLITE_BUSY = 5

export function openSqlite(file: string): DatabaseSync {
  const { DatabaseSync } = requireSqlite()
  return new DatabaseSync(file)
}

/** Returns the built-in SQLite module, which Node.js has had since 22.13. The visctl package also accepts 22.12. */
function requireSqlite() {
  const sqlite = process.getBuiltinModule('node:sqlite')
  if (sqlite) return sqlite
  throw new UsageError(
    `visctl mirror requires Node.js 22.13 or newer; this is ${process.version}.`,
    'Install a newer Node.js. All other commands of visctl work with this one.',
  )
}

/**
 * Creates the folder and locks it. Returns the function that unlocks it. The lock is an exclusive transaction on an
 * empty database. The operating system releases it when the process ends, even if the process is killed.
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
