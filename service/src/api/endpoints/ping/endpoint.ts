import { sql } from 'kysely'
import { Type } from 'typebox'
import { instantSchema } from '../../../contract/response/schemas.ts'
import type { Database } from '../../../database/postgres.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { coalesce } from '../../coalesce.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const ping = defineEndpoint({
  name: 'ping',
  method: 'GET',
  path: '/api/v1/ping',
  tag: 'Service',
  summary: 'Full health check',
  description: 'Checks the key and the database connection. Free of charge. Does not consume from the rate limit.',
  access: 'key',
  credits: 0,
  consumesRate: false,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'none',
  cacheControl: 'no-store',
  response: {
    name: 'Ping',
    schema: Type.Object(
      {
        status: Type.Enum(['ok', 'degraded'], { description: 'degraded: the database is not reachable.' }),
        timestamp: instantSchema('The time of the response, in UTC and whole seconds.'),
        database: Type.Object(
          {
            connected: Type.Boolean({ description: 'Whether the database answered.' }),
            latency_ms: Type.Number({ minimum: 0, description: 'Time of the database query in milliseconds.' }),
          },
          { additionalProperties: false, description: 'State of the database connection.' },
        ),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: [],
  answer: async (_input, { checks, now }) => {
    const database = await probe(checks, now)
    return { data: { status: database.connected ? 'ok' : 'degraded', timestamp: formatInstant(now), database } }
  },
})

/** Runs one query for all concurrent requests: pings are free, so a caller may send any number of them. */
const probe = coalesce(queryDatabase, { maxAgeMs: 0 })

async function queryDatabase(db: Database): Promise<{ connected: boolean; latency_ms: number }> {
  const started = performance.now()
  const connected = await sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return { connected, latency_ms: Math.round((performance.now() - started) * 100) / 100 }
}
