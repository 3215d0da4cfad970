// Words for the browser and the network of a sign-in, so that people recognise their sessions. What the browser sent is
// not kept: it can be as unique as a name.
import { isIPv6 } from 'node:net'
import { normalizeAddressRange } from './address-range.ts'

/** The first match counts: most browsers also name the ones that they imitate. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const MAX_READ_LENGTH = 512

/** Returns words such as `Firefox on Linux`. */
export function describeBrowser(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, MAX_READ_LENGTH)
  const browser = find(BROWSERS, text) ?? 'Unknown browser'
  const system = find(SYSTEMS, text)
  return system === undefined ? browser : `${browser} on ${system}`
}

const find = (words: readonly (readonly [RegExp, string])[], text: string) =>
  words.find(([expression]) => expression.test(text))?.[1]

/** The form in which Node reports an IPv4 client of a dual-stack socket. */
const MAPPED_IPV4 = /^::ffff:([\d.]{7,15})$/i

/** Returns the range that has the address: 256 addresses of IPv4, or the site of an IPv6 address. */
export function toWideNetwork(address: string): string | undefined {
  const plain = MAPPED_IPV4.exec(address)?.[1] ?? address
  return normalizeAddressRange(`${plain}/${isIPv6(plain) ? 48 : 24}`)
}
