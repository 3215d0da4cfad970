// Finds names in texts and in longer names, as whole words.

/** Returns the words in lower case, with a blank before and after each. */
export function toWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** Shorter names occur in other names and sentences. */
const MIN_NAME_LENGTH = 3

export function containsWords(text: string, name: string): boolean {
  const words = toWords(name)
  return words.trim().length >= MIN_NAME_LENGTH && toWords(text).includes(words)
}
