// Checks of the text of descriptions.
import type { Check } from '../check.ts'

/**
 * Tags that format a text. Tags such as `<script>` and `<img>` are not listed, because descriptions quote them as the
 * input of an attack.
 */
const FORMATTING_TAG =
  /<\/?(?:p|br|ul|ol|li|strong|em|b|div|span|h[1-6]|table|tbody|tr|td|code|pre|blockquote)(?:\s+[\w-]+="[^"<>]*")*\s*\/?>/i
const ENTITY = /&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,6}|#x[\da-f]{1,5});/i
/** UTF-8 bytes that were decoded as Windows-1252: `â€™` for a quotation mark, `Ã©` for é. */
const MOJIBAKE = /â€[\u0080-\u009f™œ˜¦“”\u009d]|Ã[\u0080-\u00bf©¨¤¶¼]|Â[\u00a0-\u00bf]|ï»¿/
const REPLACEMENT = '\ufffd'

export const TEXT_CHECKS: readonly Check[] = [
  {
    id: 'html-tags',
    sentence: 'the description contains HTML tags that format text',
    applies: ({ served }) => FORMATTING_TAG.test(served.description ?? ''),
  },
  {
    id: 'entities',
    sentence: 'the description contains HTML entities',
    applies: ({ served }) => ENTITY.test(served.description ?? ''),
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
]
