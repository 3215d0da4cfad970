// Words of others in a sentence of ours, which is stored, logged, and shown on a terminal: neither a NUL nor a control
// sequence nor a novel may be in it.

const MAX_LENGTH = 200

export function printable(text: string, maxCharacters = MAX_LENGTH): string {
  const shown = text
    .slice(0, maxCharacters)
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
  return text.length > maxCharacters ? `${shown}…` : shown
}
