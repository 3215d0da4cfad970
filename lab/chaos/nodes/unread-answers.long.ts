// Opens 200 connections that read the largest responses slowly, and watches the memory of a node that is started as it is
// deployed.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { openPool } from '../../../service/src/database/postgres.ts'
import { toCveId } from '../../../service/src/domain/cve-id.ts'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { openWholeCatalog } from '../../../service/test/support/catalog/whole-catalog.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { AT_FULL_SPEED, openPacedReader, type PacedReader } from '../../../service/test/support/network/paced-reader.ts'
import { NODE_ARGUMENTS } from '../../../service/test/support/processes/deployed-node.ts'
import { type SpawnedServer, spawnServer } from '../../../service/test/support/processes/spawned-server.ts'
import { realData } from '../../../service/test/support/real-data.ts'

const CONNECTIONS = 200
const SLOW = { bytes: 64 * 1024, everyMs: 8000 }
const MAX_GROWTH_MB = 150
/** Long enough for two windows of the minimum read rate. */
const ATTACK_MS = 150_000
const LIMITS = { poolSize: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 30_000, acquireTimeoutMs: 30_000 }

const folder = realData('the memory of unread responses')
const url = folder === undefined ? '' : await openWholeCatalog(folder)

async function prepare() {
  const pool = openPool(url, 'unread-answers', LIMITS, () => {})
  cleanUpAfterTests(() => pool.close())
  const [slow, other] = [createTestKey(), createTestKey()]
  for (const key of [slow, other]) await account('enterprise').withKey(key).store(pool.db)
  const { rows } = await sql<{ cve_key: string }>`
    select cve_key
      from catalog.cve_document
     order by octet_length(cpe) + octet_length("references") desc, cve_key
     limit 50
  `.execute(pool.db)
  const ids = rows.map(({ cve_key }) => toCveId(cve_key))
  return { slow: slow.key, other: other.key, path: `/api/v1/cves?ids=${ids.join(',')}&fields=cve_id,cpe,references` }
}

async function startNode(): Promise<SpawnedServer> {
  const node = await spawnServer({
    environment: { DATABASE_URL: url, REDIS_URL: inject('redisUrl') },
    execArgs: NODE_ARGUMENTS,
  })
  cleanUpAfterTests(() => node.stop())
  return node
}

function readMemoryMegabytes({ pid }: SpawnedServer): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function readMetric({ opsPort }: SpawnedServer, series: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.split(' ')[1])
}

const buildRequest = (key: string, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: a.test\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`

async function readWhole(node: SpawnedServer, request: string): Promise<PacedReader> {
  const reader = await openPacedReader(node.port, request, AT_FULL_SPEED)
  await reader.waitUntilClosed(60_000)
  return reader
}

const readStatus = ({ received: [first] }: PacedReader) => Number(first?.toString('latin1', 9, 12))

describe.skipIf(folder === undefined)('200 connections that read 64 KB of the largest responses every 8 s', () => {
  it("add at most 150 MB to a node's memory and are disconnected, while another account gets its responses", async () => {
    const [node, { slow, other, path }] = [await startNode(), await prepare()]
    // The first responses make V8 compile code and grow its heap.
    for (let call = 0; call < 20; call += 1) await readWhole(node, buildRequest(slow, path))
    const before = readMemoryMegabytes(node)

    const readers = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => openPacedReader(node.port, buildRequest(slow, path), SLOW)),
    )
    let peak = before
    const statuses: number[] = []
    for (const endsAt = performance.now() + ATTACK_MS; performance.now() < endsAt; await sleep(250)) {
      statuses.push(readStatus(await readWhole(node, buildRequest(other, '/api/v1/cves?limit=20'))))
      peak = Math.max(peak, readMemoryMegabytes(node))
    }
    const whole = await readWhole(node, buildRequest(other, path))

    const admitted = readers.filter((reader) => readStatus(reader) === 200).length
    const cut = await readMetric(node, 'vis_slow_readers_cut_total{reason="rate"}')
    process.stdout.write(
      `memory before ${before.toFixed(0)} MB, peak ${peak.toFixed(0)} MB; ${admitted} of ${CONNECTIONS} answers began, ${cut} were cut\n`,
    )
    for (const reader of readers) reader.close()
    expect(peak - before).toBeLessThanOrEqual(MAX_GROWTH_MB)
    expect(admitted).toBeGreaterThan(0)
    expect(cut).toBe(admitted)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(readStatus(whole)).toBe(200)
    expect(whole.bytes).toBeGreaterThan(5_000_000)
  })
})
