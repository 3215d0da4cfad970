// CISA-ADP writes escaped slashes instead of parentheses in 27 records: `1.2.0.14\/408\/` stands for `1.2.0.14(408)`.
// Without this, `408` would be read as a separate version.

const PARTS = /^([^\\/]+)\\\/\(?([^\\/(]*\w)\\\/$/
/** A version with further remarks, such as `6.7\/6.8.0.5419\/Sep 1 2014\/`. */
const SEVERAL_PARTS = /^([^\\/]*\d)(?:\\\/[^\\/]+){2,9}\\\/$/
const PATCH_LEVEL = /^(?:patch|update|hotfix|sp)_?\d{1,9}$/i
const NUMBERS = /^(?:ver|v)?\.?\d{1,9}(?:\.\d\w{0,19}){1,9}$/i
const PLUS = /\\\+\//g

/** Texts in any other form stay unchanged. */
export function joinEscapedVersion(text: string): string {
  if (!text.includes('\\')) return text
  const [, version, part] = PARTS.exec(text) ?? []
  if (version !== undefined && part !== undefined) return joinParts(version, part)
  // `1.24.17\+/rke2r1` stands for `1.24.17+rke2r1`.
  return SEVERAL_PARTS.exec(text)?.[1] ?? text.replaceAll(PLUS, '+')
}

/**
 * CNAs write a patch level after a space (`2023.1 Patch 2`), and NVD writes a build number in parentheses. If both
 * parts are versions, the one made of numbers counts: `10.2.24.806` in `2024 Q3\/10.2.24.806\/`, and the first one in
 * `5.0.0.57\/5.0.0.10.0.23307\/`.
 */
function joinParts(version: string, part: string): string {
  if (PATCH_LEVEL.test(part)) return `${version} ${part.replace('_', ' ')}`
  if (!NUMBERS.test(part)) return `${version}(${part})`
  return NUMBERS.test(version) ? version : part
}
