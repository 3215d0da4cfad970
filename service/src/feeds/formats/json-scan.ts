// Finds where a JSON value ends, byte by byte and across chunks, without understanding it. On the way it notices what
// the parser must know beforehand: how deep the value is, and whether it could hold what we do not store.
//
// This is the hottest loop of a first load. A plain loop over the bytes is faster here than searching for the next
// quote: the strings of vulnerability data are short, and a call per string costs more than the bytes it saves.

export interface Scan {
  readonly form: 'container' | 'string' | 'scalar'
  depth: number
  deepest: number
  /** The chunk ended within a string. */
  isInString: boolean
  /** The chunk ended between a backslash and what it escapes. */
  isEscaped: boolean
  /** How many bytes ago the last bracket or string was, at the end of the chunk. */
  quietBytes: number
  /** An escape or a number that may stand for something that is not to be stored: look at each value. */
  isSuspicious: boolean
}

/** What scanValue says of a value that goes on in the next chunk. */
export const NOT_ENDED = -1

/** Beyond some three hundred digits a number overflows without any exponent. */
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

/** For the value that begins with this byte. The byte itself is still to be scanned. */
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

/** The index after the value, or NOT_ENDED. Every call but the first for a value starts at the beginning of a chunk. */
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

/** The words "true" and "false" have an "e", too. Where a chunk begins we cannot see what was before, and doubt it. */
function noticeExponent(before: number | undefined, scan: Scan): void {
  if (before !== LETTER_U && before !== LETTER_S) scan.isSuspicious = true
}

function scanString(bytes: Buffer, from: number, scan: Scan): number {
  const end = endOfString(bytes, scan.isInString ? from : from + 1, scan)
  return scan.isInString ? NOT_ENDED : end
}

/** The index after the closing quote; or the length, and the scan knows that the string goes on. */
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
