// Starts Redis with the user that docs/operations.md describes, and a node that reads the URL with the password from a file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../support/builders.ts'
import { cleanUpAfterTests } from '../support/cleanup.ts'
import { startPrivateRedis } from '../support/processes/private-redis.ts'
import { startTestService } from '../support/service.ts'
import { readRepository } from './metrics-page.ts'

const PASSWORD = 'correct-horse-battery-staple'
const folder = await mkdtemp(join(tmpdir(), 'vis-redis-user-'))
cleanUpAfterTests(() => rm(folder, { recursive: true }))
const [usersFile, urlFile, wrongUrlFile] = [join(folder, 'users'), join(folder, 'url'), join(folder, 'wrong-url')]

const [, users = ''] = /```text\n(user default off\n[^`]*)```/.exec(readRepository('docs/operations.md')) ?? []
await writeFile(usersFile, users.replace('PASSWORD', PASSWORD))
const redis = await startPrivateRedis('--aclfile', usersFile)
await writeFile(urlFile, redis.url.replace('redis://', `redis://vis:${PASSWORD}@`))
await writeFile(wrongUrlFile, redis.url)

/** Starts a node and sends six free-plan calls: after five calls without Redis, the node counts on its own. */
async function countCalls(file: string) {
  const environment = { REDIS_URL: '', REDIS_URL_FILE: file, REDIS_PREFIX: 'vis:' }
  const { api, given, metrics } = await startTestService({ environment })
  const { key, ...free } = createTestKey()
  await given(account('free').withKey({ key, ...free }))
  const statuses: number[] = []
  for (let call = 0; call < 6; call += 1) statuses.push((await api.get('/api/v1/ping', { key })).status)
  const [, fallback] = /^vis_rate_limit_fallback_active(?:\{.*\})? (\d)$/m.exec(await metrics.text()) ?? []
  return { statuses: new Set(statuses), fallback }
}

describe('The Redis user in docs/operations.md', () => {
  it('may count free-plan calls', async () => {
    expect(await countCalls(urlFile)).toEqual({ statuses: new Set([200]), fallback: '0' })
  })

  it('is needed: a node without the password counts by itself and keeps responding', async () => {
    expect(await countCalls(wrongUrlFile)).toEqual({ statuses: new Set([200]), fallback: '1' })
  })
})
