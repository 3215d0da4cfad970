// Spellings that differ from a text by one mistake of typing: two adjacent characters swapped, or one character too many.
// Names with these mistakes have few trigrams in common with the right name, so that they are looked up exactly.

/** Maximum length of a text whose spellings are listed: a list has fewer than two items per character. */
const MAX_LENGTH = 32

export function listSimilarSpellings(text: string): readonly string[] {
  const characters = Array.from(text)
  if (characters.length < 3 || characters.length > MAX_LENGTH) return []
  const swapped = characters.slice(1).map((_, at) => replace(characters, at, 2, [characters[at + 1], characters[at]]))
  const shortened = characters.map((_, at) => replace(characters, at, 1, []))
  return [...new Set([...swapped, ...shortened])].filter((each) => each !== text)
}

function replace(
  characters: readonly string[],
  at: number,
  count: number,
  by: readonly (string | undefined)[],
): string {
  return characters.toSpliced(at, count, ...by.map((each) => each ?? '')).join('')
}
