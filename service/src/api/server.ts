// The HTTP server: limits and timeouts that the defaults get wrong, and what every answer has in common.

import { METHODS } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Caller } from '../accounts/find-caller.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Log } from '../log.ts'
import { serveDocumentation } from './documentation/serve.ts'
import { handleErrors } from './error-handler.ts'
import type { HttpMetrics } from './metrics.ts'
import { answerOddRequests, correlationId, MAX_URL_BYTES, notHttp, refuse, urlTooLong } from './parser-errors.ts'
import { type ApiContext, register } from './register.ts'
import { setConnectionClose } from './respond.ts'
import { sentValues } from './sent-headers.ts'
import type { ServedEndpoint } from './services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    endpointName: string
    caller: Caller | undefined
  }
  interface FastifyInstance {
    isDraining(): boolean
  }
}

export interface ServerOptions {
  readonly endpoints: readonly ServedEndpoint[]
  readonly house: ApiContext
  readonly log: Log
  readonly metrics: HttpMetrics
  readonly trustProxy: readonly string[]
  /** While it is true, every answer asks the client to leave. */
  readonly isDraining: () => boolean
}

const MAX_CONNECTIONS = 12_000

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { house, log } = options
  const logger: FastifyBaseLogger = log
  const app = fastify({
    ...HTTP_LIMITS,
    loggerInstance: logger,
    genReqId: correlationId,
    // No logger of its own for each request: whoever writes a line about one names it.
    childLoggerFactory: (parent) => parent,
    // One line per request is written by us, when its answer has gone out.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    clientErrorHandler: (error, socket) => {
      const status = refuse(error, socket, house.clock, log)
      if (status !== undefined) options.metrics.observe('none', status, 0)
    },
    // A path that cannot be decoded names nothing that we have; the router would answer it past all hooks.
    rewriteUrl: (request) => (isDecodable(request.url ?? '') ? (request.url ?? '/') : '/undecodable'),
  })
  app.server.maxConnections = MAX_CONNECTIONS
  answerOddRequests(app.server, house.clock)
  readBodiesOurselves(app)
  decorate(app, options)
  handleErrors(app, house.clock, log)
  await serveDocumentation(app, options.endpoints)
  register(app, options.endpoints, house)
  await app.ready()
  return app
}

const HTTP_LIMITS = {
  // All three are needed: without the first, or checked only every 30 s, a trickled body stays open.
  requestTimeout: 15_000,
  http: {
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
  },
  // Above the balancer's 60 s, so that it is never we who close a connection it is about to use.
  keepAliveTimeout: 75_000,
  // A client that stops reading its answer.
  connectionTimeout: 20_000,
  // While draining, calls that still arrive are answered, not refused.
  return503OnClosing: false,
  forceCloseConnections: false,
  routerOptions: {
    ignoreTrailingSlash: true,
    // The URL's own limit bounds it; a long id must reach the parameter check to be called malformed (decision B4).
    maxParamLength: MAX_URL_BYTES,
  },
} as const

/** To Fastify no method has a body: it would be read before the key is checked (decision B2). See read-body.ts. */
function readBodiesOurselves(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

function decorate(app: FastifyInstance, { log, metrics, isDraining }: ServerOptions): void {
  app.decorateRequest('endpointName', 'none')
  app.decorateRequest('caller', undefined)
  app.decorate('isDraining', isDraining)
  // With callbacks, not promises: every request passes here.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Correlation-Id', request.id).header('X-Content-Type-Options', 'nosniff')
    done(faultOf(request))
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    setConnectionClose(reply)
    done(null, payload)
  })
  // No header is in these lines, and a key elsewhere is known by its form: looking for it by name would cost most of them.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request.endpointName, reply.statusCode, reply.elapsedTime)
    lines.info(
      {
        correlationId: request.id,
        clientRequestId: request.headers['x-request-id']?.slice(0, 128),
        method: request.method,
        // Without the query, which may hold anything.
        path: readable(request.originalUrl.split('?', 1)[0] ?? '').slice(0, 256),
        endpoint: request.endpointName,
        accountId: request.caller?.accountId,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}

/** What is wrong with a request as such, whatever it asks for. */
function faultOf({ raw, originalUrl }: FastifyRequest): ApiError | undefined {
  const hosts = sentValues(raw, 'host').length
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return notHttp('there must be one Host header')
  if (originalUrl.includes('#')) return notHttp('the target has a fragment')
  return Buffer.byteLength(originalUrl) > MAX_URL_BYTES ? urlTooLong() : undefined
}

function isDecodable(url: string): boolean {
  return readable(url.split('?', 1)[0] ?? '', '') !== ''
}

/** Decoded, so that a key in disguise is still recognised by the log; as it came where that is impossible. */
function readable(path: string, otherwise = path): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return otherwise
  }
}
