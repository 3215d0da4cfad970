// Reads the number of open file descriptors of a node.
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../../service/test/faults/nodes/call.ts'
import type { ServiceProcess } from '../../../service/test/support/processes/server-process.ts'

/** Allowed difference in open file descriptors, because the database pools open and close connections. */
export const OTHER_DESCRIPTORS = 30

export async function readOpenDescriptors({ opsPort }: Pick<ServiceProcess, 'opsPort'>): Promise<number> {
  const { body } = await call({ port: opsPort, path: '/metrics' })
  return Number(/^process_open_fds (\d+)/m.exec(body)?.[1])
}

/** Waits until the node has about as many open file descriptors as before, and returns their number at the end. */
export async function waitForClosedDescriptors(
  server: Pick<ServiceProcess, 'opsPort'>,
  before: number,
  timeoutMs: number,
): Promise<number> {
  const deadline = performance.now() + timeoutMs
  let open = await readOpenDescriptors(server)
  while (open > before + OTHER_DESCRIPTORS && performance.now() < deadline) {
    await sleep(200)
    open = await readOpenDescriptors(server)
  }
  return open
}
