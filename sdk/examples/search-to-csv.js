// @ts-check
// Writes the results of a search as CSV to standard output, page by page, so that memory use stays small.
//
//   VIS_URL=http://127.0.0.1:3000 VIS_API_KEY=vis_live_… node search-to-csv.js openssl > openssl.csv
import { createClient } from 'vis-sdk'

const client = createClient({
  url: process.env['VIS_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['VIS_API_KEY'] ?? '',
  onResponse: ({ status, durationMs }) => console.error(`${status} after ${durationMs.toFixed(0)} ms`),
})

writeRow(['cve_id', 'published', 'severity', 'epss', 'kev', 'description'])
const fields = /** @type {const} */ (['cve_id', 'published', 'severity', 'epss', 'kev', 'description'])
for await (const cve of client.search({ q: process.argv.slice(2).join(' '), fields, limit: 100 })) {
  const { cve_id, published, severity, epss, kev, description } = cve
  writeRow([cve_id, published, severity, epss?.score ?? null, kev?.dateAdded ?? null, description])
}

/** @param {readonly (string | number | null)[]} values */
function writeRow(values) {
  process.stdout.write(`${values.map(formatCell).join(',')}\r\n`)
}

/**
 * Quotes a cell according to RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe.
 *
 * @param {string | number | null} value
 */
function formatCell(value) {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
