// The links of a process to what lies outside: three pools, so that no kind of work can starve another, and Redis.
import type { Config } from '../config.ts'
import { openPool, type Pool } from '../database/postgres.ts'
import { openRedis, type Redis } from '../database/redis.ts'
import type { Log } from '../log.ts'

export interface Links {
  /** The catalog, from the nearest replica. */
  readonly reads: Pool
  /** Source and catalog tables, on the primary. */
  readonly writes: Pool
  readonly accounts: Pool
  /** Absent when no REDIS_URL is set. */
  readonly redis: Redis | undefined
  close(): Promise<void>
}

/** Nothing connects before it is used, so a command pays only for the links that it needs. */
export function openLinks({ database, redis }: Pick<Config, 'database' | 'redis'>, log: Log): Links {
  const open = (name: string, url: string) =>
    openPool(url, name, database.limits, (err) => log.warn({ err, pool: name }, 'an idle database connection was lost'))
  const [reads, writes, accounts] = [
    open('reads', database.readUrl),
    open('writes', database.writeUrl),
    open('accounts', database.accountsUrl),
  ]
  const link =
    redis.url === null ? undefined : openRedis(redis.url, (err) => log.warn({ err }, 'Redis does not answer'))
  return {
    reads,
    writes,
    accounts,
    redis: link,
    close: async () => {
      link?.destroy()
      await Promise.all([reads.close(), writes.close(), accounts.close()])
    },
  }
}
