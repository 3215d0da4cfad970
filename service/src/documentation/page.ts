// The layout of a guide page: header, navigation and content. The only script of a guide page adds copy buttons.
import type { ServedEndpoint } from '../api/services.ts'
import { type Html, html } from './html.ts'

export interface GuidePage {
  readonly path: `/docs/guide${string}`
  readonly title: string
  readonly summary: string
  body(endpoints: readonly ServedEndpoint[]): Html
}

export const GUIDE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function renderGuidePage(
  page: GuidePage,
  pages: readonly GuidePage[],
  endpoints: readonly ServedEndpoint[],
): string {
  const { title, summary } = page
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${summary}">
<title>${title} · Vulnerability Intelligence Service</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/copy.js"></script>
</head>
<body class="guide">
<a class="skip" href="#content">Skip to the content</a>
${renderHeader('guide')}
<nav class="pages" aria-label="Guide"><ul>${pages.map((each) => renderEntry(each, page))}</ul></nav>
<main id="content" tabindex="-1">
<h1>${title}</h1>
<p class="summary">${summary}</p>
${page.body(endpoints)}
${renderNeighbours(page, pages)}
</main>
</body>
</html>
`.html
}

export function renderHeader(current: 'guide' | 'reference'): Html {
  const link = (name: typeof current, path: string, text: string) =>
    html`<a href="${path}"${name === current ? html` aria-current="true"` : ''}>${text}</a>`
  return html`<header class="docs-header"><strong>Vulnerability Intelligence Service</strong>
<nav aria-label="Documentation">${link('guide', '/docs/guide', 'Guide')} ${link('reference', '/docs', 'Reference')} <a href="/openapi.json">openapi.json</a></nav></header>`
}

function renderEntry({ path, title }: GuidePage, current: GuidePage): Html {
  return html`<li><a href="${path}"${path === current.path ? html` aria-current="page"` : ''}>${title}</a></li>`
}

function renderNeighbours(page: GuidePage, pages: readonly GuidePage[]): Html {
  const at = pages.indexOf(page)
  const [before, after] = [pages[at - 1], pages[at + 1]]
  return html`<nav class="neighbours" aria-label="Neighbouring pages">
${before ? html`<a rel="prev" href="${before.path}">← ${before.title}</a>` : html`<span></span>`}
${after ? html`<a rel="next" href="${after.path}">${after.title} →</a>` : html`<span></span>`}
</nav>`
}
