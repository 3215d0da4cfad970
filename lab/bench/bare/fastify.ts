// Baseline F of the benchmark: a bare Fastify route that sends bytes and headers from memory, without API keys, credits
// and request log.
import { readFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import { deserialize } from 'node:v8'
import fastify from 'fastify'

/** Answer of the service to one path. F sends the same headers, because every header costs processor time. */
export interface BareAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

const [, , file = ''] = argv
const answers: ReadonlyMap<string, BareAnswer> = deserialize(readFileSync(file))

const app = fastify()
app.get('/*', (request, reply) => {
  const answer = answers.get(request.url)
  if (!answer) return reply.callNotFound()
  return reply.headers(answer.headers).send(answer.body)
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.once('SIGTERM', () => process.exit(0))
stdout.write(`${JSON.stringify({ msg: 'serving', api: app.server.address() })}\n`)
