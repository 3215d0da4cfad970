// Generates meaningless CVE descriptions of a given length, with realistic word frequencies.
import type { Dice } from './dice.ts'
import { drawTerm } from './vocabulary.ts'

const MIN_SENTENCE_WORDS = 8
const MAX_SENTENCE_WORDS = 30

/** Generates a text of about, and never more than, `maxLength` characters. */
export function generateDescription(dice: Dice, subject: string, maxLength: number): string {
  const sentences = [generateSentence(dice, [drawTerm(dice), 'in', subject])]
  let length = sentences[0]?.length ?? 0
  while (length < maxLength) {
    const next = generateSentence(dice, [])
    sentences.push(next)
    length += next.length + 1
  }
  return truncate(sentences.join(' '), maxLength)
}

function generateSentence(dice: Dice, beginning: readonly string[]): string {
  const count = MIN_SENTENCE_WORDS + dice.below(MAX_SENTENCE_WORDS - MIN_SENTENCE_WORDS)
  const text = [...beginning, ...Array.from({ length: count }, () => drawTerm(dice))].join(' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

/** Truncates the text at the end of a word. */
function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = text.lastIndexOf(' ', maxLength - 1)
  return `${text.slice(0, end > 0 ? end : maxLength - 1).replace(/\.$/, '')}.`
}
