// Serves /openapi.json, the API reference (/docs) and the guide (/docs/guide). All of these pages are public, allow
// every origin and load nothing from other hosts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { methodNotAllowed } from '../../contract/errors.ts'
import { buildOpenApiDocument } from '../../contract/openapi.ts'
import { allowEveryOrigin, answerPreflight } from '../admission/allow-origin.ts'
import { buildWeakEtag, matchesEtag } from '../etag.ts'
import { acceptsGzip, gzip } from '../gzip.ts'
import type { ServedEndpoint } from '../services.ts'
import { GUIDE } from './guide/index.ts'
import { GUIDE_POLICY, renderGuidePage } from './page.ts'
import { REFERENCE_PAGE, REFERENCE_POLICY, START } from './reference.ts'
import { assertScalarBundle, loadScalarBundle } from './scalar-bundle.ts'
import { STYLE } from './style.ts'

interface Page {
  readonly path: string
  readonly type: string
  /** How many seconds browsers may reuse a documentation page. Default: 300. */
  readonly maxAgeSeconds?: number
  readonly policy?: string
  text(): string | Promise<string>
}

export async function serveDocumentation(app: FastifyInstance, endpoints: readonly ServedEndpoint[]): Promise<void> {
  assertScalarBundle()
  const openapi = `${JSON.stringify(buildOpenApiDocument(endpoints), null, 2)}\n`
  const pages: readonly Page[] = [
    { path: '/openapi.json', type: 'application/json', text: () => openapi },
    { path: '/docs', type: 'text/html', text: () => REFERENCE_PAGE },
    { path: '/docs/start.js', type: 'text/javascript', text: () => START },
    { path: '/docs/scalar.js', type: 'text/javascript', maxAgeSeconds: 86_400, text: loadScalarBundle },
    { path: '/docs/style.css', type: 'text/css', text: () => STYLE },
    ...GUIDE.map((page) => ({
      path: page.path,
      type: 'text/html',
      policy: GUIDE_POLICY,
      text: () => renderGuidePage(page, GUIDE, endpoints),
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
  const { plain, gzipped, etag } = await renderOnce(page)
  reply.headers({
    'Content-Type': `${page.type}; charset=utf-8`,
    'Cache-Control': `public, max-age=${page.maxAgeSeconds ?? 300}`,
    'Content-Security-Policy': page.policy ?? REFERENCE_POLICY,
    'Referrer-Policy': 'no-referrer',
    ETag: etag,
  })
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(plain)
  return reply.header('Content-Encoding', 'gzip').send(gzipped)
}

interface RenderedPage {
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly etag: string
}

const renderings = new WeakMap<Page, Promise<RenderedPage>>()

/** Renders and compresses each documentation page once, because the pages do not change while the process runs. */
function renderOnce(page: Page): Promise<RenderedPage> {
  const earlier = renderings.get(page)
  if (earlier) return earlier
  const rendering = render(page)
  renderings.set(page, rendering)
  // If rendering a page failed, the next request renders the page again.
  rendering.catch(() => renderings.delete(page))
  return rendering
}

async function render(page: Page): Promise<RenderedPage> {
  const text = await page.text()
  const plain = Buffer.from(text)
  return { plain, gzipped: await gzip(plain), etag: buildWeakEtag(text) }
}
