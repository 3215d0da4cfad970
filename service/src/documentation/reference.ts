// The API reference (/docs). Scalar renders /openapi.json in the browser without a request to any other host.
import { html } from './html.ts'
import { renderHeader } from './page.ts'

export const REFERENCE_PAGE = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vulnerability Intelligence Service: API reference</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${renderHeader('reference')}
<div id="reference"></div>
<noscript>This page needs JavaScript. <a href="/openapi.json">openapi.json</a> has the same content, and <a href="/docs/guide">the guide</a> works without JavaScript.</noscript>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`.html

/**
 * The script that starts Scalar. Every feature of Scalar that would contact Scalar's hosts is turned off: telemetry, proxy,
 * fonts, assistant and hosted client. `key` fills in the key field; only the demo has a key for its readers.
 */
export function buildStartScript(key: string): string {
  return `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  telemetry: false,
  proxyUrl: '',
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'ApiKey', securitySchemes: { ApiKey: { value: ${JSON.stringify(key)} } } },
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true,
  documentDownloadType: 'direct',
})
`
}

// Scalar sets inline styles, so the content security policy allows inline styles. Scripts and connections are limited
// to the host of the service.
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
