// A Redis of one's own, to be killed, hung and emptied.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../../tools/free-port.ts'
import { atEnd } from '../cleanup.ts'

export interface PrivateRedis {
  readonly url: string
  start(): Promise<void>
  /** At once, with everything it held. */
  kill(): Promise<void>
  hang(): void
  goOn(): void
  empty(): Promise<void>
}

export async function privateRedis(): Promise<PrivateRedis> {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'vis-redis-'))]
  let child: ChildProcess | undefined
  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    child = spawn('redis-server', options, { stdio: 'ignore' })
    for (let attempt = 0; attempt < 100 && !(await command(port, 'PING')).includes('PONG'); attempt += 1)
      await sleep(50)
  }
  const kill = async () => {
    const gone = new Promise((resolve) => child?.once('exit', resolve))
    child?.kill('SIGKILL')
    await gone
  }
  await start()
  atEnd(async () => {
    child?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    hang: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    empty: async () => void (await command(port, 'FLUSHALL')),
  }
}

function command(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('data', (reply) => {
      socket.destroy()
      resolve(reply.toString())
    })
    socket.once('error', () => resolve(''))
  })
}
