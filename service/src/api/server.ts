// The HTTP server: limits and timeouts that the defaults get wrong, and what every answer has in common.

import { METHODS } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Caller } from '../accounts/find-key.ts'
import { noSuchPath } from '../contract/errors.ts'
import type { Log } from '../log.ts'
import type { ServedEndpoint } from './call.ts'
import { serveDocumentation } from './documentation.ts'
import { handleErrors } from './error-handler.ts'
import type { HttpMetrics } from './metrics.ts'
import { answerOddRequests, correlationId, LONGEST_URL_BYTES, notHttp, refuse, urlTooLong } from './parser-refusals.ts'
import { type House, register } from './register.ts'
import { respondWithError } from './respond.ts'

declare module 'fastify' {
  interface FastifyRequest {
    endpointName: string
    caller: Caller | undefined
  }
}

export interface ServerOptions {
  readonly endpoints: readonly ServedEndpoint[]
  readonly house: House
  readonly log: Log
  readonly metrics: HttpMetrics
  readonly trustProxy: readonly string[]
  /** While it is true, every answer asks the client to leave. */
  readonly isDraining: () => boolean
}

const MOST_CONNECTIONS = 12_000

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { house, log } = options
  const logger: FastifyBaseLogger = log
  const app = fastify({
    ...HTTP_LIMITS,
    loggerInstance: logger,
    genReqId: correlationId,
    // One line per request is written by us, when its answer has gone out.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    clientErrorHandler: (error, socket) => refuse(error, socket, house.clock, log),
    // A path that cannot even be decoded names nothing that we have.
    frameworkErrors: (_error, request, reply) => void respondWithError(request, reply, noSuchPath(), house.clock()),
  })
  app.server.maxConnections = MOST_CONNECTIONS
  answerOddRequests(app.server, house.clock)
  readBodiesOurselves(app)
  decorate(app, options)
  handleErrors(app, house.clock)
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
    maxParamLength: LONGEST_URL_BYTES,
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
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'X-Correlation-Id': request.id, 'X-Content-Type-Options': 'nosniff' })
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw notHttp('the Host header is missing')
    if (Buffer.byteLength(request.url) > LONGEST_URL_BYTES) throw urlTooLong()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (isDraining()) reply.header('Connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    metrics.observe(request.endpointName, reply.statusCode, reply.elapsedTime)
    log.info(
      {
        correlationId: request.id,
        clientRequestId: request.headers['x-request-id']?.slice(0, 128),
        method: request.method,
        // Without the query, which may hold anything.
        path: request.url.split('?', 1)[0]?.slice(0, 256),
        endpoint: request.endpointName,
        accountId: request.caller?.accountId,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
  })
}
