// Words of others in a sentence of ours, which is stored, logged, and shown on a terminal: neither a NUL nor a control
// sequence nor a novel may be in it.

const LONGEST = 200

export function printable(text: string, mostCharacters = LONGEST): string {
  const shown = text
    .slice(0, mostCharacters)
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
  return text.length > mostCharacters ? `${shown}…` : shown
}
