// Text of the service, made harmless and made to fit.

/** What steers a terminal (C0, C1, DEL) or turns the direction of text: descriptions come from strangers. */
const STEERING = /[\p{Control}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** One line: line breaks and tabs become spaces, everything else that steers becomes a replacement character. */
export function cleanLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().replace(STEERING, '\ufffd')
}

/** As it is, in several lines. */
export function cleanBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').replace(STEERING, '\ufffd'))
    .join('\n')
}

/** JSON means the same with them escaped. */
export function cleanJson(json: string): string {
  return json.replace(STEERING, (each) =>
    each === '\n' ? each : `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const INVISIBLE = /[\p{Mark}\u200b-\u200d]/u

/** How many columns it takes, which is not its length: 漢 takes two. Colours must not be in it yet. */
export function widthOf(text: string): number {
  let width = 0
  for (const each of text) width += WIDE.test(each) ? 2 : INVISIBLE.test(each) ? 0 : 1
  return width
}

/** Not wider than that; what is cut off is hinted at. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const each of text) {
    if (widthOf(kept + each) > width - 1) break
    kept += each
  }
  return `${kept.trimEnd()}…`
}

export function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return side === 'right' ? text + space : space + text
}

/** Into lines of at most that width, broken between words; a longer word stands alone, uncut: addresses must be copied. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line]
}
