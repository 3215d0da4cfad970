/** The limit of 16 characters prevents a long run of letters after `<` from being matched repeatedly. */
const TAG = /<(\/?)([a-z][a-z0-9]{0,15})(?![a-z0-9])([^<>]*)>/gi

const INLINE = new Set(['a', 'b', 'code', 'em', 'font', 'i', 'small', 'span', 'strong', 'sub', 'sup', 'tt', 'u'])
const BLOCK = new Set(['br', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ol', 'p', 'pre', 'table', 'tbody', 'tr', 'ul'])

/** True if the text begins with a paragraph and closes one. */
export function isHtml(text: string): boolean {
  return /^\s{0,9}<(?:p|div)[\s>]/i.test(text) && /<\/(?:p|div)>/i.test(text)
}

/** Each block and list item starts a new line. Unknown tags stay. */
export function convertHtml(html: string): string {
  return html
    .replaceAll(/<li>\s{0,9}<p>/gi, '<li>')
    .replaceAll(TAG, (tag: string, slash: string, name: string) => {
      const lower = name.toLowerCase()
      if (lower === 'li') return slash === '' ? '\n- ' : ''
      if (BLOCK.has(lower)) return '\n'
      return INLINE.has(lower) ? '' : tag
    })
    .replaceAll(/\n{2,9}- /g, '\n- ')
}

const CODE = /<code>([^<>]{1,200})<\/code>/gi
const LINE_BREAK = /<br ?\/?> {0,3}/gi
const LINK = /<a (?:target="_blank" )?href=" ?https?:[^<>"]{1,500}">/gi

/**
 * Cleans a text that is not entirely HTML: removes pairs of `<code>`, links to web addresses, and line breaks after a
 * sentence. Other tags may be the subject of the description ("a crafted attribute in the <a> tag"), so they stay.
 */
export function removeFormatting(text: string): string {
  if (!text.includes('<')) return text
  const withoutLinks = text.replaceAll(LINK, '')
  const isLinked = withoutLinks.length < text.length
  return (isLinked ? withoutLinks.replaceAll('</a>', '') : text)
    .replaceAll(CODE, '$1')
    .replaceAll(LINE_BREAK, (tag, offset: number, whole: string) => (isAfterSentence(whole, offset) ? '\n' : tag))
}

const MAX_LOOK_BACK = 24

/** Ignores preceding line breaks and blanks. */
function isAfterSentence(text: string, offset: number): boolean {
  const before = text
    .slice(Math.max(0, offset - MAX_LOOK_BACK), offset)
    .replaceAll(LINE_BREAK, '')
    .trimEnd()
  return /[.:!?]$/.test(before)
}
