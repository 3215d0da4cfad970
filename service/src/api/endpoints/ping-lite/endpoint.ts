import { Type } from 'typebox'
import { instantSchema } from '../../../contract/response/schemas.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const pingLite = defineEndpoint({
  name: 'ping-lite',
  method: 'GET',
  path: '/api/v1/ping-lite',
  tag: 'Service',
  summary: 'Light health check',
  description: 'Checks the key, but not the database, so that monitors can call it often. Free of charge.',
  access: 'key',
  credits: 0,
  consumesRate: false,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'none',
  cacheControl: 'no-store',
  response: {
    name: 'PingLite',
    schema: Type.Object(
      {
        status: Type.Enum(['ok', 'degraded'], { description: 'Always ok.' }),
        timestamp: instantSchema('The time of the response, in UTC and whole seconds.'),
      },
      { additionalProperties: false },
    ),
  },
  example,
  errors: [],
  answer: async (_input, { now }) => ({ data: { status: 'ok', timestamp: formatInstant(now) } }),
})
