// Template function for HTML: inserted strings are escaped, inserted `Html` values are not.

export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[]

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: texts }, ...parts.map(toHtml)) }
}

function toHtml(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return 'html' in part ? part.html : part.map((item) => item.html).join('')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Reverses `escapeHtml`, including the numeric escape of the apostrophe that highlight.js writes. */
export function unescapeHtml(escaped: string): string {
  return escaped
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

/** Shell commands, exactly as typed. service/test/spec/documentation/guide-commands.test.ts runs the commands. */
export const commands = (texts: TemplateStringsArray) => block('commands', String.raw(texts))

/** Shell lines that the reader types once, such as settings. guide-commands.test.ts does not run them. */
export const settings = (texts: TemplateStringsArray) => block('settings', String.raw(texts))

/** A TypeScript program shown in the guide. guide-commands.test.ts runs the program. */
export const program = (texts: TemplateStringsArray) => block('program', String.raw(texts))

/** A Python program shown in the guide. It uses the standard library only. guide-commands.test.ts runs the program. */
export const python = (texts: TemplateStringsArray) => block('python', String.raw(texts))

/** Output of the preceding code block. guide-commands.test.ts compares it with the real output. */
export const answer = (text: string) => block('answer', text)

const KINDS = {
  commands: { label: 'Shell', language: 'bash' },
  settings: { label: 'Shell', language: 'bash' },
  program: { label: 'TypeScript', language: 'typescript' },
  python: { label: 'Python', language: 'python' },
  answer: { label: 'Output', language: 'json' },
} as const

/** A wide block scrolls horizontally; it is focusable so that keyboard users can scroll it. */
function block(kind: keyof typeof KINDS, text: string): Html {
  const { label, language } = KINDS[kind]
  return html`<figure class="${kind}"><figcaption>${label}</figcaption>
<pre tabindex="0" role="region" aria-label="${label}">${renderCode(language, text.trim())}</pre></figure>`
}

const renderCode = (language: string, text: string) => html`<code class="language-${language}">${text}</code>`

export function table(titles: readonly string[], rows: readonly (readonly Part[])[]): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${titles.join(', ')}"><table>
<thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, column) => html`<td data-title="${titles[column] ?? ''}">${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}

export const code = (text: string) => html`<code>${text}</code>`
