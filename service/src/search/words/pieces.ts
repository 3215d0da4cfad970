// Output formats for a parsed search: the pieces passed to SQL functions, and the normalised text in a cursor's
// signature.
import { type ParsedSearch, type Piece, parseSearch } from './parse.ts'

/**
 * Encodes the pieces for SQL functions such as catalog.pieces_query: an operator (`+` must match, `|` is an alternative
 * to the piece before it, `-` must not match), a type (`w` words, `p` phrase) and the text.
 */
export function encodePieces({ groups, excluded }: ParsedSearch): readonly string[] {
  const encode = (operator: string, { isPhrase, text }: Piece) => `${operator}${isPhrase ? 'p' : 'w'}${text}`
  return [
    ...groups.flatMap((group) => group.map((piece, index) => encode(index === 0 ? '+' : '|', piece))),
    ...excluded.map((piece) => encode('-', piece)),
  ]
}

/** Returns equal texts for searches with the same words, phrases and operators, or undefined if there are no words. */
export function normaliseSearch(sent: string): string | undefined {
  const { groups, excluded } = parseSearch(sent)
  const format = ({ isPhrase, text }: Piece) => {
    const normal = text.toLowerCase().split(/\s+/u).join(' ').trim()
    return isPhrase ? `"${normal}"` : normal
  }
  const normalised = [
    ...groups.map((group) => group.map(format).join(' OR ')),
    ...excluded.map((piece) => `-${format(piece)}`),
  ]
  return normalised.join(' ') || undefined
}
