// Reads the processor time of processes from /proc. On a shared machine, processor time varies less than throughput.
import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'

const NANOSECONDS = 1e9

/** Returns the processor seconds that all threads of a process have used so far, or 0 if the process has ended. */
export function readCpuSeconds(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((total, thread) => total + readThreadSeconds(pid, thread), 0)
  } catch {
    return 0
  }
}

function readThreadSeconds(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / NANOSECONDS
  } catch {
    return 0 // The thread has just ended.
  }
}

export function readResidentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

export interface ServerProcesses {
  /** Returns the processor seconds of all processes of the PostgreSQL server. */
  read(): Promise<number>
  close(): Promise<void>
}

/** Watches the sessions and background processes of a PostgreSQL server on this machine. */
export async function openPostgresProcesses(url: string): Promise<ServerProcesses> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    read: async () => {
      const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
      return rows.reduce((total, { pid }) => total + readCpuSeconds(pid), 0)
    },
    close: () => client.end(),
  }
}
