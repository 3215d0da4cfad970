// Takes the destination of the log away from a running API node: a full disk, and a reader that stops reading.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { call } from '../../../service/test/faults/nodes/call.ts'
import { createNodesSetup, PATIENT_SETTINGS } from '../../../service/test/faults/nodes/setup.ts'
import { cleanUpAfterTests } from '../../../service/test/support/cleanup.ts'
import { startProcess } from '../../../service/test/support/processes/server-process.ts'
import { chooseBySize } from '../../../service/test/support/size.ts'
import { createSmallDisk, smallDiskMissingReason } from '../whole-system/small-disk.ts'

const setup = await createNodesSetup()
const environment = { ...setup.environment, ...PATIENT_SETTINGS, DRAIN_DELAY_MS: '0' }
const FULL_FOR_MS = chooseBySize({ short: 3000, long: 60_000 })
const CLIENTS = 8
const POLL = { timeout: 100_000, interval: 50 }
const VIS_SERVER = fileURLToPath(new URL('../../../service/bin/vis-server.js', import.meta.url))

interface NodePorts {
  readonly port: number
  readonly opsPort: number
}

async function readDroppedLines({ opsPort }: NodePorts): Promise<number> {
  const { body } = await call({ port: opsPort, path: '/metrics' })
  return Number(/^vis_log_lines_dropped_total (\d+)$/m.exec(body)?.[1] ?? Number.NaN)
}

interface CallCounts {
  readonly statuses: Readonly<Record<string, number>>
  readonly slowestMs: number
}

/** Calls the node with several clients, for at least `ms` and until `isDone` returns true. */
async function callWhile({ port }: NodePorts, ms: number, isDone: () => Promise<boolean>): Promise<CallCounts> {
  const [agent, endAtMs] = [new Agent({ keepAlive: true }), performance.now() + ms]
  const statuses: Record<string, number> = {}
  const ending = new AbortController()
  let slowestMs = 0
  const runClient = async () => {
    while (!ending.signal.aborted) {
      const sentAtMs = performance.now()
      // The long request id makes long log lines.
      const headers = { 'X-API-Key': setup.key, 'X-Request-Id': 'r'.repeat(128) }
      const { status } = await call({ port, path: '/api/v1/ping-lite', agent, headers })
      statuses[status] = (statuses[status] ?? 0) + 1
      slowestMs = Math.max(slowestMs, performance.now() - sentAtMs)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, runClient))
  while (performance.now() < endAtMs || !(await isDone())) await sleep(100)
  ending.abort()
  await clients
  agent.destroy()
  return { statuses, slowestMs }
}

describe('API node whose log disk is full', () => {
  it('answers every call, counts the dropped lines, and logs again once there is space', { timeout: 600_000 }, async ({
    skip,
  }) => {
    if (smallDiskMissingReason !== undefined) {
      console.warn(`SKIPPED: ${smallDiskMissingReason}`)
      skip(smallDiskMissingReason)
    }
    const disk = createSmallDisk(8)
    const logFile = join(disk.folder, 'node.log')
    writeFileSync(logFile, '')
    const node = await startProcess({ environment, logFile })
    disk.fill()

    const counts = await callWhile(node, FULL_FOR_MS, async () => (await readDroppedLines(node)) > 100)
    const dropped = await readDroppedLines(node)
    const ready = await call({ port: node.opsPort, path: '/ready' })
    disk.free()
    const readLog = () => readFileSync(logFile, 'utf8')
    await expect.poll(() => readLog().includes('log lines were dropped here'), POLL).toBe(true)
    await call({ port: node.port, path: '/api/v1/ping-lite', headers: { 'X-Request-Id': 'after-the-outage' } })
    await expect.poll(() => readLog().includes('after-the-outage'), POLL).toBe(true)

    console.log(
      `log disk full for ${FULL_FOR_MS / 1000} s: answers ${JSON.stringify(counts.statuses)}, slowest ${counts.slowestMs.toFixed(0)} ms, ${dropped} log lines dropped`,
    )
    expect(Object.keys(counts.statuses)).toEqual(['200'])
    expect(ready.status).toBe(200)
    const lines: { droppedLines?: number }[] = readLog()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.reduce((sum, { droppedLines = 0 }) => sum + droppedLines, 0)).toBe(await readDroppedLines(node))
    expect(await node.stop()).toBe(0)
  })

  it('exits after SIGTERM while its log disk is full', async ({ skip }) => {
    if (smallDiskMissingReason !== undefined) skip(smallDiskMissingReason)
    const disk = createSmallDisk(1)
    const logFile = join(disk.folder, 'node.log')
    writeFileSync(logFile, '')
    const node = await startProcess({ environment, logFile })
    disk.fill()
    await call({ port: node.port, path: '/api/v1/ping-lite', headers: { 'X-API-Key': setup.key } })

    expect(await node.stop()).toBe(0)
  })
})

describe('API node whose log is not read', () => {
  it('answers every call, counts the dropped lines, and exits after SIGTERM', { timeout: 240_000 }, async () => {
    const node = await startUnreadNode()

    const counts = await callWhile(node, 0, async () => (await readDroppedLines(node)) > 100)

    expect(Object.keys(counts.statuses)).toEqual(['200'])
    expect(await node.stop()).toBe(0)
  })
})

/** Starts an API node and stops reading its standard output as soon as the node serves. */
async function startUnreadNode() {
  const folder = mkdtempSync(join(tmpdir(), 'vis-unread-'))
  const child = spawn(process.execPath, [VIS_SERVER, 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PORT: '0', OPS_PORT: '0', ...environment },
  })
  cleanUpAfterTests(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const reader = createInterface(child.stdout)
  const serving = await new Promise<string>((resolve) => {
    reader.on('line', (line) => line.includes('"msg":"serving"') && resolve(line))
  })
  reader.close()
  child.stdout.pause()
  const { api, ops }: { api: { port: number }; ops: { port: number } } = JSON.parse(serving)
  const stop = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
    return child.exitCode
  }
  return { port: api.port, opsPort: ops.port, stop }
}
