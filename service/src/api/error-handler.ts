// Turns exceptions into error responses. Anything that is not an ApiError is logged and answered with 500.
import { validateHeaderValue } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ApiError, noSuchPath, queryTimeout, unavailable } from '../contract/response/errors.ts'
import { classifyDatabaseError } from '../database/classify-error.ts'
import type { Clock } from '../domain/clock.ts'
import type { Log } from '../log.ts'
import { respondWithError } from './respond.ts'

export function handleErrors(app: FastifyInstance, clock: Clock, log: Log): void {
  app.setNotFoundHandler(async (request, reply) => {
    await app.enterProcessor(request)
    // `OPTIONS *` concerns the server as a whole, not a path.
    if (request.method === 'OPTIONS' && request.originalUrl === '*') return reply.code(204).send()
    return respondWithError(request, reply, noSuchPath(), clock())
  })
  app.setErrorHandler((thrown, request, reply) => {
    const error = toApiError(thrown)
    if (error.code === 'INTERNAL_ERROR')
      log.error({ correlationId: request.id, err: thrown }, 'request failed with an internal error')
    else if (error.extras.cause)
      log.warn({ correlationId: request.id, err: thrown, code: error.code }, 'request could not be served')
    removeInvalidHeaders(reply)
    return respondWithError(request, reply, error, clock())
  })
}

/** A header that Node refuses to send would also make the error response fail, and Fastify would send its own body. */
function removeInvalidHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    try {
      validateHeaderValue(name, String(value))
    } catch {
      reply.removeHeader(name)
    }
  }
}

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  switch (classifyDatabaseError(thrown)) {
    case 'unreachable':
    case 'access denied':
      return unavailable('The database is not reachable.', thrown)
    case 'timeout':
      return queryTimeout(thrown)
    case 'bug':
      return new ApiError('INTERNAL_ERROR', 'Internal error. Please quote meta.correlationId when you report it.', {
        cause: thrown,
      })
  }
}
