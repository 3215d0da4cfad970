// Says every entry that is new in the catalogue of known exploited vulnerabilities, and goes on looking.
//
//   VIS_URL=http://127.0.0.1:3000 VIS_API_KEY=vis_live_… node watch-kev.ts [seconds between two looks]
//
// The catalogue is sorted by the day an entry was added, newest first, so one page, one credit, is enough for a look.
import { createClient, type KevEntry } from '@vis/sdk'

const client = createClient({
  url: process.env['VIS_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['VIS_API_KEY'] ?? '',
})
const everyMs = Number(process.argv[2] ?? 3600) * 1000

const known = new Set((await look()).map(({ cveId }) => cveId))
console.log(`watching; ${known.size} entries are known`)

for (;;) {
  await new Promise((resolve) => setTimeout(resolve, everyMs))
  for (const entry of (await look()).filter(({ cveId }) => !known.has(cveId))) {
    known.add(entry.cveId)
    console.log(`${entry.dateAdded} ${entry.cveId} ${entry.vendorProject} ${entry.product}, due ${entry.dueDate}`)
  }
}

async function look(): Promise<readonly KevEntry[]> {
  const { items } = await client.kev({ limit: 500 }).page()
  return items
}
