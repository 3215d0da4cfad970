// Checks on the text of descriptions.
import type { Check } from '../check.ts'
import type { SourceFacts } from '../source-facts.ts'

/**
 * Tags that format text. Tags such as `<script>` and `<img>` are not listed, because descriptions quote them as attack
 * input.
 */
const FORMATTING_TAG =
  /<\/?(?:p|br|ul|ol|li|strong|em|b|div|span|h[1-6]|table|tbody|tr|td|code|pre|blockquote)(?:\s+[\w-]+="[^"<>]*")*\s*\/?>/i
/**
 * Matches an entity, but not one that the text mentions: `&lt;, &gt; and &amp;`, `&nbsp; expansion`, `(&#9;)`. Entities
 * for letters and control characters are left out, because descriptions contain them as examples of hidden text
 * (`java&#115;cript`).
 */
const ENTITY =
  /&(?:lt|gt|amp|quot|apos|nbsp|#(?:3[489]|6[02]|9[135]|1[2-9]\d|[2-9]\d\d|\d{4,6})|#x(?:2[267]|3[ce]|5[bdf]|[89a-f][\da-f]|[\da-f]{3,5}));(?![,)]| (?:and|or|expansion|sequence|representation|character|Unicode|\())/i
/** Code between backticks, and quoted attacks that contain escaped markup. */
const QUOTED = /`[^`]{1,300}`|"[^"]{0,100}&(?:lt|gt|quot|#\w{1,7});[^"]{0,100}"/g
/** Text that calls a tag a tag only mentions it. */
const MENTIONED_TAG = /<\/?\w{1,10}>['"]? (?:tag|element|sequence)/gi
/** UTF-8 bytes that were decoded as Windows-1252: `â€™` for a quotation mark, `Ã©` for é. */
const MOJIBAKE = /â€[\u0080-\u009f™œ˜¦“”\u009d]|Ã[\u0080-\u00bf©¨¤¶¼]|Â[\u00a0-\u00bf]|ï»¿/
const REPLACEMENT = '\ufffd'

export const TEXT_CHECKS: readonly Check[] = [
  {
    id: 'html-tags',
    sentence: 'the description contains HTML tags that format text',
    applies: ({ served }) => FORMATTING_TAG.test(dropQuoted(served.description).replaceAll(MENTIONED_TAG, '')),
  },
  {
    id: 'entities',
    sentence: 'the description contains HTML entities',
    applies: ({ served }) => ENTITY.test(dropQuoted(served.description)),
  },
  {
    id: 'mojibake',
    sentence: 'the description contains UTF-8 text that was decoded with another encoding',
    applies: ({ served }) => MOJIBAKE.test(served.description ?? ''),
  },
  {
    id: 'replacement-characters',
    sentence: 'the description contains replacement characters, whose original is lost',
    isInformation: true,
    applies: ({ served }) => (served.description ?? '').includes(REPLACEMENT),
  },
  {
    id: 'truncated',
    sentence: 'a text or list of a source is longer than the service stores, and was cut (decision E42)',
    isInformation: true,
    applies: ({ facts }) => listTruncated(facts).length > 0,
    group: ({ facts }) => listTruncated(facts).join(', '),
  },
]

/** Returns the sources with truncated values, each once. */
function listTruncated({ sourceData: { records, kev, notices, exploits } }: SourceFacts): readonly string[] {
  const sources = [
    ...records.flatMap(({ source, truncated }) => (truncated ? [source] : [])),
    ...(kev?.isTruncated ? ['kev'] : []),
    ...notices.flatMap(({ isTruncated }) => (isTruncated ? ['acsc'] : [])),
    ...exploits.flatMap(({ feed, isTruncated }) => (isTruncated ? [feed] : [])),
  ]
  return [...new Set(sources)]
}

function dropQuoted(description: string | null): string {
  return (description ?? '').replaceAll(QUOTED, '')
}
