// How a request flows: one handler for every endpoint, from top to bottom in the order of decision B2.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../accounts/find-key.ts'
import { success } from '../contract/envelope.ts'
import { methodNotAllowed, unavailable } from '../contract/errors.ts'
import { readInput } from '../contract/read-input.ts'
import type { Database } from '../database/postgres.ts'
import type { Clock } from '../domain/clock.ts'
import { halfCredits } from '../domain/credits.ts'
import { allowEveryOrigin, allowOwnOrigin, answerPreflight, refuseForeignOrigin } from './admission/allow-origin.ts'
import { authenticate } from './admission/authenticate.ts'
import { limitRate, type RateRule } from './admission/limit-rate.ts'
import type { ServedEndpoint } from './call.ts'
import { isKnown, weakEtag } from './etag.ts'
import { readJsonBody } from './read-body.ts'
import { respond } from './respond.ts'

export interface House {
  readonly catalog: Database
  readonly accounts: Database
  readonly rate: RateRule
  readonly clock: Clock
  readonly publicUrl: string | null
}

const LONGEST_ANSWER_MS = 10_000

export function register(app: FastifyInstance, endpoints: readonly ServedEndpoint[], house: House): void {
  for (const endpoint of endpoints) refuseWithoutPrice(endpoint)
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  for (const [path, served] of byPath) {
    app.route({
      method: app.supportedMethods,
      url: path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => `:${routerName(name)}`),
      handler: (request, reply) => dispatch(served, request, reply, house),
    })
  }
}

async function dispatch(served: readonly ServedEndpoint[], request: FastifyRequest, reply: FastifyReply, house: House) {
  const isPublic = served.every(({ access }) => access === 'public')
  if (isPublic) allowEveryOrigin(reply)
  else allowOwnOrigin(request, reply, house.publicUrl)
  const allow = served.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  if (request.method === 'OPTIONS') {
    answerPreflight(reply)
    return reply
      .code(204)
      .headers({ Allow: [...allow, 'OPTIONS'].join(', '), Vary: 'Origin' })
      .send()
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = served.find((each) => each.method === method)
  if (!endpoint) throw methodNotAllowed([...allow, 'OPTIONS'])
  return handle(endpoint, request, reply, house)
}

async function handle(endpoint: ServedEndpoint, request: FastifyRequest, reply: FastifyReply, house: House) {
  request.endpointName = endpoint.name
  if (endpoint.access === 'key') request.caller = await admit(endpoint, request, reply, house)
  const body = endpoint.body ? await readJsonBody(request.raw) : undefined
  const input = readInput(endpoint, { path: pathOf(endpoint, request), query: rawQuery(request.url), body })
  const now = house.clock()
  const answer = await inTime(endpoint.answer(input, { db: house.catalog, now }))
  const data = JSON.stringify(answer.data)

  reply.headers(answer.headers ?? {})
  if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', endpoint.cacheControl)
  if (endpoint.method === 'GET' && endpoint.cacheControl !== 'no-store') {
    const etag = weakEtag(answer.etagOf ?? data)
    reply.header('ETag', etag)
    if (isKnown(request.headers['if-none-match'], etag)) return respond(request, reply, { status: 304, body: '' })
  }
  return respond(request, reply, {
    status: 200,
    body: success(data, { correlationId: request.id, now }, answer.beside),
  })
}

async function admit(
  endpoint: ServedEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  house: House,
): Promise<Caller> {
  const caller = await authenticate(house.accounts, request.raw.headersDistinct['x-api-key'])
  refuseForeignOrigin(request, house.publicUrl)
  await limitRate(reply, caller, endpoint.consumesRate, house.rate)
  return caller
}

/** The work itself may go on; the database's own timeouts end it. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable('The answer took too long.')), LONGEST_ANSWER_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A route without a price does not start; nor, until there is a meter, does one that would give paid answers away. */
function refuseWithoutPrice({ name, access, credits }: ServedEndpoint): void {
  const halves = halfCredits(credits)
  if (halves > 0 && access === 'public')
    throw new Error(`${name} has a price, but nobody to charge: it needs access: 'key'`)
  if (halves > 0) throw new Error(`${name} costs ${credits} credits, but this build has no meter to charge them`)
}

function pathOf(endpoint: ServedEndpoint, request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  // Earned: Fastify's router fills it with the text between slashes, under the names of the route.
  const texts = request.params as Record<string, string>
  return Object.fromEntries(Object.keys(endpoint.parameters.path).map((name) => [name, texts[routerName(name)]]))
}

/** To the router a hyphen ends the name of a parameter. */
const routerName = (name: string) => name.replaceAll('-', '_')

function rawQuery(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}
