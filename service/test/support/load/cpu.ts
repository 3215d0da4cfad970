// Reads the processor time of processes from /proc. On a shared machine, processor time varies less than throughput.
import { readdirSync, readFileSync } from 'node:fs'
import { Client } from 'pg'

const NANOSECONDS = 1e9
/** Unit of the times in /proc/<pid>/stat on Linux. */
const TICKS_PER_SECOND = 100
/** Interval in which sessions are sampled. A session that ends loses at most the processor time since the last sample. */
const SAMPLE_INTERVAL_MS = 100

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

/** Returns the processor seconds that the main thread of a process has used so far. */
export const readMainThreadSeconds = (pid: number): number => readThreadSeconds(pid, String(pid))

/** Returns the processor seconds of this process and of its child processes that have ended, such as wrk. */
export function readOwnCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The second field, the name of the program, may contain spaces, so the fields are counted from its closing bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number)
  return (user + system + childrenUser + childrenSystem) / TICKS_PER_SECOND
}

export function readResidentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** Returns the highest resident memory of a process since it started. */
export function readPeakMegabytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

interface DatabaseCpu {
  /** Counts the sessions of this database from now on. */
  add(database: string): void
  /** Returns the processor seconds of all sessions of the added databases, including sessions that have ended. */
  read(): Promise<number>
  close(): Promise<void>
}

/**
 * Watches sessions of a PostgreSQL server on this machine, autovacuum and parallel workers included. Processes that
 * serve all databases of the server, such as the checkpointer and the WAL writer, are not counted.
 */
export async function openDatabaseCpu(serverUrl: string): Promise<DatabaseCpu> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  const databases = new Set<string>()
  /** Last known processor seconds of each session. The start time is part of the key because Linux reuses process ids. */
  const secondsBySession = new Map<string, number>()
  const sample = async () => {
    const { rows } = await client.query<{ pid: number; session: string }>(SESSIONS, [[...databases]])
    for (const { pid, session } of rows) {
      const known = secondsBySession.get(session) ?? 0
      // A session that has just ended reads as 0, so its last known value is kept.
      secondsBySession.set(session, Math.max(known, readCpuSeconds(pid)))
    }
  }
  let sampling = Promise.resolve()
  const sampleInTurn = () => {
    sampling = sampling.then(sample)
    return sampling
  }
  const timer = setInterval(() => void sampleInTurn(), SAMPLE_INTERVAL_MS)
  return {
    add: (database) => void databases.add(database),
    read: async () => {
      await sampleInTurn()
      return [...secondsBySession.values()].reduce((total, seconds) => total + seconds, 0)
    },
    close: async () => {
      clearInterval(timer)
      await sampling
      await client.end()
    },
  }
}

const SESSIONS = `
  select pid, pid || ' ' || backend_start as session
    from pg_stat_activity
   where datname = any ($1) and pid <> pg_backend_pid()
`
