// Handles requests: one handler for all endpoints, with the steps in the order of decision B2 (API key or session,
// origin, rate limit, input, plan, charge, work).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Charge } from '../accounts/credits/charge-batch.ts'
import type { Caller } from '../accounts/keys/find-caller.ts'
import { type AnyInput, DEFAULT_BODY_LIMIT, type SentDocument } from '../contract/endpoint.ts'
import { checkParameters, readInput } from '../contract/read-input.ts'
import { methodNotAllowed, planRefused } from '../contract/response/errors.ts'
import { toHalfCredits } from '../domain/account/credits.ts'
import { withCharge } from './admission/charge.ts'
import type { Turn } from './admission/database-turns/turns.ts'
import { toNetworkOwner } from './admission/owner.ts'
import type { MemoryReservation, UnsentBytes } from './admission/unsent-bytes.ts'
import { answer, type InOwnTurn, replyRendered } from './answer.ts'
import type { Admission, AdmittedCall, ApiContext, RequestContext } from './api-context.ts'
import { callWhenSent } from './call-when-sent.ts'
import { type CallWork, connectionClosed, openCallWork } from './call-work.ts'
import type { CountedBody } from './documents/body-memory.ts'
import { matchesEtag } from './etag.ts'
import { LARGE_BYTES } from './large-answers/pieces.ts'
import { failBody, readDocument, readJsonBody } from './read-body.ts'
import { CORRELATION_ID_PREFIX } from './refuse-request.ts'
import { type Reply, respond } from './respond.ts'
import type { ServedEndpoint, Services } from './services.ts'

/** Registers the endpoints for one way of calling them. */
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

/** All endpoints with the same path. */
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
  if (!admitted) await api.processor.enter(toNetworkOwner(request.ip))
  const caller = admitted?.caller
  request.caller = caller
  const document = caller ? openDocument(context, caller) : undefined
  try {
    const input = endpoint.body || document ? await receiveInput(context, document) : readParameters(context)
    if (admitted) await admission.countInput?.(context, input, admitted)
    if (caller) assertPlan(endpoint, input, caller)
    if (admitted) await waitForNews(context, input, admitted)
    const send = (response: Reply) => {
      admission.prepareResponse?.(reply)
      return respond(request, reply, response)
    }
    if (!admitted) return await servePublic(context, input, send)
    return await serveCaller(context, input, admitted, { send, work: document?.work })
  } finally {
    document?.work.whenEnded(() => document.memory.release())
  }
}

type Send = (response: Reply) => Promise<FastifyReply>

async function servePublic(context: RequestContext, input: AnyInput, send: Send): Promise<FastifyReply> {
  const work = openCallWork(context.request.raw.socket)
  try {
    return await send(await work.run(() => answer(context, input, createServices(context, false)), ANSWER_TIMEOUT_MS))
  } finally {
    work.whenEnded(() => {})
  }
}

async function serveCaller(
  context: RequestContext,
  input: AnyInput,
  admitted: AdmittedCall,
  { send, work }: { readonly send: Send; readonly work: CallWork | undefined },
): Promise<FastifyReply> {
  const { endpoint, request, reply, api } = context
  const services = createServices(context, admitted.isFree)
  const ready = endpoint.answerWithoutCharge?.(input, services)
  // A 304 needs no work, so it is not charged (decision A6).
  if (ready && matchesEtag(request.headers['if-none-match'], ready.etag))
    return send(replyRendered(context, ready, services))
  const slot = api.concurrency.enter(admitted.caller.accountId)
  if (!ready) return serveInTurn(context, input, { ...admitted, services, send, slot, work })
  const charge = buildCharge(endpoint, admitted, request.id)
  try {
    return await withCharge(api.credits, charge, async () => replyRendered(context, ready, services), send)
  } finally {
    callWhenSent(reply.raw, slot)
  }
}

interface TurnCall extends AdmittedCall {
  readonly services: Services
  readonly send: Send
  /** Called when the call is no longer in flight. */
  readonly slot: () => void
  /** Work that has already begun, by receiving a document. */
  readonly work: CallWork | undefined
}

/** Releases what the call holds once its work has really ended (decision E41). */
async function serveInTurn(context: RequestContext, input: AnyInput, call: TurnCall): Promise<FastifyReply> {
  const { endpoint, request, reply, api } = context
  const { caller, services, send } = call
  const work = call.work ?? openCallWork(request.raw.socket)
  // Node closes connections without traffic after 20 s, but a call may wait longer for its answer.
  reply.raw.on('timeout', ignoreTimeout)
  try {
    const estimatedBytes = endpoint.estimateBytes?.(input)
    request.reservation = await reserveResponseMemory(estimatedBytes, caller, work.signal, api.unsent)
    const bound = bindServices(services, context, work.signal)
    const prepare = async () => endpoint.prepare?.(input, bound)
    return await withTurn(context, caller, { work, prepare }, async (run) => {
      const units = endpoint.countUnits ? await run(() => countUnits(endpoint, input, bound), ANSWER_TIMEOUT_MS) : 1
      const charge = buildCharge(endpoint, call, request.id, units)
      const onFailure = () => void (charge.costHalf > 0 && api.credits.refunds.add(charge))
      // The database slot is held while a large response is encoded and compressed, because that uses the node's
      // processor.
      return withCharge(
        api.credits,
        charge,
        () => run(() => answer(context, input, bound, createOwnTurns(context, call)), ANSWER_TIMEOUT_MS),
        (response) => run(() => send({ ...response, onFailure })),
      )
    })
  } catch (error) {
    // The error response needs little memory, but the failed work may still use what was reserved for it.
    const { reservation } = request
    request.reservation = undefined
    work.whenEnded(() => reservation?.release())
    throw error
  } finally {
    // From here on, a client that does not read its response is disconnected.
    reply.raw.off('timeout', ignoreTimeout)
    const { reservation } = request
    work.whenEnded(() =>
      callWhenSent(reply.raw, () => {
        reservation?.release()
        call.slot()
      }),
    )
  }
}

/**
 * Reserves memory for a large response before the call is charged (unsent-bytes.ts). Throws 503 if the account's
 * clients do not read their responses, and the signal's reason if it aborts. The caller releases the memory.
 */
async function reserveResponseMemory(
  estimatedBytes: number | undefined,
  { accountId }: Caller,
  signal: AbortSignal,
  unsent: UnsentBytes,
): Promise<MemoryReservation | undefined> {
  if (estimatedBytes === undefined || estimatedBytes <= LARGE_BYTES) return undefined
  return unsent.reserve(accountId, estimatedBytes, signal)
}

/** Measured from the start of a call's work to its answer. */
const ANSWER_TIMEOUT_MS = 10_000

const ignoreTimeout = () => {}

interface OpenDocument {
  readonly work: CallWork
  readonly memory: CountedBody
  receive(): Promise<SentDocument>
}

/** Counts the memory of a document until the work of the call ends. */
function openDocument({ endpoint, request, api }: RequestContext, { accountId }: Caller): OpenDocument | undefined {
  const { documentBody, bodyLimit = DEFAULT_BODY_LIMIT } = endpoint
  if (!documentBody) return undefined
  const memory = api.documents.memory.open(accountId, (error) => failBody(request.raw, error))
  const rules = { types: documentBody.types, maxBytes: bodyLimit, onBytes: memory.add }
  return {
    work: openCallWork(request.raw.socket),
    memory,
    receive: async () => {
      const document = await readDocument(request.raw, rules)
      memory.complete()
      return document
    },
  }
}

type CallInput = AnyInput & { readonly document?: SentDocument }

function readParameters({ endpoint, request }: RequestContext): CallInput {
  return readInput(endpoint, {
    path: readPathParameters(endpoint, request),
    query: readRawQuery(request.url),
    body: undefined,
  })
}

/** Invalid parameters are rejected before the body is read (decision E52). */
async function receiveInput({ endpoint, request }: RequestContext, open: OpenDocument | undefined): Promise<CallInput> {
  const parameters = { path: readPathParameters(endpoint, request), query: readRawQuery(request.url) }
  checkParameters(endpoint, parameters)
  const body = endpoint.body ? await readJsonBody(request.raw, endpoint.bodyLimit ?? DEFAULT_BODY_LIMIT) : undefined
  const document = await open?.receive()
  const read = readInput(endpoint, { ...parameters, body })
  return document ? { ...read, document } : read
}

/** Returns early if the client closes the connection. */
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
    const release = api.waits.enter(caller.accountId, abort)
    await waiting.finally(release)
  } finally {
    abort()
    socket.off('close', abort)
    reply.raw.off('timeout', ignoreTimeout)
  }
  if (socket.destroyed) throw connectionClosed()
}

type TurnKind = Exclude<ServedEndpoint['work'], 'none'>

/**
 * Waits for a slot to use the database or the document thread. This happens before the charge, so a call that is
 * refused while it waits causes neither a charge nor a refund.
 */
async function withTurn<T>(
  { endpoint, api }: RequestContext,
  { accountId }: Caller,
  { work, prepare }: { readonly work: CallWork; readonly prepare: Prepare },
  serve: (run: CallWork['run']) => Promise<T>,
): Promise<T> {
  if (endpoint.work === 'none') return serve(work.run)
  const { signal } = work
  const turn = await takeTurn(api, accountId, endpoint.work, { signal, prepare })
  try {
    // If the client hung up while the call waited, there is no one to receive the answer.
    signal.throwIfAborted()
    return await serve((part, timeoutMs) => work.run(() => turn.run(part), timeoutMs))
  } finally {
    work.whenEnded(() => turn.end())
  }
}

/** The connection of a stream outlasts the call's work, so each part has its own work, which a hang-up aborts. */
function createOwnTurns(context: RequestContext, { caller, services }: TurnCall): InOwnTurn {
  return (part) => {
    const work = openCallWork(context.request.raw.socket)
    const bound = bindServices(services, context, work.signal)
    const prepare = async () => undefined
    return withTurn(context, caller, { work, prepare }, (run) => run(() => part(bound), ANSWER_TIMEOUT_MS))
  }
}

const countUnits = async (endpoint: ServedEndpoint, input: AnyInput, services: Services) =>
  (await endpoint.countUnits?.(input, services)) ?? 1

type Prepare = Parameters<ApiContext['documents']['take']>[1]

function takeTurn(
  { documents, turns }: ApiContext,
  accountId: string,
  work: TurnKind,
  { signal, prepare }: { readonly signal: AbortSignal; readonly prepare: Prepare },
): Promise<Turn> {
  if (work === 'document') return documents.take(accountId, prepare, signal)
  if (work === 'match') return documents.takeForMatch(accountId, prepare, signal)
  return (work === 'account' ? turns.accounts : turns.catalog).take(accountId, work, signal)
}

const NEVER_ABORTED = new AbortController().signal

function createServices({ request, api }: RequestContext, isFree: boolean): Services {
  return { ...api.services, caller: request.caller, isFree, now: api.clock(), signal: NEVER_ABORTED }
}

/** Changes to an account are not aborted: they are short, and the caller would not know whether they were made. */
function bindServices(services: Services, { endpoint, api }: RequestContext, signal: AbortSignal): Services {
  const accounts = endpoint.method === 'GET' ? api.bind.accounts(signal) : services.accounts
  return { ...services, signal, db: api.bind.catalog(signal), accounts }
}

function assertPlan(endpoint: ServedEndpoint, input: AnyInput, { plan }: Caller): void {
  const required = endpoint.requiredPlan?.(input)
  if (required !== undefined && required !== plan) throw planRefused(required)
}

/**
 * Checks at startup that a price is a multiple of half a credit and that a public endpoint, which has no account to
 * charge, is free.
 */
function assertChargeable({ name, access, credits }: ServedEndpoint): void {
  if (toHalfCredits(credits) > 0 && access === 'public')
    throw new Error(`The endpoint ${name} costs credits but has no caller to charge: set access to 'key'.`)
}

function buildCharge(
  { name, credits }: ServedEndpoint,
  { caller, isFree }: AdmittedCall,
  correlationId: string,
  units = 1,
): Charge {
  const requestId = correlationId.slice(CORRELATION_ID_PREFIX.length)
  const { accountId, keyId, admission } = caller
  return {
    requestId,
    accountId,
    keyId,
    admission,
    endpoint: name,
    costHalf: isFree ? 0 : toHalfCredits(credits) * units,
  }
}

function readPathParameters(
  { parameters }: ServedEndpoint,
  request: FastifyRequest,
): Readonly<Record<string, string | undefined>> {
  const texts = request.params as Record<string, string>
  const path: Record<string, string | undefined> = {}
  for (const [name, routerName] of listPathNames(parameters.path)) path[name] = texts[routerName]
  return path
}

/** The names of path parameters, with their names in Fastify's router. */
const pathNames = new WeakMap<object, readonly (readonly [string, string])[]>()

function listPathNames(parameters: object): readonly (readonly [string, string])[] {
  const known = pathNames.get(parameters)
  if (known) return known
  const names = Object.keys(parameters).map((name) => [name, toRouterName(name)] as const)
  pathNames.set(parameters, names)
  return names
}

/** Fastify's router ends a parameter name at a hyphen. */
const toRouterName = (name: string) => name.replaceAll('-', '_')

function readRawQuery(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}
