// Finds the end of a JSON value, byte by byte and across chunks, without parsing the value. The scan also collects two
// facts for the parser: the nesting depth, and whether the value may contain text or numbers that PostgreSQL cannot
// store.
//
// The scan takes most of the CPU time of a first load. A plain loop over the bytes is faster than searching for the
// next quote, because strings in vulnerability data are short and a call per string costs more than the loop.

export interface Scan {
  readonly form: 'container' | 'string' | 'scalar'
  depth: number
  deepest: number
  /** True if the last chunk ended within a JSON string. */
  isInString: boolean
  /** True if the last chunk ended between a backslash and the escaped character. */
  isEscaped: boolean
  /** Bytes since the last bracket, string or letter "e". A long run may be a number with too many digits. */
  quietBytes: number
  /**
   * True if the value may contain an escape or number that PostgreSQL cannot store; the parser then checks every part.
   */
  isSuspicious: boolean
}

export const NOT_ENDED = -1

/** A number with more than about 300 digits may overflow even without an exponent. */
const MAX_SAFE_DIGITS = 300

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const LETTER_S = 0x73

const PLAIN = 0
const STRING = 1
const OPEN = 2
const CLOSE = 3
const LETTER_E = 4

const MEANINGS = new Uint8Array(256)
for (const [characters, meaning] of [
  ['"', STRING],
  ['{[', OPEN],
  ['}]', CLOSE],
  ['eE', LETTER_E],
] as const)
  for (const character of characters) MEANINGS[character.charCodeAt(0)] = meaning

const ENDS_A_SCALAR = new Uint8Array(256)
for (const character of ' \t\r\n,:"{}[]') ENDS_A_SCALAR[character.charCodeAt(0)] = 1

/** The byte `first` itself is not consumed yet. */
export function startScan(first: number): Scan {
  const form = first === QUOTE ? 'string' : MEANINGS[first] === OPEN ? 'container' : 'scalar'
  return {
    form,
    depth: 0,
    deepest: 0,
    isInString: false,
    isEscaped: false,
    quietBytes: 0,
    isSuspicious: form === 'scalar',
  }
}

/** Returns the index after the value, or NOT_ENDED; the next call then starts at index 0 of the next chunk. */
export function scanValue(bytes: Buffer, from: number, scan: Scan): number {
  switch (scan.form) {
    case 'container':
      return scanContainer(bytes, from, scan)
    case 'string':
      return scanString(bytes, from, scan)
    case 'scalar':
      return scanScalar(bytes, from)
  }
}

function scanContainer(bytes: Buffer, from: number, scan: Scan): number {
  const { length } = bytes
  let at = scan.isInString ? endOfString(bytes, from, scan) : from
  let depth = scan.depth
  let quietSince = at - scan.quietBytes
  while (at < length) {
    const meaning = MEANINGS[bytes[at++] ?? 0]
    if (meaning === PLAIN) continue
    if (at - quietSince > MAX_SAFE_DIGITS) scan.isSuspicious = true
    if (meaning === STRING) at = endOfString(bytes, at, scan)
    else if (meaning === OPEN) depth = deeper(depth, scan)
    else if (meaning === LETTER_E) noticeExponent(bytes[at - 2], scan)
    else if (--depth === 0) return at
    quietSince = at
  }
  scan.depth = depth
  scan.quietBytes = at - quietSince
  return NOT_ENDED
}

function deeper(depth: number, scan: Scan): number {
  if (depth >= scan.deepest) scan.deepest = depth + 1
  return depth + 1
}

/**
 * The "e" in "true" and "false" is recognised by the letter before it. At the start of a chunk that letter is unknown,
 * so every "e" is suspicious.
 */
function noticeExponent(before: number | undefined, scan: Scan): void {
  if (before !== LETTER_U && before !== LETTER_S) scan.isSuspicious = true
}

function scanString(bytes: Buffer, from: number, scan: Scan): number {
  const end = endOfString(bytes, scan.isInString ? from : from + 1, scan)
  return scan.isInString ? NOT_ENDED : end
}

/** Returns the chunk's length if the string continues in the next chunk. */
function endOfString(bytes: Buffer, from: number, scan: Scan): number {
  const { length } = bytes
  let at = from
  if (scan.isEscaped && at < length) at = skipEscaped(bytes, at, scan)
  while (at < length) {
    const byte = bytes[at++]
    if (byte === QUOTE) {
      scan.isInString = false
      return at
    }
    if (byte === BACKSLASH) at = skipEscaped(bytes, at, scan)
  }
  scan.isInString = true
  return length
}

function skipEscaped(bytes: Buffer, at: number, scan: Scan): number {
  scan.isEscaped = at >= bytes.length
  if (bytes[at] === LETTER_U) scan.isSuspicious = true
  return at + 1
}

function scanScalar(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && ENDS_A_SCALAR[bytes[at] ?? 0] === 0) at += 1
  return at < bytes.length ? at : NOT_ENDED
}
