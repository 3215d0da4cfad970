import { sql } from 'kysely'
import { Type } from 'typebox'
import { instantSchema } from '../../../contract/schemas.ts'
import type { Database } from '../../../database/postgres.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const ping = defineEndpoint({
  name: 'ping',
  method: 'GET',
  path: '/api/v1/ping',
  summary: 'Full health check',
  description: 'Checks the key and the way to the database. Free of charge; does not consume from the rate limit.',
  access: 'key',
  credits: 0,
  consumesRate: false,
  cacheControl: 'no-store',
  response: {
    name: 'Ping',
    schema: Type.Object(
      {
        status: Type.Enum(['ok', 'degraded']),
        timestamp: instantSchema(),
        database: Type.Object(
          { connected: Type.Boolean(), latency_ms: Type.Number({ minimum: 0 }) },
          { additionalProperties: false },
        ),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: [],
  answer: async (_input, { db, now }) => {
    const database = await probe(db)
    return { data: { status: database.connected ? 'ok' : 'degraded', timestamp: formatInstant(now), database } }
  },
})

async function probe(db: Database): Promise<{ connected: boolean; latency_ms: number }> {
  const started = performance.now()
  const connected = await sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return { connected, latency_ms: Math.round((performance.now() - started) * 100) / 100 }
}
