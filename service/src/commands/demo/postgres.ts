// Runs the demo's PostgreSQL from a supervisor process. However the demo ends (Ctrl-C, closed terminal, kill), the pipe
// to the supervisor closes; the supervisor then stops the server and removes its folder.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { Command } from 'commander'
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../../database/embedded-postgres.ts'
import type { CommandIo } from '../io.ts'
import { printJson } from '../output/print.ts'

export interface DemoPostgres {
  readonly url: string
  /** Resolves when the server is stopped and its folder is removed, unless the folder is kept. */
  stop(): Promise<void>
}

/** The only line that the supervisor process prints, once PostgreSQL is running or has failed to start. */
type StartResult = { readonly url: string } | { readonly error: string }

export function demoPostgresCommand(io: CommandIo): Command {
  return new Command('demo-postgres')
    .description('Run the PostgreSQL of "vis-server demo" (started by that command)')
    .argument('<folder>', 'Folder of the PostgreSQL programs and data')
    .option('--keep', 'Keep the folder when the demo ends')
    .action(async (folder: string, { keep = false }: { keep?: boolean }) => {
      const ended = once(process.stdin.resume(), 'end')
      try {
        await runUntil(io, ended, folder, keep)
      } finally {
        if (!keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    })
}

async function runUntil(io: CommandIo, ended: Promise<unknown>, folder: string, isKept: boolean): Promise<void> {
  try {
    // The demo's data is removed at the end unless it is kept, so it need not survive a power failure.
    const server = await startEmbeddedPostgres(folder, { settings: isKept ? [] : ['fsync=off'] })
    printJson(io, { url: server.url } satisfies StartResult)
    await ended
    await server.stop()
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    printJson(io, { error: error.message } satisfies StartResult)
  }
}

/** Ctrl-C does not reach a detached process, so the server keeps running until the demo has finished. */
export async function startDemoPostgres(folder: string, isKept: boolean): Promise<DemoPostgres> {
  const args = [...process.argv.slice(1, 2), 'demo-postgres', folder, ...(isKept ? ['--keep'] : [])]
  const supervisor = spawn(process.execPath, args, {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(supervisor, 'close')
  const result = await readStartResult(supervisor)
  if ('error' in result) throw new EmbeddedPostgresError(result.error)
  return {
    url: result.url,
    stop: async () => {
      supervisor.stdin.end()
      await ended
    },
  }
}

async function readStartResult(supervisor: ChildProcessByStdio<Writable, Readable, null>): Promise<StartResult> {
  for await (const line of createInterface({ input: supervisor.stdout })) return JSON.parse(line)
  return { error: 'PostgreSQL could not be started.' }
}
