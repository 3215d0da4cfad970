// @ts-check
// Ranks CVEs by patching urgency: known exploited CVEs first, then by EPSS score, then by base score.
//
//   VIS_URL=http://127.0.0.1:3000 VIS_API_KEY=vis_live_… node rank-cves.js CVE-2021-44228 CVE-2014-0160 …
import { createClient, isVisError } from 'vis-sdk'

const client = createClient({
  url: process.env['VIS_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['VIS_API_KEY'] ?? '',
})

try {
  const { cves, not_found } = await client.batch(process.argv.slice(2))
  for (const cve of Object.values(cves).toSorted(compareUrgency)) {
    const reason = cve.kev
      ? `exploited, due ${cve.kev.due_date ?? 'now'}`
      : `${formatPercent(cve.epss?.score)} in 30 days`
    console.log(`${cve.cve_id.padEnd(16)} ${(cve.severity?.toFixed(1) ?? '-').padStart(4)}  ${reason}`)
  }
  if (not_found.length > 0) console.log(`not found: ${not_found.join(', ')}`)
} catch (error) {
  if (!isVisError(error)) throw error
  console.error(`${error.message} (${error.code}${error.parameter ? `, ${error.parameter}` : ''})`)
  process.exitCode = 1
}

/**
 * @param {import('vis-sdk').BatchCve} one
 * @param {import('vis-sdk').BatchCve} other
 */
function compareUrgency(one, other) {
  return (
    Number(other.kev !== undefined) - Number(one.kev !== undefined) ||
    (other.epss?.score ?? 0) - (one.epss?.score ?? 0) ||
    (other.severity ?? 0) - (one.severity ?? 0)
  )
}

/** @param {number | undefined} share */
function formatPercent(share) {
  return share === undefined ? 'unknown' : `${(share * 100).toFixed(1)} %`
}
