// Layout of a single record: labelled rows, paragraphs, rules and boxes.
import type { Style, Terminal } from './terminal.ts'
import { cleanLine, measureWidth, pad, truncate, wrap } from './text.ts'

const MAX_WIDTH = 100
const MIN_WIDTH = 40
const LABEL_WIDTH = 12

/** Returns the width of the whole layout in columns. */
export function getLayoutWidth({ width }: Terminal): number {
  return Math.max(MIN_WIDTH, Math.min(width, MAX_WIDTH))
}

/** Returns the width in columns of the text to the right of a label. */
export function getContentWidth(terminal: Terminal): number {
  return getLayoutWidth(terminal) - LABEL_WIDTH
}

/** Formats text from the service: removes control characters and wraps it to the right of its label. */
export function formatRow(terminal: Terminal, label: string, text: string): string {
  return formatLines(terminal, label, wrap(cleanLine(text), getContentWidth(terminal)))
}

/** Formats lines next to a label. The lines may contain colors but no other control characters. */
export function formatLines({ paint }: Terminal, label: string, content: readonly string[]): string {
  return content
    .map((line, at) => `${at === 0 ? paint('bold', pad(label, LABEL_WIDTH)) : ' '.repeat(LABEL_WIDTH)}${line}\n`)
    .join('')
}

export function formatParagraph(terminal: Terminal, text: string): string {
  return wrap(cleanLine(text), getLayoutWidth(terminal))
    .map((line) => `${line}\n`)
    .join('')
}

export function formatRule(terminal: Terminal): string {
  return `${terminal.paint('gray', '─'.repeat(getLayoutWidth(terminal)))}\n`
}

export function formatBox(terminal: Terminal, style: Style, title: string, content: readonly string[]): string {
  const width = getLayoutWidth(terminal)
  const inner = width - 4
  const edge = (text: string) => terminal.paint(style, text)
  const lines = content.flatMap((text) => wrap(cleanLine(text), inner)).map((line) => pad(truncate(line, inner), inner))
  return [
    edge(`╭─ ${title} ${'─'.repeat(Math.max(0, width - measureWidth(title) - 5))}╮`),
    ...lines.map((line) => `${edge('│')} ${line} ${edge('│')}`),
    edge(`╰${'─'.repeat(width - 2)}╯`),
    '',
  ].join('\n')
}
