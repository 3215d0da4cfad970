// @ts-check
// Prints every new entry of the catalog of known exploited vulnerabilities, and keeps polling.
//
//   VIS_URL=http://127.0.0.1:3000 VIS_API_KEY=vis_live_… node watch-kev.js [poll interval in seconds]
//
// The catalog is sorted by the day an entry was added, newest first, so each poll needs one page (one credit).
import { createClient } from 'vis-sdk'

const client = createClient({
  url: process.env['VIS_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['VIS_API_KEY'] ?? '',
})
const intervalMs = Number(process.argv[2] ?? 3600) * 1000

const known = new Set((await fetchNewest()).map(({ cveId }) => cveId))
console.log(`watching; the catalog has ${known.size} entries`)

for (;;) {
  await new Promise((resolve) => setTimeout(resolve, intervalMs))
  for (const entry of (await fetchNewest()).filter(({ cveId }) => !known.has(cveId))) {
    known.add(entry.cveId)
    console.log(`${entry.dateAdded} ${entry.cveId} ${entry.vendorProject} ${entry.product}, due ${entry.dueDate}`)
  }
}

async function fetchNewest() {
  const { items } = await client.kev({ limit: 500 }).page()
  return items
}
