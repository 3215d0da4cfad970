// Parses the text of the parameter `q` (decision E13). The database splits the pieces into words, because it also
// splits the texts that are searched.

/** A word, several words joined by other characters, such as `mod_ssl`, or a phrase in quotation marks. */
export interface Piece {
  readonly isPhrase: boolean
  readonly text: string
}

export interface ParsedSearch {
  /** Every group must match. A group matches if any of its pieces matches. */
  readonly groups: readonly (readonly Piece[])[]
  /** None of these pieces may match. */
  readonly excluded: readonly Piece[]
  /** Whether `OR` joins an excluded piece with another piece, which makes no sense. */
  readonly isExclusionBesideOr: boolean
}

type Token = 'or' | (Piece & { readonly isExcluded: boolean })

const SEPARATORS = /[\s,;]+/u
/** The characters that catalog.normalise_text keeps. */
const LETTER_OR_DIGIT = /[\p{L}\p{Nd}]/u

/** Parses any text; a text without words has no groups. */
export function parseSearch(sent: string): ParsedSearch {
  const tokens = tokenise(sent)
  if (tokens.length > 0 && tokens.every((token) => token === 'or'))
    return { groups: [[{ isPhrase: false, text: 'or' }]], excluded: [], isExclusionBesideOr: false }
  const groups: Piece[][] = []
  const excluded: Piece[] = []
  let isExclusionBesideOr = false
  let previous: { readonly isExcluded: boolean } | undefined
  let isAfterOr = false
  for (const token of tokens) {
    if (token === 'or') {
      isAfterOr = true
      continue
    }
    const { isExcluded, ...piece } = token
    const isAlternative = isAfterOr && previous !== undefined
    if (isAlternative && (isExcluded || previous?.isExcluded)) isExclusionBesideOr = true
    if (isExcluded) excluded.push(piece)
    else if (isAlternative && !isExclusionBesideOr) groups.at(-1)?.push(piece)
    else groups.push([piece])
    previous = token
    isAfterOr = false
  }
  return { groups, excluded, isExclusionBesideOr }
}

/** Quotation marks enclose phrases. If their number is odd, the last one is ignored. */
function tokenise(sent: string): readonly Token[] {
  const parts = sent.split('"')
  const isPhrase = (index: number) => index % 2 === 1 && index < parts.length - 1
  return parts
    .flatMap((part, index): readonly Token[] => {
      if (isPhrase(index)) return [{ isPhrase: true, text: part, isExcluded: excludesNext(parts[index - 1] ?? '') }]
      return part.split(SEPARATORS).map(readToken)
    })
    .filter((token) => token === 'or' || LETTER_OR_DIGIT.test(token.text))
}

/** The text before a phrase excludes it if that text ends with a `-` at its start or after a separator. */
const excludesNext = (before: string) => before.split(SEPARATORS).at(-1) === '-'

/** A single `-` at the start excludes the word. Two are text, as in `--upload-pack`. */
function readToken(text: string): Token {
  if (text === 'OR') return 'or'
  const isExcluded = text.startsWith('-') && !text.startsWith('--')
  return { isPhrase: false, text: isExcluded ? text.slice(1) : text, isExcluded }
}

const MAX_ALTERNATIVES = 10

/** Returns the end of the error message "q …" for a search that cannot be answered. */
export function findMistake(sent: string): string | undefined {
  const { groups, excluded, isExclusionBesideOr } = parseSearch(sent)
  if (isExclusionBesideOr)
    return 'joins an excluded word by OR; write the exclusion apart from the alternatives, as in: tomcat OR jetty -windows'
  if (groups.length === 0 && excluded.length > 0)
    return 'only excludes words; add a word to find, as in: log4j -core. A word in "quotation marks" is never an exclusion'
  const alternatives = groups.reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0)
  return alternatives > MAX_ALTERNATIVES
    ? `joins ${alternatives} alternatives by OR; at most ${MAX_ALTERNATIVES} are allowed`
    : undefined
}
