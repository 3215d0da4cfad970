import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createLog } from '../../src/log.ts'
import { refusePendingMigrations } from '../../src/runtime/pending-migrations.ts'
import { emptyDatabase, testDatabase } from '../support/database.ts'

const REAL = fileURLToPath(new URL('../../migrations', import.meta.url))
const primary = await testDatabase()

function nodeWith(environment: Readonly<Record<string, string>>) {
  const logLines: string[] = []
  const log = createLog('info', { write: (line) => void logLines.push(line) })
  const config = loadConfig({ DATABASE_URL: primary.url, ...environment })
  return { logLines, start: (wishes?: { replicaPatienceMs: number }) => refusePendingMigrations(config, log, wishes) }
}

describe('A node that starts', () => {
  it('waits for a replica that has not yet seen the migration, and says so once', async () => {
    const replica = await emptyDatabase()
    const { logLines, start } = nodeWith({ DATABASE_READ_URL: replica.url })
    const starting = start()
    const catchingUp = new Promise((resolve) => {
      setTimeout(resolve, 1500)
    }).then(() => migrate(replica.url, 'catalog', REAL))

    await Promise.all([starting, catchingUp])

    expect(logLines.filter((line) => line.includes('waiting for the replica'))).toHaveLength(1)
  })

  it('refuses in the end, and says that a lagging replica looks the same', async () => {
    const replica = await emptyDatabase()
    const { start } = nodeWith({ DATABASE_READ_URL: replica.url })
    await expect(start({ replicaPatienceMs: 600 })).rejects.toThrow(
      /run "vis-server migrate" first\. If that was done, .* lagging/,
    )
  })

  it('refuses at once where there is no replica to wait for', async () => {
    const empty = await emptyDatabase()
    const started = performance.now()
    await expect(nodeWith({ DATABASE_URL: empty.url }).start()).rejects.toThrow(/migrate" first\.$/)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
