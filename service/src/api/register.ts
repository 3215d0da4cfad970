// How a request flows: one handler for every endpoint, from top to bottom in the order of decision B2.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Callers } from '../accounts/caller-cache.ts'
import type { Charge } from '../accounts/charge-batch.ts'
import type { Caller } from '../accounts/find-caller.ts'
import type { AnyInput, Rendered } from '../contract/endpoint.ts'
import { metaTail, success } from '../contract/envelope.ts'
import { ApiError, methodNotAllowed, originRefused, planRefused, unavailable } from '../contract/errors.ts'
import { readInput } from '../contract/read-input.ts'
import type { Database } from '../database/postgres.ts'
import type { Clock } from '../domain/clock.ts'
import { halfCredits } from '../domain/credits.ts'
import {
  allowConfiguredOrigin,
  allowEveryOrigin,
  allowOriginOf,
  allowOwnOrigin,
  answerPreflight,
  type OriginRules,
} from './admission/allow-origin.ts'
import { authenticate } from './admission/authenticate.ts'
import { type Credits, charged } from './admission/charge.ts'
import type { ConcurrencyLimit } from './admission/limit-concurrency.ts'
import { limitRate, type RateRule } from './admission/limit-rate.ts'
import type { Cursors } from './cursor.ts'
import type { Records } from './cve-record/cache.ts'
import { isKnown, weakEtag } from './etag.ts'
import { readJsonBody } from './read-body.ts'
import { type Reply, respond } from './respond.ts'
import { sentValues } from './sent-headers.ts'
import type { ServedEndpoint, Services } from './services.ts'

export interface ApiContext {
  readonly catalog: Database
  readonly accounts: Database
  readonly callers: Callers
  readonly origins: OriginRules
  readonly rate: RateRule
  readonly concurrency: ConcurrencyLimit
  readonly credits: Credits
  readonly cursors: Cursors
  readonly records: Records
  readonly clock: Clock
}

const ANSWER_TIMEOUT_MS = 10_000

export function register(app: FastifyInstance, endpoints: readonly ServedEndpoint[], house: ApiContext): void {
  for (const endpoint of endpoints) refuseWithoutPrice(endpoint)
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  for (const [path, served] of byPath) {
    const route: Route = {
      served,
      isPublic: served.every(({ access }) => access === 'public'),
      allow: [...served.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'],
    }
    app.route({
      method: app.supportedMethods,
      url: path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => `:${routerName(name)}`),
      handler: (request, reply) => dispatch(route, request, reply, house),
    })
  }
}

/** All endpoints of one path. */
interface Route {
  readonly served: readonly ServedEndpoint[]
  readonly isPublic: boolean
  readonly allow: readonly string[]
}

async function dispatch(
  { served, isPublic, allow }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  house: ApiContext,
) {
  if (isPublic) allowEveryOrigin(reply)
  else allowOwnOrigin(request, reply, house.origins)
  if (request.method === 'OPTIONS') {
    await allowConfiguredOrigin(request, reply, house.origins)
    answerPreflight(reply)
    return reply
      .code(204)
      .headers({ Allow: allow.join(', '), Vary: 'Origin' })
      .send()
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = served.find((each) => each.method === method)
  if (!endpoint) throw methodNotAllowed(allow)
  return respond(request, reply, await handle({ endpoint, request, reply, house }))
}

/** One request to one endpoint, on its way through the house. */
interface Visit {
  readonly endpoint: ServedEndpoint
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly house: ApiContext
}

async function handle(visit: Visit): Promise<Reply> {
  const { endpoint, request, house } = visit
  request.endpointName = endpoint.name
  const caller = endpoint.access === 'key' ? await admit(visit) : undefined
  request.caller = caller
  const body = endpoint.body ? await readJsonBody(request.raw) : undefined
  const input = readInput(endpoint, { path: pathOf(endpoint, request), query: rawQuery(request.url), body })
  const services = servicesFor(visit)
  if (!caller) return answer(visit, input, services)

  refuseLowerPlan(endpoint, input, caller)
  const known = endpoint.known?.(input, services)
  // What costs us nothing costs the caller nothing (decision A6).
  if (known && isKnown(request.headers['if-none-match'], known.etag)) return finished(visit, known, services)
  const leave = house.concurrency.enter(caller.accountId)
  try {
    const work = async () => (known ? finished(visit, known, services) : answer(visit, input, services))
    return await charged(house.credits, chargeFor(endpoint, caller, request.id), work)
  } finally {
    leave()
  }
}

async function admit({ endpoint, request, reply, house }: Visit): Promise<Caller> {
  try {
    const caller = await authenticate(house.callers, sentValues(request.raw, 'x-api-key'))
    const isWelcome = allowOriginOf(caller, request, reply)
    // A refused origin consumes nothing, but sees the window like every other answer (decision A11).
    await limitRate(reply, caller, isWelcome && endpoint.consumesRate, house.rate)
    if (!isWelcome) throw originRefused()
    return caller
  } catch (error) {
    if (isUnauthorized(error)) await allowConfiguredOrigin(request, reply, house.origins)
    throw error
  }
}

function servicesFor({ request, house }: Visit): Services {
  const { catalog, accounts, cursors, records, clock } = house
  return { db: catalog, accounts, cursors, records, caller: request.caller, now: clock() }
}

function refuseLowerPlan(endpoint: ServedEndpoint, input: AnyInput, { plan }: Caller): void {
  const required = endpoint.requiredPlan?.(input)
  if (required !== undefined && required !== plan) throw planRefused(required)
}

const UNCHANGED: Reply = { status: 304, body: '' }

async function answer(visit: Visit, input: AnyInput, services: Services): Promise<Reply> {
  const { endpoint, request, reply } = visit
  const answered = await inTime(endpoint.answer(input, services))
  reply.headers({ 'Cache-Control': endpoint.cacheControl, ...answered.headers })
  if ('rendered' in answered) return finished(visit, answered.rendered, services)
  const stamp = { correlationId: request.id, now: services.now }
  const data = 'json' in answered ? answered.json : JSON.stringify(answered.data)
  if (isUnchanged(endpoint, request, reply, () => weakEtag(answered.etagOf ?? data))) return UNCHANGED
  return { status: 200, body: success(data, stamp, answered.beside) }
}

/** An answer that is kept as bytes needs nothing but its `meta`. */
function finished({ endpoint, request, reply }: Visit, head: Rendered, { now }: Services): Reply {
  reply.header('Cache-Control', endpoint.cacheControl)
  if (isUnchanged(endpoint, request, reply, () => head.etag)) return UNCHANGED
  return { status: 200, body: { head, tail: metaTail({ correlationId: request.id, now }) } }
}

/** Tells the validator of what may be kept, and whether the caller has that already. */
function isUnchanged(endpoint: ServedEndpoint, request: FastifyRequest, reply: FastifyReply, etagOf: () => string) {
  if (endpoint.method !== 'GET' || endpoint.cacheControl === 'no-store') return false
  const etag = etagOf()
  reply.header('ETag', etag)
  return isKnown(request.headers['if-none-match'], etag)
}

/** The work itself may go on; the database's own timeouts end it. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable('The answer took too long.')), ANSWER_TIMEOUT_MS)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A route without a price does not start, nor one whose price nobody would pay. */
function refuseWithoutPrice({ name, access, credits }: ServedEndpoint): void {
  if (halfCredits(credits) > 0 && access === 'public')
    throw new Error(`${name} has a price, but nobody to charge: it needs access: 'key'`)
}

function chargeFor(endpoint: ServedEndpoint, { accountId, keyId }: Caller, correlationId: string): Charge {
  const requestId = correlationId.replace(/^req_/, '')
  return { requestId, accountId, keyId, endpoint: endpoint.name, costHalf: halfCredits(endpoint.credits) }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'UNAUTHORIZED'
}

function pathOf({ parameters }: ServedEndpoint, request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  // Earned: Fastify's router fills it with the text between slashes, under the names of the route.
  const texts = request.params as Record<string, string>
  const path: Record<string, string | undefined> = {}
  for (const name of Object.keys(parameters.path)) path[name] = texts[routerName(name)]
  return path
}

/** To the router a hyphen ends the name of a parameter. */
const routerName = (name: string) => name.replaceAll('-', '_')

function rawQuery(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}
