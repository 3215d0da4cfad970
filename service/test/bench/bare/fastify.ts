// Baseline F of the benchmark: a bare Fastify route that sends bytes from memory, without API keys, credits and request
// log.
import { readFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import { deserialize } from 'node:v8'
import fastify from 'fastify'

const [, , file = ''] = argv
const bodies: ReadonlyMap<string, Buffer> = deserialize(readFileSync(file))

const app = fastify()
app.get('/*', (request, reply) =>
  reply.header('Content-Type', 'application/json; charset=utf-8').send(bodies.get(request.url)),
)
await app.listen({ host: '127.0.0.1', port: 0 })
process.once('SIGTERM', () => process.exit(0))
stdout.write(`${JSON.stringify({ msg: 'serving', api: app.server.address() })}\n`)
