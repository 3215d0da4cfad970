// Finds names in texts and in longer names, as whole words.
import { toNameKey } from './product-name-keys.ts'

/** Returns the words in lower case, with a blank before and after each. */
function toWords(text: string): string {
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

/**
 * Also requires that no hyphen joins the name with another word of the text: `http2` is not named in
 * `swift-nio-http2`.
 */
export function namesAsWhole(text: string, name: string): boolean {
  const words = toWords(name).trim().split(' ')
  if (!containsWords(text, name)) return false
  const joined = words.join('[^\\p{L}\\p{N}]+')
  // regex-bound: the words of a product's name, and nothing in the pattern overlaps
  return new RegExp(`(?<![\\p{L}\\p{N}][-_@]?)${joined}(?![-_@]?[\\p{L}\\p{N}])`, 'iu').test(text)
}

const END_OF_PART = /[/:.@]/

/**
 * True if the name, without punctuation, is some of the package's words from the beginning of a part: `log4j` in
 * `org.apache.logging.log4j:log4j-core`, but not `http` in `akka-http-core`. A name of several words may lack the number
 * at the end, as in `spring-security-oauth2`.
 */
export function isPackageOf(packageName: string, name: string): boolean {
  const key = toNameKey(name)
  if (key.length < MIN_NAME_LENGTH) return false
  const parts = packageName.split(END_OF_PART).map((part) => toWords(part).trim().split(' '))
  return parts.some((_, at) => beginsWithKey(parts.slice(at).flat(), key))
}

function beginsWithKey(words: readonly string[], key: string): boolean {
  let joined = ''
  for (const [at, word] of words.entries()) {
    joined += toNameKey(word)
    if (joined === key || (at > 0 && joined.replace(/\d{1,9}$/, '') === key)) return true
    if (joined.length >= key.length) return false
  }
  return false
}
