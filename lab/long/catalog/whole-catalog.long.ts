// Makes a snapshot of a whole published catalog: time, size and memory. Then compares random records with the API.
// The test writes to the database: it adds the snapshot, of which only the newest 3 are kept.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { account, createTestKey } from '../../../service/test/support/builders.ts'
import { startTestService } from '../../../service/test/support/service.ts'
import { findPublishedCatalog } from '../matching/published-catalog.ts'

const url = findPublishedCatalog('the measurement of a snapshot of the whole catalog')

const VIS_SERVER = fileURLToPath(new URL('../../../service/bin/vis-server.js', import.meta.url))
const COMPARED_RECORDS = 300
/** Node.js itself has about 80 MB. The snapshot has more than 150 MB, and its text 1.8 GB. */
const MAX_MEGABYTES = 500
const ADD_ONS = 'acsc,enrichment,attack,configurations,sources,exploits,priority,fixes,remediations,aliases'

/** Runs `vis-server catalog snapshot` in a process of its own, and measures its time and its peak memory. */
async function measureCommand(databaseUrl: string) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [VIS_SERVER, 'catalog', 'snapshot', '--json'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, CURSOR_SECRET: 'x'.repeat(32) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let peakKilobytes = 0
  const timer = setInterval(() => {
    const [, peak = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
    peakKilobytes = Math.max(peakKilobytes, Number(peak))
  }, 200)
  const output = await readText(child.stdout).finally(() => clearInterval(timer))
  const seconds = (performance.now() - startedAt) / 1000
  const made: { id: string; records: number; parts: number; bytes: number } = JSON.parse(output)
  return { made, seconds, peakMegabytes: peakKilobytes / 1024 }
}

describe.skipIf(url === undefined)('A snapshot of the whole catalog', async () => {
  if (url === undefined) return
  const { api, given } = await startTestService({ environment: { DATABASE_READ_URL: url } })
  const key = createTestKey()
  await given(account('enterprise').withKey(key))
  const get = (path: string) => api.get(`/api/v1/${path}`, { key: key.key })

  it('is made with bounded memory, and has every record as the API returns it', async () => {
    const { made, seconds, peakMegabytes } = await measureCommand(url)
    process.stderr.write(
      `${made.records} records, ${made.parts} parts, ${(made.bytes / 1e6).toFixed(1)} MB, ${seconds.toFixed(1)} s, peak of the process ${peakMegabytes.toFixed(0)} MB\n`,
    )
    expect(peakMegabytes).toBeLessThan(MAX_MEGABYTES)
    const [snapshot] = (await get('snapshots')).json.data.snapshots
    expect(snapshot).toMatchObject(made)

    let [lines, texts, compared] = [0, 0, 0]
    for (let part = 1; part <= made.parts; part += 1) {
      const { status, raw } = await get(`snapshots/${made.id}/parts/${part}`)
      expect(status).toBe(200)
      const text = gunzipSync(raw).toString()
      const items = text.split('\n').slice(0, -1)
      lines += items.length
      texts += text.length
      for (let nr = 0; nr < Math.ceil(COMPARED_RECORDS / made.parts); nr += 1) {
        const { cve_id, record } = JSON.parse(items[Math.floor(Math.random() * items.length)] ?? '')
        expect(record).toEqual((await get(`cve/${cve_id}?include=${ADD_ONS}`)).json.data.cve)
        compared += 1
      }
    }
    expect(lines).toBe(made.records)
    process.stderr.write(`${(texts / 1e6).toFixed(0)} MB of text; ${compared} random records equal those of the API\n`)
  }, 1_800_000)
})
