// Recognises text that looks like an API key, which no response and no log line may repeat (threat T-4). Keys are found
// in any letter case and with percent-escapes, even if the percent sign (`%2576`) or each character of an escape
// (`%25%37%36`) is escaped again.

const KEY_START = /vis_(?:live|test)_/i
const KEY = /vis_(live|test)_[0-9a-z]+/gi
/** `%76`, `%2576` and `%252576` are the letter v, escaped once, twice and three times. */
const ESCAPE = /%(?:25)*([0-9a-f]{2})/gi
/** JSON escapes are matched too: replacing `tvis_live_…` after `\t` would leave a lone backslash. */
const ESCAPE_OR_WORD = /\\(?:u[0-9a-f]{4}|.)|[%\w]+/gi
/** Bounds the time spent on nested percent-escapes. */
const MAX_DECODINGS = 4

export function containsKey(text: string): boolean {
  let decoded = text
  for (let count = 0; count < MAX_DECODINGS && decoded.includes('%'); count += 1) {
    if (KEY_START.test(decoded)) return true
    decoded = decodeEscapes(decoded)
  }
  return KEY_START.test(decoded)
}

/**
 * Takes JSON text, such as a log line, and keeps its escapes. The cheap checks spare nearly every text the
 * replacements.
 */
export function redactKeys(text: string): string {
  return text.includes('%') || KEY_START.test(text) ? text.replaceAll(ESCAPE_OR_WORD, redactWord) : text
}

function redactWord(word: string): string {
  // Percent-escapes hide where the key ends, so the whole word is replaced.
  if (word.includes('%')) return containsKey(word) ? '[redacted]' : word
  return word.replaceAll(KEY, (_key, environment: string) => `vis_${environment.toLowerCase()}_[redacted]`)
}

function decodeEscapes(text: string): string {
  return text.replaceAll(ESCAPE, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}
