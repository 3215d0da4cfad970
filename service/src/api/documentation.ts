// /openapi.json and /docs: public, for every origin, and without a request to any other host.
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { methodNotAllowed } from '../contract/errors.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { allowEveryOrigin, answerPreflight } from './admission/allow-origin.ts'
import type { ServedEndpoint } from './call.ts'
import { respond } from './respond.ts'

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
  if (request.method === 'OPTIONS') {
    answerPreflight(reply)
    return reply.code(204).send()
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed(['GET', 'HEAD', 'OPTIONS'])
  const headers = {
    'Content-Type': `${page.type}; charset=utf-8`,
    'Cache-Control': page.cacheControl,
    'Content-Security-Policy': PAGE_POLICY,
    'Referrer-Policy': 'no-referrer',
  }
  return respond(request, reply, { status: 200, headers, body: await page.text() })
}

let bundle: Promise<string> | undefined

/** The package ships its browser script only inside a Fastify plugin, so the plugin is asked for it, once, when first needed. */
function scalarBundle(): Promise<string> {
  bundle ??= (async () => {
    const { default: plugin } = await import('@scalar/fastify-api-reference')
    const carrier = fastify()
    await carrier.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } })
    const { body } = await carrier.inject('/js/scalar.js')
    await carrier.close()
    return body
  })()
  return bundle
}
