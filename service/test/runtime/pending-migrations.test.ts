import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/log.ts'
import { assertNoPendingMigrations } from '../../src/runtime/pending-migrations.ts'
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const primary = await createTestDatabase()

function createNode(environment: Readonly<Record<string, string>>) {
  const logLines: string[] = []
  const log = createLog('info', { write: (line) => void logLines.push(line) })
  const config = loadConfig({ DATABASE_URL: primary.url, ...environment })
  return {
    logLines,
    start: (options?: { replicaTimeoutMs: number }) => assertNoPendingMigrations(config, log, options),
  }
}

describe('assertNoPendingMigrations', () => {
  it('waits for a replica that lags behind the migration and logs the wait once', async () => {
    const replica = await createEmptyDatabase()
    const { logLines, start } = createNode({ DATABASE_READ_URL: replica.url })
    const starting = start()
    const catchingUp = new Promise((resolve) => {
      setTimeout(resolve, 1500)
    }).then(() => migrate(replica.url, 'catalog', MIGRATIONS))

    await Promise.all([starting, catchingUp])

    expect(logLines.filter((line) => line.includes('waiting for the replica'))).toHaveLength(1)
  })

  it('fails after the timeout and mentions that the replica may lag', async () => {
    const replica = await createEmptyDatabase()
    const { start } = createNode({ DATABASE_READ_URL: replica.url })
    await expect(start({ replicaTimeoutMs: 600 })).rejects.toThrow(
      /Run "vis-server migrate" first\. If the migrations are applied on the primary, .* lags behind/,
    )
  })

  it('fails at once if there is no replica', async () => {
    const empty = await createEmptyDatabase()
    const { logLines, start } = createNode({ DATABASE_URL: empty.url })
    await expect(start()).rejects.toThrow(/migrate" first\.$/)
    expect(logLines.filter((line) => line.includes('waiting for the replica'))).toEqual([])
  })
})
