// Creates the HTTP server: its limits and timeouts, and the headers and log line of every response.

import { METHODS } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Caller } from '../accounts/find-caller.ts'
import type { ApiError } from '../contract/errors.ts'
import type { Log } from '../log.ts'
import { serveDocumentation } from './documentation/serve.ts'
import { handleErrors } from './error-handler.ts'
import { readHeaderValues } from './header-values.ts'
import type { HttpMetrics } from './metrics.ts'
import {
  createCorrelationId,
  handleSpecialRequests,
  MAX_URL_BYTES,
  malformedRequest,
  rejectRequest,
  urlTooLong,
} from './parser-errors.ts'
import { type ApiContext, register } from './register.ts'
import { setConnectionClose } from './respond.ts'
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
  readonly context: ApiContext
  readonly log: Log
  readonly metrics: HttpMetrics
  readonly trustProxy: readonly string[]
  /** While `isDraining` returns true, every response has the header `Connection: close`. */
  readonly isDraining: () => boolean
}

const MAX_CONNECTIONS = 12_000

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { context, log } = options
  const logger: FastifyBaseLogger = log
  const app = fastify({
    ...HTTP_LIMITS,
    loggerInstance: logger,
    genReqId: createCorrelationId,
    // Requests get no child logger of their own: each log line names the request by its correlation id.
    childLoggerFactory: (parent) => parent,
    // Fastify's own request logging is off. The onResponse hook below writes one log line for each request instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'correlationId' }),
    trustProxy: options.trustProxy.length > 0 ? [...options.trustProxy] : false,
    clientErrorHandler: (error, socket) => {
      const status = rejectRequest(error, socket, context.clock, log)
      if (status !== undefined) options.metrics.observe('none', status, 0)
    },
    // Fastify's router would answer a path with invalid percent-escapes before any hook runs. Such a path is therefore
    // replaced with `/undecodable`, an unknown path, which leads to the usual 404 response.
    rewriteUrl: (request) => (isDecodable(request.url ?? '') ? (request.url ?? '/') : '/undecodable'),
  })
  app.server.maxConnections = MAX_CONNECTIONS
  handleSpecialRequests(app.server, context.clock)
  disableBodyParsing(app)
  decorate(app, options)
  handleErrors(app, context.clock, log)
  await serveDocumentation(app, options.endpoints)
  register(app, options.endpoints, context)
  await app.ready()
  return app
}

const HTTP_LIMITS = {
  // requestTimeout, headersTimeout and connectionsCheckingInterval only work together. Without requestTimeout, a client
  // that sends its body byte by byte would keep its connection open; with Node's default of one check every 30 s, the
  // timeouts would take effect late.
  requestTimeout: 15_000,
  http: {
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: 16 * 1024,
    requireHostHeader: false,
  },
  // Time after which the server closes an idle connection. It is longer than the load balancer's idle timeout of 60 s,
  // so that the server never closes a connection that the load balancer is about to use.
  keepAliveTimeout: 75_000,
  // Timeout after which the server closes the connection of a client that stops reading its response.
  connectionTimeout: 20_000,
  // Requests that still arrive while the server shuts down are answered normally, not with 503.
  return503OnClosing: false,
  forceCloseConnections: false,
  routerOptions: {
    ignoreTrailingSlash: true,
    // A CVE id of any length must reach the parameter check, which reports a too long id as malformed (decision B4).
    // Only the maximum length of the URL limits the id before that check.
    maxParamLength: MAX_URL_BYTES,
  },
} as const

/**
 * Stops Fastify from reading request bodies, because Fastify would read them before the API key is checked (decision
 * B2). See read-body.ts.
 */
function disableBodyParsing(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT') app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
}

function decorate(app: FastifyInstance, { log, metrics, isDraining }: ServerOptions): void {
  app.decorateRequest('endpointName', 'none')
  app.decorateRequest('caller', undefined)
  app.decorate('isDraining', isDraining)
  // Fastify hooks with callbacks are faster than hooks with promises, and every request runs the hooks.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Correlation-Id', request.id).header('X-Content-Type-Options', 'nosniff')
    done(findRequestError(request))
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    setConnectionClose(reply)
    done(null, payload)
  })
  // The log line of a request contains no headers, so the search for secret header names is off: it would cost more
  // than writing the line. API keys in the line are still recognised by their format and removed.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observe(request.endpointName, reply.statusCode, reply.elapsedTime)
    lines.info(
      {
        correlationId: request.id,
        clientRequestId: request.headers['x-request-id']?.slice(0, 128),
        method: request.method,
        // The log line does not contain the query string, because it may contain secrets.
        path: decodePath(request.originalUrl.split('?', 1)[0] ?? '').slice(0, 256),
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

/**
 * Checks the rules that apply to every request, whatever its path: the Host header, no fragment, and the length of the
 * URL.
 */
function findRequestError({ raw, originalUrl }: FastifyRequest): ApiError | undefined {
  const hosts = readHeaderValues(raw, 'host').length
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === '1.1')) return malformedRequest('there must be one Host header')
  if (originalUrl.includes('#')) return malformedRequest('the target has a fragment')
  return Buffer.byteLength(originalUrl) > MAX_URL_BYTES ? urlTooLong() : undefined
}

function isDecodable(url: string): boolean {
  return decodePath(url.split('?', 1)[0] ?? '', '') !== ''
}

/**
 * Decodes the percent-escapes of a path, so that the log also recognises an encoded API key. Returns `fallback` if the
 * path cannot be decoded.
 */
function decodePath(path: string, fallback = path): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return fallback
  }
}
