// Serves the built console under /console/. Paths without an extension all get index.html, because the router in the
// browser handles them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FILE_WEIGHT } from '../api/admission/share-processor.ts'
import { matchesEtag } from '../api/etag.ts'
import { acceptsGzip } from '../api/gzip.ts'
import { ApiError, methodNotAllowed, noSuchPath } from '../contract/response/errors.ts'
import type { ConsoleFile } from './console-file.ts'
import type { ConsoleFiles } from './files.ts'

export const CONSOLE_PATH = '/console/'

/** Allows no inline scripts or styles and nothing from other hosts. No page may embed the console. */
const CONSOLE_POLICY =
  "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"

const ALLOW = ['GET', 'HEAD', 'OPTIONS']
const HAS_EXTENSION = /\.[^./]*$/

export function serveConsoleFiles(app: FastifyInstance, files: ConsoleFiles | undefined): void {
  for (const url of ['/console', '/console/*']) {
    app.route({
      method: app.supportedMethods,
      url,
      handler: (request, reply) => serve(files, request, reply),
    })
  }
}

async function serve(
  files: ConsoleFiles | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  request.endpointName = 'console-files'
  await request.server.enterProcessor(request, FILE_WEIGHT)
  reply.headers({
    'Content-Security-Policy': CONSOLE_POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
  })
  if (request.method === 'OPTIONS') return reply.code(204).header('Allow', ALLOW.join(', ')).send()
  if (!ALLOW.includes(request.method)) throw methodNotAllowed(ALLOW)
  // Relative links on the page need the trailing slash.
  if (/^\/console(?:\?|$)/.test(request.originalUrl)) return reply.redirect(CONSOLE_PATH, 302)
  const file = findFile(files, readPath(request))
  return sendFile(file, request, reply)
}

/** The cast is safe: Fastify's router sets the params of the route `/console/*` to the decoded rest of the path. */
function readPath(request: FastifyRequest): string {
  return (request.params as Record<string, string | undefined>)['*'] ?? ''
}

function findFile(built: ConsoleFiles | undefined, path: string): ConsoleFile {
  // API paths below /console/api/ that do not exist must not look like pages.
  if (path === 'api' || path.startsWith('api/')) throw noSuchPath()
  if (!built)
    throw new ApiError(
      'NOT_FOUND',
      'The console is not built. Run "npm run build" in the checkout and start the server again, or set CONSOLE=off.',
    )
  const file = built.files.get(path) ?? (HAS_EXTENSION.test(path) ? undefined : built.pages.find(path))
  if (!file) throw noSuchPath()
  return file
}

function sendFile(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({
    'Content-Type': file.type,
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: file.etag,
  })
  if (matchesEtag(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.plain)
  return reply.header('Content-Encoding', 'gzip').send(file.gzipped)
}
