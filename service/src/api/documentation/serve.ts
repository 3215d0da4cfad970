// /openapi.json, the reference under /docs and the guide under /docs/guide: public, for every origin, and without a request to any other host.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed } from '../../contract/errors.ts'
import { openApiDocument } from '../../contract/openapi.ts'
import { allowEveryOrigin, answerPreflight } from '../admission/allow-origin.ts'
import { isKnown, weakEtag } from '../etag.ts'
import { acceptsGzip, gzip } from '../gzip.ts'
import type { ServedEndpoint } from '../services.ts'
import { GUIDE } from './guide/index.ts'
import { framed, GUIDE_POLICY } from './page.ts'
import { REFERENCE_PAGE, REFERENCE_POLICY, START, scalarBundle } from './reference.ts'
import { STYLE } from './style.ts'

interface Page {
  readonly path: string
  readonly type: string
  /** How long a browser need not ask again. */
  readonly keptSeconds?: number
  readonly policy?: string
  text(): string | Promise<string>
}

export async function serveDocumentation(app: FastifyInstance, endpoints: readonly ServedEndpoint[]): Promise<void> {
  const openapi = `${JSON.stringify(openApiDocument(endpoints), null, 2)}\n`
  const pages: readonly Page[] = [
    { path: '/openapi.json', type: 'application/json', text: () => openapi },
    { path: '/docs', type: 'text/html', text: () => REFERENCE_PAGE },
    { path: '/docs/start.js', type: 'text/javascript', text: () => START },
    { path: '/docs/scalar.js', type: 'text/javascript', keptSeconds: 86_400, text: scalarBundle },
    { path: '/docs/style.css', type: 'text/css', text: () => STYLE },
    ...GUIDE.map((page) => ({
      path: page.path,
      type: 'text/html',
      policy: GUIDE_POLICY,
      text: () => framed(page, GUIDE, endpoints),
    })),
  ]
  for (const page of pages) {
    app.route({
      method: app.supportedMethods,
      url: page.path,
      handler: (request, reply) => serve(page, request, reply),
    })
  }
}

async function serve(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  request.endpointName = 'documentation'
  allowEveryOrigin(reply)
  reply.header('Vary', 'Accept-Encoding, Origin')
  const allow = ['GET', 'HEAD', 'OPTIONS']
  if (request.method === 'OPTIONS') {
    answerPreflight(reply)
    return reply.code(204).header('Allow', allow.join(', ')).send()
  }
  if (!allow.includes(request.method)) throw methodNotAllowed(allow)
  const { plain, gzipped, etag } = await rendered(page)
  reply.headers({
    'Content-Type': `${page.type}; charset=utf-8`,
    'Cache-Control': `public, max-age=${page.keptSeconds ?? 300}`,
    'Content-Security-Policy': page.policy ?? REFERENCE_POLICY,
    'Referrer-Policy': 'no-referrer',
    ETag: etag,
  })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(plain)
  return reply.header('Content-Encoding', 'gzip').send(gzipped)
}

interface Rendered {
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly etag: string
}

const kept = new WeakMap<Page, Promise<Rendered>>()

/** Megabytes that never change: compressed once, whoever asks and however often. */
function rendered(page: Page): Promise<Rendered> {
  const earlier = kept.get(page)
  if (earlier) return earlier
  const made = render(page)
  kept.set(page, made)
  // What failed is tried again by the next who asks.
  made.catch(() => kept.delete(page))
  return made
}

async function render(page: Page): Promise<Rendered> {
  const text = await page.text()
  const plain = Buffer.from(text)
  return { plain, gzipped: await gzip(plain), etag: weakEtag(text) }
}
