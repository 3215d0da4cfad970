// Processor time of processes, from the kernel's own books: steadier than throughput on a machine that others use too.
import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'

const NANOSECONDS = 1e9

/** Seconds on a processor so far, of all threads. Of a process that has ended: nothing. */
export function cpuSeconds(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((total, thread) => total + ofThread(pid, thread), 0)
  } catch {
    return 0
  }
}

function ofThread(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / NANOSECONDS
  } catch {
    return 0 // it has just ended
  }
}

export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

export interface ServerProcesses {
  /** Seconds of all processes of the server. */
  read(): Promise<number>
  close(): Promise<void>
}

/** Of a PostgreSQL on this machine: its sessions and its own workers. */
export async function postgresProcesses(url: string): Promise<ServerProcesses> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    read: async () => {
      const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
      return rows.reduce((total, { pid }) => total + cpuSeconds(pid), 0)
    },
    close: () => client.end(),
  }
}
