// Inserts highlighted code into the pages of the guide. The build computes the highlighting of every code block
// (service/scripts/highlight-guide.ts), so that production needs no highlighter. A page only looks up its blocks.
import { unescapeHtml } from './html.ts'

/** For each code block, the HTML of the code with tokens in `<span class="hljs-…">`. */
export type HighlightedCode = Readonly<Record<string, string>>

interface CodeBlock {
  readonly key: string
  readonly language: string
  readonly text: string
}

/** A code block as `renderCode` of html.ts writes it. The escaped text contains no `<`. */
const CODE = /<code class="language-(\w+)">([^<]*)<\/code>/g

const buildKey = (language: string, escaped: string) => `${language} ${escaped}`

export function listCode(page: string): CodeBlock[] {
  return Array.from(page.matchAll(CODE), ([, language = '', escaped = '']) => ({
    key: buildKey(language, escaped),
    language,
    text: unescapeHtml(escaped),
  }))
}

/** Code without an entry remains as it is: plain text is readable too. */
export function highlightCode(page: string, highlighted: HighlightedCode): string {
  return page.replaceAll(CODE, (block, language: string, escaped: string) => {
    const html = highlighted[buildKey(language, escaped)]
    return html === undefined ? block : `<code class="language-${language}">${html}</code>`
  })
}
