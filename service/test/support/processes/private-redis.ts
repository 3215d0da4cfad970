// Starts a Redis server for one test file, which the test may kill, suspend and empty.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../../tools/free-port.ts'
import { cleanUpAfterTests } from '../cleanup.ts'

export interface PrivateRedis {
  readonly url: string
  start(): Promise<void>
  /** Kills the Redis process. All data is lost, because nothing is persisted. */
  kill(): Promise<void>
  suspend(): void
  resume(): void
  flush(): Promise<void>
  /** Makes this server a replica of another one. Resolves when it has the other one's data. */
  replicate(primary: PrivateRedis): Promise<void>
  /** Disconnects a replica from its primary. It keeps its data and stays read-only. */
  lag(): Promise<void>
  /** Makes a replica accept writes. */
  promote(): Promise<void>
}

/** A port that nothing listens on, because only the superuser may use it. */
const CLOSED_PORT = 1

/** `extraOptions` are added to the command line, for example `--aclfile` and the path of a file with users. */
export async function startPrivateRedis(...extraOptions: readonly string[]): Promise<PrivateRedis> {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'vis-redis-'))]
  let child: ChildProcess | undefined
  const start = async () => {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    child = spawn('redis-server', [...options, ...extraOptions], { stdio: 'ignore' })
    for (let attempt = 0; attempt < 100 && !/PONG|NOAUTH/.test(await sendCommand(port, 'PING')); attempt += 1)
      await sleep(50)
  }
  const kill = async () => {
    const exited = new Promise((resolve) => child?.once('exit', resolve))
    child?.kill('SIGKILL')
    await exited
  }
  await start()
  cleanUpAfterTests(async () => {
    child?.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    suspend: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    flush: async () => void (await sendCommand(port, 'FLUSHALL')),
    replicate: async (primary) => {
      await sendCommand(port, `REPLICAOF 127.0.0.1 ${new URL(primary.url).port}`)
      for (let attempt = 0; attempt < 600 && !(await isLinkUp(port)); attempt += 1) await sleep(50)
    },
    lag: async () => void (await sendCommand(port, `REPLICAOF 127.0.0.1 ${CLOSED_PORT}`)),
    promote: async () => void (await sendCommand(port, 'REPLICAOF NO ONE')),
  }
}

async function isLinkUp(port: number): Promise<boolean> {
  return (await sendCommand(port, 'INFO replication')).includes('master_link_status:up')
}

function sendCommand(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${text}\r\n`))
    socket.once('data', (reply) => {
      socket.destroy()
      resolve(reply.toString())
    })
    socket.once('error', () => resolve(''))
  })
}
