// Keeps the PostgreSQL of a demonstration, in a process of its own: however the demonstration ends, by Ctrl-C, a closed
// terminal or a kill, its end of the pipe closes, and then the server is stopped and its folder removed.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { Command } from 'commander'
import { EmbeddedPostgresError, startEmbeddedPostgres } from '../../database/embedded-postgres.ts'
import { sayJson } from '../output/print.ts'

export interface KeptPostgres {
  readonly url: string
  /** Resolves when nothing is left of it but what was to be kept. */
  end(): Promise<void>
}

/** What the keeper says, in one line, once it knows. */
type Word = { readonly url: string } | { readonly fault: string }

export function demoPostgresCommand(): Command {
  return new Command('demo-postgres')
    .description('started by "vis-server demo", to look after its PostgreSQL')
    .argument('<folder>', 'where its programs and its data are')
    .option('--keep', 'leave the folder behind')
    .action(async (folder: string, { keep = false }: { keep?: boolean }) => {
      const ended = once(process.stdin.resume(), 'end')
      try {
        await keepUntil(ended, folder, keep)
      } finally {
        if (!keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    })
}

async function keepUntil(ended: Promise<unknown>, folder: string, isKept: boolean): Promise<void> {
  try {
    // What is thrown away need not survive a loss of power.
    const server = await startEmbeddedPostgres(folder, { settings: isKept ? [] : ['fsync=off'] })
    sayJson({ url: server.url } satisfies Word)
    await ended
    await server.stop()
  } catch (error) {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    sayJson({ fault: error.message } satisfies Word)
  }
}

/** Detached, so that Ctrl-C in a terminal reaches the demonstration alone, which needs the server to the end. */
export async function startKeeper(folder: string, isKept: boolean): Promise<KeptPostgres> {
  const args = [...process.argv.slice(1, 2), 'demo-postgres', folder, ...(isKept ? ['--keep'] : [])]
  const keeper = spawn(process.execPath, args, {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(keeper, 'close')
  const word = await firstWord(keeper)
  if ('fault' in word) throw new EmbeddedPostgresError(word.fault)
  return {
    url: word.url,
    end: async () => {
      keeper.stdin.end()
      await ended
    },
  }
}

async function firstWord(keeper: ChildProcessByStdio<Writable, Readable, null>): Promise<Word> {
  for await (const line of createInterface({ input: keeper.stdout })) return JSON.parse(line)
  return { fault: 'PostgreSQL could not be started.' }
}
