// A vocabulary with realistic frequencies: a few words are very common, most are rare. Words earlier in the list are
// more frequent.
import { createDice, type Dice } from './dice.ts'

/** Common terms of CVE descriptions, the most frequent first. */
const COMMON_TERMS = `
the|a|in|to|of|and|vulnerability|an|allows|via|attackers|remote|is|or|this|that|for|on|before|by|code|with|execute|could
user|arbitrary|from|issue|which|when|attacker|versions|be|file|access|service|as|earlier|denial of service|affected|not
crafted|component|memory|can|server|function|cross-site scripting|authenticated|web|buffer|system|request|information
linux|application|privileges|data|local|parameter|certain|it|overflow|lead to|has|cause|crash|exists|use after free
through|sql injection|plugin|through the|input|other|read|security|may|users|bypass|kernel|remote code execution|malicious
obtain sensitive information|unspecified|vectors|inject|script|html|improper|validation|control|configuration|device|due
heap|commands|permissions|command|firmware|authentication|page|http|admin|module|exploited|write|interface|path|files
database|properly|stack|disclosure|out-of-bounds|network|session|content|credentials|directory traversal|process|packet
manager|unauthenticated|library|client|version|fixed|update|product|platform|upload|default|password|token|integer|pointer
null pointer dereference|race condition|privilege escalation|sandbox|driver|browser|certificate|tls|dns|api|xml|json|php
javascript|java|python|windows|android|ios|router|gateway|firewall|camera|container|hypervisor|guest|host|cloud|storage
cluster|queue|cache|proxy|header|cookie|redirect|template|query|object|type confusion|format string|double free|uninitialized
deserialization|injection|escape|leak|exhaustion|infinite loop|recursion|timing|side channel|encryption|signature|nonce
random|seed|hash|collision|downgrade|replay|spoofing|phishing|clickjacking|csrf|ssrf|xxe|lfi|idor|wordpress|joomla|drupal
bluetooth|wifi|modem|printer|scanner|sensor|controller|plc|hmi|scada|backup|archive|parser|decoder|codec|font|image|audio
video|stream|mail|calendar|chat|forum|shop|payment|invoice|ticket|wiki|editor|viewer|installer|updater|agent|daemon|scheduler
`
  .trim()
  .split(/[|\n]/)

/** Rare terms that users often search for; each key is the position of the term in the vocabulary. */
const RARE_TERMS: ReadonlyMap<number, string> = new Map([
  [400, 'openssl'],
  [900, 'fortinet'],
  [1500, 'confluence'],
  [2500, 'zyxel'],
  [6000, 'exchange server'],
  [9000, 'log4j'],
  [15_000, 'heartbleed'],
])

const TERM_COUNT = 20_000
const SYLLABLES =
  'ba co di fe gu ha je ki lo mu na po qui ro su ta ve wo xa ze cro dri flo gra pli sta tre vin zor mel'.split(' ')

const terms: readonly string[] = Array.from(
  { length: TERM_COUNT },
  (_, position) => RARE_TERMS.get(position) ?? COMMON_TERMS[position] ?? generateName(position),
)

/** Generates a meaningless name from a number. Equal numbers give equal names. */
export function generateName(number: number): string {
  const dice = createDice(number, 77)
  const syllables = Array.from({ length: 2 + dice.below(3) }, () => SYLLABLES[dice.below(SYLLABLES.length)] ?? '')
  return syllables.join('')
}

/**
 * Word frequencies follow Zipf's law, but the first terms are less frequent than the law predicts. The first 300 terms
 * make up two thirds of a text.
 */
const frequencies = cumulate(TERM_COUNT, (position) => (position + 4) ** -1.15)

/** Draws a random word or a fixed phrase from the vocabulary. */
export function drawTerm(dice: Dice): string {
  return terms[findPosition(frequencies, dice.share())] ?? ''
}

/** Draws a random whole number below `count`; small numbers are far more frequent than large ones. */
export function drawPosition(dice: Dice, count: number): number {
  return Math.floor((count + 1) ** dice.share()) - 1
}

function cumulate(length: number, frequency: (position: number) => number): Float64Array {
  const sums = new Float64Array(length)
  let sum = 0
  for (let position = 0; position < length; position += 1) {
    sum += frequency(position)
    sums[position] = sum
  }
  return sums.map((value) => value / sum)
}

/** Finds the first position at which the sum of the frequencies up to that position exceeds the given share. */
function findPosition(sums: Float64Array, share: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 1) > share) high = middle
    else low = middle + 1
  }
  return low
}
