// Values → the finished text of answers. Upstream's strings may hold what a database or a strict client would refuse.

/** Without NUL, which PostgreSQL cannot store, and with U+FFFD for halves of characters. */
export function soundText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** How JSON.stringify writes NUL and halves of characters; or text that only looks so, which is then read once more. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])/

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  if (!SUSPICIOUS.test(text)) return text
  return JSON.stringify(value, (_name, each: unknown) => (typeof each === 'string' ? soundText(each) : each))
}
