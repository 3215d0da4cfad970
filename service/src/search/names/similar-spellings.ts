// Lists spellings that differ from a text by one typing mistake: two adjacent characters swapped, or one character too
// many. Names with such mistakes share few trigrams with the correct name, so they are looked up exactly.

/** Longer texts get no list. A list has fewer than two spellings per character. */
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
