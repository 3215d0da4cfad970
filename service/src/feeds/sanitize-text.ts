// Makes upstream text safe for the service's own messages, which are stored, logged and printed on terminals.

const MAX_LENGTH = 200

/** Replaces NUL, control characters and terminal sequences with spaces, and truncates long text. */
export function sanitizeText(text: string, maxCharacters = MAX_LENGTH): string {
  const shown = text
    .slice(0, maxCharacters)
    .toWellFormed()
    .replaceAll(/\p{C}+/gu, ' ')
  return text.length > maxCharacters ? `${shown}…` : shown
}
