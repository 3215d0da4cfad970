// Repairs mojibake: UTF-8 text that was decoded as Windows-1252, such as `â€™` instead of an apostrophe.

/** Characters for the bytes 0x80 to 0x9F. The five undefined bytes stay control characters. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178'
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(WINDOWS_1252, (character, index) => [character, 0x80 + index] as const),
)

/** A UTF-8 sequence of two or three bytes, as it appears in Windows-1252. */
const SEQUENCE =
  /[\u00c2-\u00df][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]|[\u00e0-\u00ef][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]{2}/g

/**
 * Latin and Cyrillic letters, punctuation and symbols. Any other character may be a coincidence, so its sequence stays.
 */
const REPAIRED = /^[\u00a0-\u024f\u0400-\u04ff\u2010-\u2044\u20ac\u2100-\u214f\u2600-\u27bf]$/

/** Some texts were damaged twice. In others, each byte of a character became U+FFFD. */
export function repairCharacters(text: string): string {
  const once = repairOnce(text)
  return restoreReplaced(once === text ? text : repairOnce(once))
}

/**
 * Each lost byte left one U+FFFD. Restores what the surrounding text shows: apostrophes, quotation marks around a word,
 * dashes between blanks, and no-break spaces (two bytes) outside a word. The type of quotation mark and the length of a
 * dash are lost. A pair between lower-case letters stays, because it may be an umlaut.
 */
function restoreReplaced(text: string): string {
  if (!text.includes('\ufffd')) return text
  return text
    .replaceAll(/(?<=[a-z0-9])(?:\ufffd{3}|\ufffd)(?=(?:s|t|re|ve|ll)\b)/gi, '\u2019')
    .replaceAll(/(?<=[\s(])\ufffd{3}([\w.:-]{1,60})\ufffd{3}(?=[\s.,;)])/g, '"$1"')
    .replaceAll(/(?<= )\ufffd{3}(?= )/g, '\u2013')
    .replaceAll(/(?<![a-z\ufffd])(?:\ufffd{2}|\ufffd{4})(?!\ufffd)/gi, ' ')
    .replaceAll(/(?<!\ufffd)(?:\ufffd{2}|\ufffd{4})(?=[A-Z0-9(/\n])/g, ' ')
}

function repairOnce(text: string): string {
  return text.replaceAll(SEQUENCE, (sequence) => {
    const repaired = decodeSequence(sequence)
    return repaired !== undefined && REPAIRED.test(repaired) ? repaired : sequence
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decodeSequence(sequence: string): string | undefined {
  const bytes = Array.from(sequence, (character) => BYTES.get(character) ?? character.charCodeAt(0))
  try {
    return decoder.decode(Uint8Array.from(bytes))
  } catch {
    return undefined
  }
}
