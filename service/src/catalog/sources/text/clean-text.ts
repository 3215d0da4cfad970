// Converts a description to plain text: removes HTML formatting, decodes character references, and repairs text that
// was decoded with the wrong character set. Tags, references and code that are part of a described attack stay. Every
// step takes linear time.
import { decodeReferencesInHtml, decodeReferencesInProse } from './character-references.ts'
import { convertHtml, isHtml, removeFormatting } from './html.ts'
import { repairCharacters } from './mojibake.ts'

/** Nine out of ten descriptions contain none of these characters and need no cleaning. */
const SUSPECT = /[<&\u0080-\uffff]/

export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text
  const repaired = repairCharacters(text)
  if (isHtml(repaired)) return trimLines(decodeReferencesInHtml(convertHtml(repaired)))
  const cleaned = decodeReferencesInProse(replaceOutsideCode(repaired, removeFormatting), replaceOutsideCode)
  return cleaned === repaired ? repaired : trimLineEnds(cleaned)
}

/** Text between backticks is code, which must not be changed. */
function replaceOutsideCode(text: string, replace: (prose: string) => string): string {
  if (!text.includes('`')) return replace(text)
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? replace(part) : part))
    .join('`')
}

/** Blanks at the start of a line are kept, because descriptions contain indented program output. */
function trimLineEnds(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

/** Keeps one of several consecutive empty lines. */
function trimLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim()
}
