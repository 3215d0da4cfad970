// HTML that cannot be written by accident: what is put into a template is escaped, unless it is HTML already.

export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[]

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: String.raw({ raw: texts }, ...parts.map(written)) }
}

function written(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map((each) => each.html).join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** A shell's commands, as they are typed: backslashes too. test/spec/documentation/guide-commands.test.ts runs them. */
export const commands = (texts: TemplateStringsArray) => block('commands', String.raw(texts))

/** What is written once by hand, before any of the commands: nothing to run. */
export const settings = (texts: TemplateStringsArray) => block('settings', String.raw(texts))

/** TypeScript, run like the commands. */
export const program = (texts: TemplateStringsArray) => block('program', String.raw(texts))

/** What the commands before it bring: held against what they really bring, so it may be written by hand. */
export const answer = (text: string) => block('answer', text)

const LABELS = {
  commands: 'Shell',
  settings: 'Shell',
  program: 'TypeScript',
  answer: 'Answer',
} as const

/** It scrolls where it is too wide, so the keyboard must be able to get there. */
function block(kind: keyof typeof LABELS, text: string): Html {
  const label = LABELS[kind]
  return html`<figure class="${kind}"><figcaption>${label}</figcaption>
<pre tabindex="0" role="region" aria-label="${label}"><code>${text.trim()}</code></pre></figure>`
}

export function table(titles: readonly string[], rows: readonly (readonly Part[])[]): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${titles.join(', ')}"><table>
<thead><tr>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, at) => html`<td data-title="${titles[at] ?? ''}">${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}

export const code = (text: string) => html`<code>${text}</code>`
