// A storm of connections that are reset, cut and left open, while a normal client sends requests (fault F-21).
import { describe, expect, it } from 'vitest'
import { call } from '../../../../service/test/faults/nodes/call.ts'
import { expectNoFailure, startLoad } from '../../../../service/test/faults/nodes/load.ts'
import { createNodesSetup, PATIENT_SETTINGS } from '../../../../service/test/faults/nodes/setup.ts'
import { startProcess } from '../../../../service/test/support/processes/server-process.ts'
import { chooseBySize } from '../../../../service/test/support/size.ts'
import { OTHER_DESCRIPTORS, readOpenDescriptors, waitForClosedDescriptors } from '../open-descriptors.ts'
import { runClient } from './client.ts'

/**
 * The descriptors of the node count, not what the client sees: when the kernel's queue of new connections overflows, a
 * client believes that it is connected although the node has no connection. In the long run, the client keeps the
 * connections that it leaves open for longer than the node may take to close them. In the short run, it closes them;
 * slow-sockets.test.ts shows with the short size too that the node does. The short run waits for less time than the node's timeouts, so that connections
 * which only a timeout closes count as open.
 */
const PLAN = chooseBySize({
  short: { connections: 600, openedPerSecond: 300, leftOpenMs: 0, closedWithinMs: 8000 },
  long: { connections: 40_000, openedPerSecond: 2000, leftOpenMs: 60_000, closedWithinMs: 30_000 },
})

const setup = await createNodesSetup()

describe('API node during a connection storm', () => {
  it('answers the calls of other clients and closes every connection', { timeout: 900_000 }, async () => {
    const server = await startProcess({ environment: { ...setup.environment, ...PATIENT_SETTINGS } })
    const target = { port: server.port, key: setup.key }
    // The first call opens the connections to the database.
    await call({ port: server.port, path: '/api/v1/ping', headers: { 'X-API-Key': setup.key } })
    const before = await readOpenDescriptors(server)
    const load = startLoad({ ...target, paths: ['/api/v1/ping-lite'], perSecond: 20 })

    const { connected } = await runClient({ kind: 'storm', ...target, ...PLAN })
    const endedAt = performance.now()
    const report = await load.stop()
    const after = await waitForClosedDescriptors(server, before, PLAN.closedWithinMs)
    const seconds = ((performance.now() - endedAt) / 1000).toFixed(1)
    const errorLines = server.logLines.filter((line) => /"level":"(error|fatal)"/.test(line))
    await server.kill()

    console.log(
      `connection storm: ${connected} connections, ${before} file descriptors before and ${after} after ${seconds} s; ${report.sent} calls of others, ${report.failures.length} failed, p99 ${report.p99Ms.toFixed(1)} ms`,
    )
    expect(connected).toBe(PLAN.connections)
    expect(after).toBeLessThanOrEqual(before + OTHER_DESCRIPTORS)
    expectNoFailure(report)
    expect(errorLines).toEqual([])
  })
})
