// The HTTP server: limits, timeouts, and the headers and log line of every response. Fastify and Node never answer a
// request themselves (threat T-12).

import { METHODS } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Caller } from '../accounts/keys/find-caller.ts'
import type { ApiError } from '../contract/response/errors.ts'
import type { Log } from '../log.ts'
import { toNetworkOwner } from './admission/owner.ts'
import { keyAdmission } from './admit-key.ts'
import type { ApiContext, KeyUseRefusal } from './api-context.ts'
import { handleErrors } from './error-handler.ts'
import { handleExpectations } from './expect-continue.ts'
import { readHeaderValues } from './header-values.ts'
import type { HttpMetrics } from './metrics.ts'
import { startAfterEarlier } from './one-at-a-time.ts'
import { MAX_URL_BYTES, malformedRequest, urlTooLong } from './parser-errors.ts'
import { createCorrelationId, createRefusals } from './refuse-request.ts'
import { register } from './register.ts'
import { createRequestLog, formatPath, type RecordRequest, truncateRequestId } from './request-log.ts'
import { setConnectionClose } from './respond.ts'
import { serveRoot } from './root.ts'
import type { ServedEndpoint } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    endpointName: string
    caller: Caller | undefined
    /** Why a valid API key was refused. */
    refusal: KeyUseRefusal | undefined
  }
  interface FastifyInstance {
    isDraining(): boolean
    /** Waits until the request's network gets processor time. */
    enterProcessor(request: FastifyRequest, weight?: number): Promise<void> | undefined
  }
}

export interface ServerOptions {
  readonly endpoints: readonly ServedEndpoint[]
  readonly context: ApiContext
  readonly log: Log
  readonly metrics: HttpMetrics
  readonly trustProxy: readonly string[]
  /** The path to which / redirects a browser. */
  readonly startPage: string
  servePages(app: FastifyInstance): Promise<void>
  /** While true, every response has the header `Connection: close`. */
  readonly isDraining: () => boolean
}

const MAX_CONNECTIONS = 12_000

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { context, log } = options
  const logger: FastifyBaseLogger = log
  const record = createRequestLog(log, options.metrics)
  const refusals = createRefusals(context.clock, record)
  const app: FastifyInstance = fastify({
    ...HTTP_LIMITS,
    loggerInstance: logger,
    genReqId: createCorrelationId,
    // There is no child logger per request, because each log line has the correlation id.
    childLoggerFactory: (parent) => parent,
    // The onResponse hook below logs requests instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    clientErrorHandler: (error, socket) => refusals.rejectRequest(error, socket),
    frameworkErrors: (_error, request, reply) => routeAgain(app, request, reply),
  })
  app.server.maxConnections = MAX_CONNECTIONS
  refusals.watch(app.server)
  handleExpectations(app.server, (request, response) => app.routing(request, response))
  disableBodyParsing(app)
  decorate(app, options, record)
  handleErrors(app, context.clock, log)
  serveRoot(app, options.startPage)
  register(app, options.endpoints, context, keyAdmission)
  await options.servePages(app)
  await app.ready()
  return app
}

const HTTP_LIMITS = {
  // These three settings work only together. Without requestTimeout, a client that sends its body byte by byte would
  // keep its connection; with Node's default check every 30 s, the timeouts would take effect late.
  requestTimeout: 15_000,
  http: {
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
  },
  // Longer than the load balancer's idle timeout of 60 s, so that the server never closes a connection that the load
  // balancer is about to use.
  keepAliveTimeout: 75_000,
  // Applies to connections without traffic. Waiting calls and large responses disable it (register.ts, send.ts).
  connectionTimeout: 20_000,
  // Requests during a shutdown are answered normally, not with 503.
  return503OnClosing: false,
  forceCloseConnections: false,
  routerOptions: {
    ignoreTrailingSlash: true,
    // A CVE id of any length must reach the parameter check, which reports it as malformed (decision B4).
    maxParamLength: MAX_URL_BYTES,
  },
} as const

/** Fastify would read bodies before the API key is checked (decision B2); read-body.ts reads them. */
function disableBodyParsing(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

function decorate(app: FastifyInstance, { context, isDraining }: ServerOptions, record: RecordRequest): void {
  app.decorateRequest('endpointName', 'none')
  app.decorateRequest('caller', undefined)
  app.decorateRequest('refusal', undefined)
  app.decorateRequest('reservation', undefined)
  app.decorate('isDraining', isDraining)
  app.decorate('unsent', context.unsent)
  app.decorate('readRate', context.readRate)
  app.decorate('enterProcessor', (request: FastifyRequest, weight?: number) =>
    context.processor.enter(toNetworkOwner(request.ip), weight),
  )
  // Hooks with callbacks are faster than hooks with promises, and every request runs them.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Correlation-Id', request.id).header('X-Content-Type-Options', 'nosniff')
    // Node drops the bytes that follow an upgrade request in the same packet, so the next request would start in the
    // middle.
    if (request.headers.upgrade !== undefined) reply.raw.shouldKeepAlive = false
    startAfterEarlier(reply.raw, () => done(findRequestError(request)))
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    setConnectionClose(reply)
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    record({
      correlationId: request.id,
      clientRequestId: truncateRequestId(request.headers['x-request-id']),
      method: request.method,
      path: formatPath(request.originalUrl),
      endpoint: request.endpointName,
      accountId: request.caller?.accountId,
      refusal: request.refusal,
      status: reply.statusCode,
      ms: reply.elapsedTime,
    })
    done()
  })
}

const UNROUTABLE_PATH = '/unroutable'

/**
 * Fastify's router answers some targets itself, without hooks: invalid percent-escapes, a malformed host, a path
 * parameter that is too long. Routed again under an unknown path, they are answered and logged like every other
 * request.
 */
function routeAgain(app: FastifyInstance, { raw }: FastifyRequest, reply: FastifyReply): void {
  Object.assign(raw, { originalUrl: raw.url, url: UNROUTABLE_PATH })
  app.routing(raw, reply.raw)
}

/** Applies the rules for every request, whatever its path. */
function findRequestError({ raw, originalUrl }: FastifyRequest): ApiError | undefined {
  const { httpVersion } = raw
  const hosts = readHeaderValues(raw, 'host').length
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return malformedRequest('the version must be 1.0 or 1.1')
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return malformedRequest('there must be one Host header')
  if (originalUrl.includes('#')) return malformedRequest('the target has a fragment')
  if (Buffer.byteLength(originalUrl) > MAX_URL_BYTES) return urlTooLong()
  const isRejectedUrl = raw.url === UNROUTABLE_PATH && !originalUrl.startsWith('/')
  return isRejectedUrl ? malformedRequest('the target is not a valid URL') : undefined
}
