// Converts a description to plain text: removes HTML formatting, decodes character references, and repairs text that was
// decoded with a wrong character set. Tags, character references and code that a description names as part of an attack
// stay as they are. Every step takes time linear in the length of the text.
import { decodeReferencesInHtml, decodeReferencesInProse } from './character-references.ts'
import { convertHtml, isHtml, removeFormatting } from './html.ts'
import { repairCharacters } from './mojibake.ts'

/** Characters without which a text needs no cleaning. Nine of ten descriptions contain none of them. */
const SUSPECT = /[<&\u0080-\uffff]/

export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text
  const repaired = repairCharacters(text)
  if (isHtml(repaired)) return trimLines(decodeReferencesInHtml(convertHtml(repaired)))
  const cleaned = decodeReferencesInProse(replaceOutsideCode(repaired, removeFormatting), replaceOutsideCode)
  return cleaned === repaired ? repaired : trimLineEnds(cleaned)
}

/** Applies a replacement to the text outside backticks. Text between backticks is code, which must not change. */
function replaceOutsideCode(text: string, replace: (prose: string) => string): string {
  if (!text.includes('`')) return replace(text)
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? replace(part) : part))
    .join('`')
}

/** Removes blanks at the end of each line. Blanks at the start stay: descriptions contain indented program output. */
function trimLineEnds(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
}

/** Removes blanks around each line and empty lines beyond the first of a row. */
function trimLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .join('\n')
    .trim()
}
