import { parseCanonicalCveId } from '../../../domain/cve-id.ts'

interface EntryIds {
  /** The CVEs, or else one other id. */
  readonly ids: readonly string[]
  readonly aliases: readonly string[]
}

const GHSA = /^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/
/** For example `XSA-248`, `ALPINE-13661`, `wnpa-sec-2017-18` or `VSV00010`. */
const OTHER = /^(?!CVE)[A-Za-z]{2,20}\d{0,12}(?:-[A-Za-z\d]{1,20}){0,5}$/

/** Ignores remarks: `CVE-2018-14881 (BGP)`. A misspelt CVE id is no id. */
export function readIds(entry: string): EntryIds {
  const words = entry.replace(/\(.*$/s, '').split(/[\s,]+/)
  const cveIds = [...new Set(words.flatMap((each) => parseCanonicalCveId(each) ?? []))]
  const others = [...new Set(words.filter((each) => GHSA.test(each) || (/\d/.test(each) && OTHER.test(each))))]
  if (cveIds.length > 0) return { ids: cveIds, aliases: others }
  const [id, ...aliases] = others.toSorted((a, b) => Number(GHSA.test(b)) - Number(GHSA.test(a)))
  return { ids: id === undefined ? [] : [id], aliases }
}
