// Removes control characters from the service's text, and measures, truncates, pads and wraps text by columns.

/** Control characters (C0, C1, DEL) and text-direction marks, which a CVE description could use to forge output. */
const CONTROL = /[\p{Control}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** Converts text to a single line: line breaks and tabs become spaces, other control characters become U+FFFD. */
export function cleanLine(text: string): string {
  return breakCommands(text.replace(/\s+/g, ' ').trim().replace(CONTROL, '\ufffd'))
}

/** Commands such as `##[error]` (GitHub), `##vso[task]` (Azure) and `##teamcity[message]`, anywhere in a line. */
const LOG_COMMAND = /##(?=[a-z]{0,16}\[)/gi

/**
 * Disables commands that CI systems would execute when they read a job's log: GitHub's `::error::` at the start of a
 * line, and others anywhere in it.
 */
function breakCommands(line: string): string {
  const start = line.trimStart()
  const isCommand = start.startsWith('::') && start.includes('::', 2)
  return (isCommand ? line.replace('::', ': :') : line).replace(LOG_COMMAND, '# #')
}

/** Cleans multi-line text: line breaks stay, tabs become spaces, other control characters become U+FFFD. */
export function cleanBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => breakCommands(line.replaceAll('\t', ' ').replace(CONTROL, '\ufffd')))
    .join('\n')
}

/** Escapes control characters and CI commands in JSON without changing its meaning. */
export function cleanJson(json: string): string {
  const cleaned = json.replace(CONTROL, (each) =>
    each === '\n' ? each : `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return cleaned.replace(LOG_COMMAND, '\\u0023#')
}

export function formatJson(value: unknown): string {
  return `${cleanJson(JSON.stringify(value, null, 2))}\n`
}

/** Characters that are two terminal columns wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
/** Combining and zero-width characters, which occupy no terminal column. */
const INVISIBLE = /[\p{Mark}\u200b-\u200d]/u

/** Returns the width of uncolored text in terminal columns. The character 漢 is two columns wide. */
export function measureWidth(text: string): number {
  let width = 0
  for (const each of text) width += WIDE.test(each) ? 2 : INVISIBLE.test(each) ? 0 : 1
  return width
}

/** Shortens text to a number of terminal columns and marks the cut with an ellipsis. */
export function truncate(text: string, width: number): string {
  if (measureWidth(text) <= width) return text
  let kept = ''
  for (const each of text) {
    if (measureWidth(kept + each) > width - 1) break
    kept += each
  }
  return `${kept.trimEnd()}…`
}

export function pad(text: string, width: number, side: 'left' | 'right' = 'right'): string {
  const space = ' '.repeat(Math.max(0, width - measureWidth(text)))
  return side === 'right' ? text + space : space + text
}

/** Wraps text between words. A word longer than the width stays whole on its own line, so that URLs can be copied. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && measureWidth(longer) > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  // Wrapping may move a command to the start of a line.
  return [...lines, line].map(breakCommands)
}
