// Runs tasks with many sockets in client processes.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cleanUpAfterTests } from '../../../../service/test/support/cleanup.ts'
import type { KeepAliveResult, KeepAliveTask } from './keep-alive-sockets.ts'
import type { StormResult, StormTask } from './storm.ts'

const PROGRAM = fileURLToPath(new URL('./client-process.ts', import.meta.url))

export function runClient(task: KeepAliveTask): Promise<KeepAliveResult>
export function runClient(task: StormTask): Promise<StormResult>
export function runClient(task: KeepAliveTask | StormTask): Promise<KeepAliveResult | StormResult> {
  const child = fork(PROGRAM, { execArgv: [], serialization: 'advanced' })
  cleanUpAfterTests(() => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as KeepAliveResult | StormResult))
    child.once('exit', (code) => reject(new Error(`The client process ended with ${code} before its task.`)))
    child.send(task)
  })
}
