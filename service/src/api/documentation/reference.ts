// /docs: the reference, drawn by Scalar in the browser from /openapi.json, without a request to any other host.
import fastify from 'fastify'
import { html } from './html.ts'
import { header } from './page.ts'

export const REFERENCE_PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vulnerability Intelligence Service: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${header('reference')}
<div id="reference"></div>
<noscript>This page needs JavaScript. The same facts are in <a href="/openapi.json">openapi.json</a>, and <a href="/docs/guide">the guide</a> needs none.</noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`.html

// Everything that would talk to the makers' hosts is off: telemetry, proxy, fonts, assistant, hosted client.
export const START = `Scalar.createApiReference('#reference', {
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
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The package ships its browser script only inside a Fastify plugin, so the plugin is asked for it. */
export async function scalarBundle(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const carrier = fastify()
  await carrier.register(plugin, { routePrefix: '/', configuration: { url: '/openapi.json' } })
  const { body, statusCode } = await carrier.inject('/js/scalar.js')
  await carrier.close()
  if (statusCode !== 200) throw new Error(`the documentation bundle answered ${statusCode}`)
  return body
}
