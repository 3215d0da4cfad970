// A sheet: a title, and rows of a label and its lines. Boxes for what must not be overlooked.
import type { Style, Terminal } from '../terminal.ts'
import { cleanLine, cut, pad, widthOf, wrap } from './text.ts'

const WIDEST = 100
const LABEL_WIDTH = 12

export function sheetWidth({ width }: Terminal): number {
  return Math.max(40, Math.min(width, WIDEST))
}

/** Beside a label. */
export function contentWidth(terminal: Terminal): number {
  return sheetWidth(terminal) - LABEL_WIDTH
}

/** Text of the service, wrapped beside its label. */
export function row(terminal: Terminal, label: string, text: string): string {
  return lines(terminal, label, wrap(cleanLine(text), contentWidth(terminal)))
}

/** Lines that are finished: already clean, perhaps coloured. */
export function lines({ paint }: Terminal, label: string, content: readonly string[]): string {
  return content
    .map((line, at) => `${at === 0 ? paint('bold', pad(label, LABEL_WIDTH)) : ' '.repeat(LABEL_WIDTH)}${line}\n`)
    .join('')
}

export function paragraph(terminal: Terminal, text: string): string {
  return wrap(cleanLine(text), sheetWidth(terminal))
    .map((line) => `${line}\n`)
    .join('')
}

export function rule(terminal: Terminal): string {
  return `${terminal.paint('gray', '─'.repeat(sheetWidth(terminal)))}\n`
}

export function box(terminal: Terminal, style: Style, title: string, content: readonly string[]): string {
  const width = sheetWidth(terminal)
  const inner = width - 4
  const edge = (text: string) => terminal.paint(style, text)
  const shown = content.flatMap((text) => wrap(cleanLine(text), inner)).map((line) => pad(cut(line, inner), inner))
  return [
    edge(`╭─ ${title} ${'─'.repeat(Math.max(0, width - widthOf(title) - 5))}╮`),
    ...shown.map((line) => `${edge('│')} ${line} ${edge('│')}`),
    edge(`╰${'─'.repeat(width - 2)}╯`),
    '',
  ].join('\n')
}
