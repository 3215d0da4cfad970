// Builds keys for comparing vendor and product names: only letters and digits count, and words such as `Corporation`
// are dropped from vendors.

import type { CpeName } from '../../model/source-data.ts'

export function formatCpeName({ part, vendor, product }: CpeName): string {
  return `${part}:${vendor}:${product}`
}

/** In such a text, the ASCII letters and digits are the only ones, and finding them takes a third of the time. */
const PLAIN = /^[\w.\\ -]*$/

/** Keeps only letters and digits, in lower case and without accents. */
export function toNameKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll(/[^a-z\d]+/g, '')
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

const COMPANY_WORDS = new Set(
  (
    'corporation corp inc incorporated ltd limited llc gmbh ag co company se sa sas ab oy bv plc pty kg srl spa nv as ' +
    'the foundation software systems system technologies technology networks group communications project team org ' +
    'com io labs electronics shanghai mobile holdings international'
  ).split(' '),
)

const vendorKeys = new Map<string, string>()
const MAX_VENDORS = 100_000

/** Returns `oracle` for `Oracle Corporation`. */
export function toVendorKey(text: string): string {
  const known = vendorKeys.get(text)
  if (known !== undefined) return known
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const kept = words.filter((each) => !COMPANY_WORDS.has(each))
  const key = toNameKey((kept.length === 0 ? words : kept).join(''))
  if (vendorKeys.size < MAX_VENDORS) vendorKeys.set(text, key)
  return key
}

/** Unlike the words that a vendor's key lacks, a legal form never tells two companies apart. */
const LEGAL_FORM =
  // regex-bound: the dictionary accepts at most MAX_NAME_LENGTH (512) characters
  /[\s,]+(?:corporation|corp|inc|incorporated|ltd|limited|llc|gmbh|ag|co|company|se|sa|sas|ab|oy|bv|plc|pty|pvt|kg|srl|spa|nv|(?:software )?foundation)\.?$/i
const MAX_FORMS = 3

/** Returns `Ricoh` for `Ricoh Company, Ltd.`. */
export function dropLegalForm(companyName: string): string {
  let name = companyName.trim()
  for (let count = 0; count < MAX_FORMS; count += 1) name = name.replace(LEGAL_FORM, '')
  return name
}
