import highlighter from 'highlight.js'
import { endpoints } from '../src/api/endpoints/index.ts'
import { GUIDE } from '../src/documentation/guide/index.ts'
import { type HighlightedCode, listCode } from '../src/documentation/highlighted-code.ts'
import { renderGuidePage } from '../src/documentation/page.ts'

/** Highlights all code of the guide. Returns the JSON text of a `HighlightedCode`. */
export function compute(): string {
  const entries = GUIDE.flatMap((page) => listCode(renderGuidePage(page, GUIDE, endpoints))).map(
    ({ key, language, text }) => [key, highlight(language, text)] as const,
  )
  return JSON.stringify(Object.fromEntries(entries) satisfies HighlightedCode)
}

/** highlight.js colors the name of a shell command also inside an option, such as `sort` in `--sort`. */
const OPTION = /-<span class="hljs-built_in">([^<]*)<\/span>/g

function highlight(language: string, text: string): string {
  const html = highlighter.highlight(text, { language }).value
  return language === 'bash' ? html.replaceAll(OPTION, '-$1') : html
}
