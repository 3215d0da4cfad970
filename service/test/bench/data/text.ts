// Descriptions of a wanted length: they mean nothing, and their words are as frequent as those of real ones.
import type { Dice } from './dice.ts'
import { drawTerm } from './vocabulary.ts'

const MIN_SENTENCE_LENGTH = 8
const MAX_SENTENCE_LENGTH = 30

/** About as many characters as asked for, and never more. */
export function describe(dice: Dice, subject: string, characters: number): string {
  const sentences = [sentence(dice, [drawTerm(dice), 'in', subject])]
  let length = sentences[0]?.length ?? 0
  while (length < characters) {
    const next = sentence(dice, [])
    sentences.push(next)
    length += next.length + 1
  }
  return cut(sentences.join(' '), characters)
}

function sentence(dice: Dice, beginning: readonly string[]): string {
  const count = MIN_SENTENCE_LENGTH + dice.below(MAX_SENTENCE_LENGTH - MIN_SENTENCE_LENGTH)
  const text = [...beginning, ...Array.from({ length: count }, () => drawTerm(dice))].join(' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

/** At the end of a word. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  const end = text.lastIndexOf(' ', characters - 1)
  return `${text.slice(0, end > 0 ? end : characters - 1).replace(/\.$/, '')}.`
}
