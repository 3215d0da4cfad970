// Starts clients as processes of their own, so that the work of the attacker's client does not delay the victim's.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AttackResult, AttackTask } from './attacker.ts'
import type { VictimAnswer, VictimTask } from './victim.ts'

const PROGRAM = fileURLToPath(new URL('./client-process.ts', import.meta.url))

export interface ClientProcess {
  run(task: VictimTask): Promise<readonly VictimAnswer[]>
  run(task: AttackTask): Promise<AttackResult>
  stop(): Promise<void>
}

export function startClient(): ClientProcess {
  const child = fork(PROGRAM, { execArgv: [], serialization: 'advanced' })
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    // biome-ignore lint/suspicious/noExplicitAny: the type of the result follows from the role of the task.
    run: (task: VictimTask | AttackTask) => exchange(child, task) as Promise<any>,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function exchange(child: ChildProcess, task: VictimTask | AttackTask): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The client process ended with ${code} before it finished its task.`)
  })
  const answered = once(child, 'message')
  child.send(task)
  const [result] = await Promise.race([answered, ended])
  return result
}
