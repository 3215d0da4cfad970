// Serves the documentation: /openapi.json, the API reference (/docs), the guide (/docs/guide), /llms.txt, /favicon.ico and
// /.well-known/security.txt. All of these pages are public and load nothing from other hosts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { allowEveryOrigin, answerPreflight } from '../api/admission/allow-origin.ts'
import { FILE_WEIGHT } from '../api/admission/share-processor.ts'
import { buildWeakEtag, matchesEtag } from '../api/etag.ts'
import { acceptsGzip, gzip } from '../api/gzip.ts'
import type { ServedEndpoint } from '../api/services.ts'
import { buildOpenApiDocument } from '../contract/openapi/openapi.ts'
import { printJson } from '../contract/openapi/print-json.ts'
import { methodNotAllowed } from '../contract/response/errors.ts'
import type { Clock } from '../domain/clock.ts'
import { assertBuiltFile, HIGHLIGHTED_CODE, loadBuiltFile, SCALAR_BUNDLE } from './built-files.ts'
import { COPY_SCRIPT } from './copy-button.ts'
import { buildFavicon } from './favicon.ts'
import { GUIDE } from './guide/index.ts'
import { type HighlightedCode, highlightCode } from './highlighted-code.ts'
import { buildLlmsText } from './llms-text.ts'
import { GUIDE_POLICY, type GuidePage, renderGuidePage } from './page.ts'
import { buildStartScript, REFERENCE_PAGE, REFERENCE_POLICY } from './reference.ts'
import { buildSecurityText, SECURITY_TEXT_PATH } from './security-text.ts'
import { STYLE } from './style.ts'

export interface DocumentationOptions {
  readonly publicUrl: string | null
  /** Contact addresses for /.well-known/security.txt. If empty, there is no such file. */
  readonly securityContacts: readonly string[]
  /** API key that /docs fills in. Only the demo, whose reader owns the key, sets it. */
  readonly referenceKey?: string | undefined
}

interface Page {
  readonly path: string
  readonly type: 'html' | 'javascript' | 'css' | 'json' | 'plain' | 'icon'
  readonly maxAgeSeconds?: number
  readonly policy?: string
  /** Whether the page changes while the process runs. Other pages are rendered and compressed once. */
  readonly isVariable?: boolean
  /**
   * Whether the page contains a key. If so, it is never cached, and pages of other origins can neither read nor run it.
   */
  readonly isConfidential?: boolean
  content(): string | Buffer | Promise<string | Buffer>
}

const CONTENT_TYPES = {
  html: 'text/html; charset=utf-8',
  javascript: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
  icon: 'image/x-icon',
} as const satisfies Record<Page['type'], string>

const DAY_SECONDS = 86_400

export async function serveDocumentation(
  app: FastifyInstance,
  endpoints: readonly ServedEndpoint[],
  options: DocumentationOptions,
  clock: Clock,
): Promise<void> {
  assertBuiltFile(SCALAR_BUNDLE)
  assertBuiltFile(HIGHLIGHTED_CODE)
  for (const page of [...listPages(endpoints, options), ...listSecurityPages(options, clock)]) {
    app.route({
      method: app.supportedMethods,
      url: page.path,
      handler: (request, reply) => serve(page, request, reply),
    })
  }
}

function listPages(endpoints: readonly ServedEndpoint[], options: DocumentationOptions): readonly Page[] {
  const { publicUrl, referenceKey = '' } = options
  const openapi = `${printJson(buildOpenApiDocument(endpoints))}\n`
  return [
    { path: '/openapi.json', type: 'json', content: () => openapi },
    { path: '/docs', type: 'html', content: () => REFERENCE_PAGE },
    {
      path: '/docs/start.js',
      type: 'javascript',
      isConfidential: referenceKey !== '',
      content: () => buildStartScript(referenceKey),
    },
    {
      path: '/docs/scalar.js',
      type: 'javascript',
      maxAgeSeconds: DAY_SECONDS,
      content: () => loadBuiltFile(SCALAR_BUNDLE),
    },
    { path: '/docs/style.css', type: 'css', content: () => STYLE },
    { path: '/docs/copy.js', type: 'javascript', content: () => COPY_SCRIPT },
    { path: '/llms.txt', type: 'plain', content: () => buildLlmsText(GUIDE, endpoints, publicUrl) },
    { path: '/favicon.ico', type: 'icon', maxAgeSeconds: DAY_SECONDS, content: buildFavicon },
    ...GUIDE.map((page) => ({
      path: page.path,
      type: 'html' as const,
      policy: GUIDE_POLICY,
      content: () => renderHighlighted(page, endpoints),
    })),
  ]
}

async function renderHighlighted(page: GuidePage, endpoints: readonly ServedEndpoint[]): Promise<string> {
  const highlighted: HighlightedCode = JSON.parse(await loadBuiltFile(HIGHLIGHTED_CODE))
  return highlightCode(renderGuidePage(page, GUIDE, endpoints), highlighted)
}

function listSecurityPages({ securityContacts, publicUrl }: DocumentationOptions, clock: Clock): readonly Page[] {
  if (securityContacts.length === 0) return []
  const content = () => buildSecurityText(securityContacts, publicUrl, clock())
  return [{ path: SECURITY_TEXT_PATH, type: 'plain', isVariable: true, content }]
}

async function serve(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  request.endpointName = 'documentation'
  await request.server.enterProcessor(request, FILE_WEIGHT)
  if (!page.isConfidential) allowEveryOrigin(reply)
  reply.header('Vary', 'Accept-Encoding, Origin')
  const allow = ['GET', 'HEAD', 'OPTIONS']
  if (request.method === 'OPTIONS') {
    answerPreflight(reply)
    return reply.code(204).header('Allow', allow.join(', ')).send()
  }
  if (!allow.includes(request.method)) throw methodNotAllowed(allow)
  const { plain, gzipped, etag } = await (page.isVariable ? render(page) : renderOnce(page))
  reply.headers({
    'Content-Type': CONTENT_TYPES[page.type],
    'Cache-Control': page.isConfidential ? 'no-store' : `public, max-age=${page.maxAgeSeconds ?? 300}`,
    ...(page.isConfidential ? { 'Cross-Origin-Resource-Policy': 'same-origin' } : {}),
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
  const content = await page.content()
  const plain = Buffer.from(content)
  return { plain, gzipped: await gzip(plain), etag: buildWeakEtag(plain) }
}
