// Extracts links, code spans, code blocks and the anchors of headings from Markdown.

export interface Reference {
  readonly kind: 'link' | 'span' | 'code'
  readonly text: string
  readonly line: number
}

const FENCED = /^ {0,3}(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^ {0,3}\1[`~]*[ \t]*$/gm
const COMMENT = /<!--[\s\S]*?-->/g
// A code span may contain a line break but not a blank line.
const SPAN = /(?<!`)(`+)(?!`)((?:(?!\n\s*\n)[\s\S])+?)(?<!`)\1(?!`)/g
const LINK = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s+"[^"]*")?$/gm
const HEADING = /^ {0,3}#{1,6}\s+(.+?)\s*#*$/gm
const NAMED_ANCHOR = /<a\s+(?:id|name)="([^"]+)"/g

export function referencesIn(markdown: string): Reference[] {
  const outsideComments = markdown.replaceAll(COMMENT, blank)
  const prose = outsideComments.replaceAll(FENCED, blank)
  const withoutCode = prose.replaceAll(SPAN, blank)
  return [
    ...find(withoutCode, LINK, 1, 'link'),
    ...find(withoutCode, DEFINITION, 1, 'link'),
    ...find(prose, SPAN, 2, 'span'),
    ...find(outsideComments, FENCED, 2, 'code'),
  ].sort((a, b) => a.line - b.line)
}

/** Returns the anchors that GitHub and GitLab derive from headings, and explicit <a id> anchors. */
export function anchorsIn(markdown: string): ReadonlySet<string> {
  const prose = markdown.replaceAll(COMMENT, blank).replaceAll(FENCED, blank)
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
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Replaces text by blanks and keeps line breaks, so that line numbers stay correct. */
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
