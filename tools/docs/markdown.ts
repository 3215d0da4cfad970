// Extracts links, code spans, code blocks and heading anchors from Markdown.

export interface Reference {
  readonly kind: 'link' | 'span' | 'code'
  readonly text: string
  readonly line: number
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/
// A code span may contain a line break but not a blank line.
const SPAN = /(?<!`)(`+)(?!`)((?:(?!\n\s*\n)[\s\S])+?)(?<!`)\1(?!`)/g
// The address of a link, which may be in angle brackets, and its title.
const LINK = /\]\(\s*([^()\s]+)(?:\s+"[^"()]*")?\s*\)/g
const DEFINITION = /^ {0,3}\[[^[\]]+\]:[ \t]+(\S+)/gm
const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/gm
const NAMED_ANCHOR = /<a\s+(?:id|name)="([^"]+)"/g

export function referencesIn(markdown: string): Reference[] {
  const outsideComments = blankComments(markdown)
  const { prose, blocks } = separateCodeBlocks(outsideComments)
  const withoutCode = prose.replaceAll(SPAN, blank)
  return [
    ...[...find(withoutCode, LINK, 1, 'link'), ...find(withoutCode, DEFINITION, 1, 'link')].map(withoutBrackets),
    ...find(prose, SPAN, 2, 'span'),
    ...blocks,
  ].sort((a, b) => a.line - b.line)
}

/** Returns the anchors that GitHub and GitLab derive from headings, and explicit <a id> anchors. */
export function anchorsIn(markdown: string): ReadonlySet<string> {
  const { prose } = separateCodeBlocks(blankComments(markdown))
  const anchors = new Set(Array.from(prose.matchAll(NAMED_ANCHOR), ([, name]) => name ?? ''))
  const seen = new Map<string, number>()
  for (const [, heading = ''] of prose.matchAll(HEADING)) {
    const slug = toSlug(heading)
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    anchors.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return anchors
}

function toSlug(heading: string): string {
  return heading
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Replaces comments with blanks. An unterminated comment stays, because Markdown shows it as text. */
function blankComments(markdown: string): string {
  const parts: string[] = []
  let end = 0
  for (let start = markdown.indexOf('<!--'); start !== -1; start = markdown.indexOf('<!--', end)) {
    const closing = markdown.indexOf('-->', start)
    if (closing === -1) break
    parts.push(markdown.slice(end, start), blank(markdown.slice(start, closing + 3)))
    end = closing + 3
  }
  return parts.join('') + markdown.slice(end)
}

/** Returns the fenced code blocks, and the text with these blocks replaced by blanks. */
function separateCodeBlocks(markdown: string): { prose: string; blocks: readonly Reference[] } {
  const lines = markdown.split('\n')
  const prose = [...lines]
  const blocks: Reference[] = []
  for (let line = 0; line < lines.length; line += 1) {
    const [, fence] = FENCE.exec(lines[line] ?? '') ?? []
    const length = fence === undefined ? -1 : lines.slice(line + 1).findIndex((each) => isClosedBy(each, fence))
    if (length === -1) continue
    const code = lines.slice(line + 1, line + 1 + length)
    blocks.push({ kind: 'code', text: code.map((each) => `${each}\n`).join(''), line: line + 1 })
    for (let each = line; each <= line + 1 + length; each += 1) prose[each] = blank(lines[each] ?? '')
    line += 1 + length
  }
  return { prose: prose.join('\n'), blocks }
}

function isClosedBy(line: string, fence: string): boolean {
  return CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) ?? false
}

function withoutBrackets({ text, ...rest }: Reference): Reference {
  return { ...rest, text: text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text }
}

/** Replaces text with blanks but keeps line breaks, so that line numbers stay correct. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

function find(text: string, pattern: RegExp, group: 1 | 2, kind: Reference['kind']): Reference[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    kind,
    text: match[group] ?? '',
    line: text.slice(0, match.index).split('\n').length,
  }))
}
