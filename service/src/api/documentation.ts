// /openapi.json and /docs: public, for every origin, and without a request to any other host.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { methodNotAllowed } from '../contract/errors.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { allowEveryOrigin, answerPreflight } from './admission/allow-origin.ts'
import type { ServedEndpoint } from './call.ts'
import { isKnown, weakEtag } from './etag.ts'
import { acceptsGzip, gzip } from './gzip.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vulnerability Intelligence Service: API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same facts are in <a href="/openapi.json">openapi.json</a>.</noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

// Everything that would talk to the makers' hosts is off: telemetry, proxy, fonts, assistant, hosted client.
const START = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  telemetry: false,
  proxyUrl: '',
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'ApiKey' },
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  documentDownloadType: 'direct',
})
`

// Scalar styles elements directly; scripts and connections are ours alone.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Page {
  readonly path: string
  readonly type: string
  readonly cacheControl: string
  text(): string | Promise<string>
}

export async function serveDocumentation(app: FastifyInstance, endpoints: readonly ServedEndpoint[]): Promise<void> {
  const openapi = `${JSON.stringify(openApiDocument(endpoints), null, 2)}\n`
  const pages: readonly Page[] = [
    { path: '/openapi.json', type: 'application/json', cacheControl: 'public, max-age=300', text: () => openapi },
    { path: '/docs', type: 'text/html', cacheControl: 'public, max-age=300', text: () => PAGE },
    { path: '/docs/start.js', type: 'text/javascript', cacheControl: 'public, max-age=300', text: () => START },
    { path: '/docs/scalar.js', type: 'text/javascript', cacheControl: 'public, max-age=86400', text: scalarBundle },
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
    'Cache-Control': page.cacheControl,
    'Content-Security-Policy': PAGE_POLICY,
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

/** The package ships its browser script only inside a Fastify plugin, so the plugin is asked for it. */
async function scalarBundle(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const carrier = fastify()
  await carrier.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  const { body, statusCode } = await carrier.inject('/js/scalar.js')
  await carrier.close()
  if (statusCode !== 200) throw new Error(`the documentation bundle answered ${statusCode}`)
  return body
}
