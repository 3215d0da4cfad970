// @ts-check
// Shows who states each value of a CVE, and which sources state something else.
//
//   VIS_URL=http://127.0.0.1:3000 VIS_API_KEY=vis_live_… node show-sources.js CVE-2021-44228
import { createClient, isVisError } from 'vis-sdk'

const client = createClient({
  url: process.env['VIS_URL'] ?? 'http://127.0.0.1:3000',
  apiKey: process.env['VIS_API_KEY'] ?? '',
})

try {
  const { sources = {} } = await client.cve(process.argv[2] ?? '', { fields: ['sources'], include: ['sources'] })
  const { disagreements = [], ...values } = sources
  for (const [name, { stated_by, others = [] }] of Object.entries(values)) {
    const different = others.length > 0 ? `; different: ${listNames(others)}` : ''
    console.log(`${name.padEnd(12)} ${listNames(stated_by)}${different}`)
  }
  for (const { text } of disagreements) console.log(text)
} catch (error) {
  if (!isVisError(error)) throw error
  console.error(`${error.message} (${error.code}${error.parameter ? `, ${error.parameter}` : ''})`)
  process.exitCode = 1
}

/** @param {readonly { readonly source: string }[]} statements */
function listNames(statements) {
  return statements.map(({ source }) => source).join(', ')
}
