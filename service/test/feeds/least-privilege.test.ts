import { Client } from 'pg'
import { expect, it } from 'vitest'
import { feedDefinitions } from '../../src/feeds/index.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/database.ts'
import { spawnCommand } from '../support/processes/command.ts'
import { FEED_TABLE } from './contract/feed-table.ts'
import { buildKevFile, writeTemporaryDirectory } from './temporary-files.ts'

it('the sync command imports every feed with a database login that has only the role vis_feeds', async () => {
  const { url, name } = await createTestDatabase()
  const owner = new Client({ connectionString: url })
  await owner.connect()
  await owner.query(`create role ${name}_feeds login in role vis_feeds`)
  cleanUpAfterTests(async () => {
    await owner.query(`drop owned by ${name}_feeds; drop role ${name}_feeds`)
    await owner.end()
  })
  const login = new URL(url)
  login.username = `${name}_feeds`
  const files = Object.values(FEED_TABLE).map(({ file, write }) => [file, write([{ index: 0, isValid: true }])])
  const from = await writeTemporaryDirectory({
    ...Object.fromEntries(files),
    'kev-history.ndjson': `${buildKevFile(['CVE-2024-0001'])}\n`,
  })

  const { stdout, stderr } = await spawnCommand(['sync', '--from', from, '--json'], { DATABASE_URL: login.href })

  const outcomes = JSON.parse(stdout).map(({ feed, outcome }: { feed: string; outcome: string }) => [feed, outcome])
  const names = feedDefinitions.map((definition) => definition.configure({}).feed.name)
  expect(outcomes, stderr).toEqual(names.map((name) => [name, 'succeeded']))
  expect((await spawnCommand(['feeds'], { DATABASE_URL: login.href })).code).toBe(0)
})
