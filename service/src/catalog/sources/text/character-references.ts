// Decodes HTML character references, such as `&amp;`, in descriptions.

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['nbsp', ' '],
  ['amp', '&'],
  ['apos', "'"],
  ['lsquo', '\u2018'],
  ['rsquo', '\u2019'],
  ['ldquo', '\u201c'],
  ['rdquo', '\u201d'],
  ['ndash', '\u2013'],
  ['mdash', '\u2014'],
  ['hellip', '\u2026'],
  ['trade', '\u2122'],
  ['reg', '\u00ae'],
  ['copy', '\u00a9'],
])

/** Characters that are markup in HTML. */
const MARKUP_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
])

const REFERENCE = /&(?:([a-z]{2,6})|#(\d{1,5}));/gi

/** Decodes a text that is entirely HTML. */
export function decodeReferencesInHtml(html: string): string {
  return html.replaceAll(
    REFERENCE,
    (reference, name?: string, number?: string) =>
      decode(name, number) ?? MARKUP_CHARACTERS.get(name ?? '') ?? reference,
  )
}

function decode(name: string | undefined, number: string | undefined): string | undefined {
  return number === undefined ? CHARACTERS.get(name ?? '') : decodePunctuation(Number(number))
}

/**
 * Decodes quotation marks, brackets, underscores, blanks and typographic punctuation. References to letters and control
 * characters stay, because descriptions contain them as examples of hidden text ("java&#115;cript").
 */
function decodePunctuation(code: number): string | undefined {
  if (code === 0xa0) return ' '
  const isPunctuation = [0x22, 0x26, 0x27, 0x5b, 0x5d, 0x5f].includes(code) || (code >= 0x2010 && code <= 0x2027)
  return isPunctuation ? String.fromCodePoint(code) : undefined
}

/** Text that mentions a reference instead of using it: `"&lt;"`, `&lt;, &gt; and &amp;`, `&nbsp; expansion`. */
const MENTIONED_REFERENCE =
  /"&(?:lt|gt|amp|quot);["&]|(?:^|[\s'(])&(?:lt|gt|amp|quot|nbsp|apos|colon);(?:[",)&]| and | or | \(| expansion| sequence| character| entit| substring)/i

/** Matches text such as "`&lt;select&gt;` element". */
const ESCAPED_TAG_IN_CODE = /`&lt;(\/?[a-z][a-z0-9]{0,15})&gt;`(?= (?:tag|element))/gi
/** The arrow operator of C in `info-&gt;ne`, and the separator between menu items in `Resources &gt; Services`. */
const ESCAPED_ARROW = /(?<=\w-|\w )&gt;(?=\w| \w)/g
/** Processor flags in a crash log, such as `&lt;SF,VEC,EE&gt;`. */
const ESCAPED_FLAGS = /&lt;([A-Z]{1,4}(?:,[A-Z]{1,4}){1,20})&gt;/g

const ESCAPED_TAG = /&lt;(\/?[a-z][a-z0-9]{0,15}(?:\s[^<>&]{0,100})?)&gt;/gi

/**
 * Decodes a text that is not entirely HTML. A single escaped character is often the attack itself. Angle brackets are
 * therefore decoded only around tags and processor flags and in arrows, and quotation marks only if the text has no
 * others. A text that mentions references stays unchanged. `replace` applies a replacement to the prose of the text.
 */
export function decodeReferencesInProse(
  text: string,
  replace: (text: string, replacement: (prose: string) => string) => string,
): string {
  if (!text.includes('&') || MENTIONED_REFERENCE.test(text)) return text
  const hasQuotes = text.includes('"')
  return replace(text.replaceAll(ESCAPED_TAG_IN_CODE, '`<$1>`'), (prose) =>
    prose
      .replaceAll(ESCAPED_TAG, '<$1>')
      .replaceAll(ESCAPED_FLAGS, '<$1>')
      .replaceAll(ESCAPED_ARROW, '>')
      .replaceAll(REFERENCE, (reference, name?: string, number?: string) => {
        if (name === 'quot' && !hasQuotes) return '"'
        return decode(name, number) ?? reference
      }),
  )
}
