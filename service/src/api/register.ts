// The request flow: one handler for all endpoints, which performs the steps in the order of decision B2 (API key or
// session, origin, rate limit, input, plan, charge, work).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Charge } from '../accounts/charge-batch.ts'
import type { Caller } from '../accounts/find-caller.ts'
import { type AnyInput, DEFAULT_BODY_LIMIT, type SentDocument } from '../contract/endpoint.ts'
import { ApiError, methodNotAllowed, planRefused } from '../contract/errors.ts'
import { readInput } from '../contract/read-input.ts'
import { toHalfCredits } from '../domain/credits.ts'
import { withCharge } from './admission/charge.ts'
import type { Turn } from './admission/database-turns/turns.ts'
import { reserveResponseMemory } from './admission/reserve-memory.ts'
import { answer, replyRendered } from './answer.ts'
import type { Admission, AdmittedCall, ApiContext, RequestContext } from './api-context.ts'
import { callWhenSent } from './call-when-sent.ts'
import { matchesEtag } from './etag.ts'
import { readDocument, readJsonBody } from './read-body.ts'
import { CORRELATION_ID_PREFIX } from './refuse-request.ts'
import { type Reply, respond } from './respond.ts'
import type { ServedEndpoint, Services } from './services.ts'

/** Registers the endpoints for one way to call them. */
export function register(
  app: FastifyInstance,
  endpoints: readonly ServedEndpoint[],
  context: ApiContext,
  admission: Admission,
): void {
  for (const endpoint of endpoints) assertChargeable(endpoint)
  const byPath = Map.groupBy(endpoints, ({ path }) => path)
  for (const [path, served] of byPath) {
    const route: Route = {
      served,
      admission,
      isPublic: served.every(({ access }) => access === 'public'),
      allow: [...served.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'],
    }
    app.route({
      method: app.supportedMethods,
      url: admission.prefix + path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `:${toRouterName(name)}`),
      handler: (request, reply) => dispatch(route, request, reply, context),
    })
  }
}

/** All endpoints that have the same path and differ in the method. */
interface Route {
  readonly served: readonly ServedEndpoint[]
  readonly admission: Admission
  readonly isPublic: boolean
  readonly allow: readonly string[]
}

async function dispatch(
  { served, admission, isPublic, allow }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  context: ApiContext,
) {
  admission.open(request, reply, isPublic, context)
  if (request.method === 'OPTIONS') {
    await admission.answerOptions(request, reply, context)
    return reply.code(204).header('Allow', allow.join(', ')).send()
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const endpoint = served.find((each) => each.method === method)
  if (!endpoint) throw methodNotAllowed(allow)
  return handle({ endpoint, request, reply, api: context }, admission)
}

async function handle(context: RequestContext, admission: Admission): Promise<FastifyReply> {
  const { endpoint, request, reply, api } = context
  request.endpointName = admission.nameEndpoint(endpoint)
  const admitted = endpoint.access === 'key' ? await admission.admit(context) : undefined
  const caller = admitted?.caller
  request.caller = caller
  const body = endpoint.body ? await readJsonBody(request.raw, endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT) : undefined
  const document = await receiveDocument(context, caller)
  const read = readInput(endpoint, {
    path: readPathParameters(endpoint, request),
    query: readRawQuery(request.url),
    body,
  })
  const input = document ? { ...read, document } : read
  if (admitted) await admission.countInput?.(context, input, admitted)
  if (caller) assertPlan(endpoint, input, caller)
  if (admitted) await waitForNews(context, input, admitted)
  const services = createServices(context, admitted?.isFree ?? false)
  const send = (response: Reply) => {
    admission.prepareResponse?.(reply)
    return respond(request, reply, response)
  }
  if (!admitted || !caller) return send(await answer(context, input, services))

  const ready = endpoint.answerWithoutCharge?.(input, services)
  // A 304 response (the client already has the current version) needs no work, so it is sent without charging credits
  // (decision A6).
  if (ready && matchesEtag(request.headers['if-none-match'], ready.etag))
    return send(replyRendered(context, ready, services))
  const release = api.concurrency.enter(caller.accountId)
  try {
    const charge = buildCharge(endpoint, admitted, request.id)
    if (ready) return await withCharge(api.credits, charge, async () => replyRendered(context, ready, services), send)
    // Node would close a connection without traffic for 20 s, but a call may wait for longer before it is answered.
    reply.raw.on('timeout', ignoreTimeout)
    request.reservation = await reserveResponseMemory(endpoint.estimateBytes?.(input), caller, reply.raw, api.unsent)
    return await withTurn(context, caller, (run) => {
      const work = () => run(() => answer(context, input, services))
      // The turn includes the encoding and compression of a large response, which use the processor of the node.
      return withCharge(api.credits, charge, work, (response) => run(() => send(response)))
    })
  } finally {
    // From here on, a client that does not read its response is disconnected.
    reply.raw.off('timeout', ignoreTimeout)
    callWhenSent(reply.raw, release)
  }
}

const ignoreTimeout = () => {}

/** Returns the body of a call whose endpoint takes a document. Its bytes count as used until the response is sent. */
async function receiveDocument(
  { endpoint, request, reply, api }: RequestContext,
  caller: Caller | undefined,
): Promise<SentDocument | undefined> {
  if (!endpoint.documentBody || !caller) return undefined
  const memory = api.documents.memory.open(caller.accountId)
  callWhenSent(reply.raw, () => memory.release())
  return readDocument(request.raw, {
    types: endpoint.documentBody.types,
    maxBytes: endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT,
    onBytes: memory.add,
  })
}

/** Lets the endpoint wait for new data. The call ends early if the client closes the connection. */
async function waitForNews(context: RequestContext, input: AnyInput, { caller, isFree }: AdmittedCall): Promise<void> {
  const { endpoint, request, reply, api } = context
  if (!endpoint.wait) return
  const closed = new AbortController()
  const waiting = endpoint.wait(input, createServices(context, isFree), closed.signal)
  if (!waiting) return
  const abort = () => closed.abort()
  const { socket } = request.raw
  socket.once('close', abort)
  reply.raw.on('timeout', ignoreTimeout)
  try {
    const release = api.waits.enter(caller.accountId)
    await waiting.finally(release)
  } finally {
    abort()
    socket.off('close', abort)
    reply.raw.off('timeout', ignoreTimeout)
  }
  if (socket.destroyed) throw connectionClosed()
}

const connectionClosed = () => new ApiError('REQUEST_TIMEOUT', 'The client closed the connection.')

type RunWork = Turn['run']
type TurnKind = Exclude<ServedEndpoint['work'], 'none'>

/**
 * Calls `serve` when it is the turn of the caller's account to use the database or the thread for documents. The turn
 * precedes the charge, so that a call that is refused while it waits costs neither a charge nor a refund.
 */
async function withTurn<T>(
  { endpoint, request, api }: RequestContext,
  { accountId }: Caller,
  serve: (run: RunWork) => Promise<T>,
): Promise<T> {
  if (endpoint.work === 'none') return serve((work) => work())
  const turn = await takeTurn(api, accountId, endpoint.work)
  try {
    // The client may have closed the connection while the call waited. Nobody would receive the answer.
    if (request.raw.socket.destroyed) throw connectionClosed()
    return await serve(turn.run)
  } finally {
    turn.end()
  }
}

function takeTurn({ documents, turns }: ApiContext, accountId: string, work: TurnKind): Promise<Turn> {
  if (work === 'document') return documents.take(accountId)
  return (work === 'account' ? turns.accounts : turns.catalog).take(accountId, work)
}

function createServices({ request, api }: RequestContext, isFree: boolean): Services {
  return { ...api.services, caller: request.caller, isFree, now: api.clock() }
}

function assertPlan(endpoint: ServedEndpoint, input: AnyInput, { plan }: Caller): void {
  const required = endpoint.requiredPlan?.(input)
  if (required !== undefined && required !== plan) throw planRefused(required)
}

/**
 * Throws at startup for an endpoint whose price is not a multiple of half a credit, or that costs credits but needs no
 * API key, so that no account could be charged.
 */
function assertChargeable({ name, access, credits }: ServedEndpoint): void {
  if (toHalfCredits(credits) > 0 && access === 'public')
    throw new Error(`The endpoint ${name} costs credits but has no caller to charge: set access to 'key'.`)
}

function buildCharge(
  { name, credits }: ServedEndpoint,
  { caller, isFree }: AdmittedCall,
  correlationId: string,
): Charge {
  const requestId = correlationId.slice(CORRELATION_ID_PREFIX.length)
  const { accountId, keyId } = caller
  return { requestId, accountId, keyId, endpoint: name, costHalf: isFree ? 0 : toHalfCredits(credits) }
}

function readPathParameters(
  { parameters }: ServedEndpoint,
  request: FastifyRequest,
): Readonly<Record<string, string | undefined>> {
  // The cast is safe: Fastify's router sets params to an object of strings.
  const texts = request.params as Record<string, string>
  const path: Record<string, string | undefined> = {}
  for (const name of Object.keys(parameters.path)) path[name] = texts[toRouterName(name)]
  return path
}

/** Replaces the hyphens in a path parameter's name, because Fastify's router ends a parameter name at a hyphen. */
const toRouterName = (name: string) => name.replaceAll('-', '_')

function readRawQuery(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}
