const SBOM = JSON.stringify({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  components: [{ type: 'library', name: 'log4j-core', purl: 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1' }],
})

/** One line for each capability. Each command works on the sample. */
const CAPABILITIES: readonly (readonly [question: string, command: string])[] = [
  ['One CVE, its level and its fix', 'npx visctl get CVE-2021-44228'],
  ['Search', 'npx visctl search log4j --kev'],
  ['What to patch first', 'npx visctl prioritize CVE-2024-3094 CVE-2021-44228'],
  ['Am I affected', 'npx visctl match pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1'],
  ['Scan an SBOM', `echo '${SBOM}' | npx visctl scan`],
  ['What changed', 'npx visctl changes --since 2026-08-20'],
  ['What was known on a day', 'npx visctl history CVE-2021-44228 --as-of 2024-04-12'],
  ['Counts', 'npx visctl facets severity,product_vendor --kev'],
  ['EPSS over time', 'npx visctl epss CVE-2024-3094'],
  ['A copy of all records', 'npx visctl mirror --into copy --once'],
  ['Age of the data', 'npx visctl health'],
]
const QUESTION_WIDTH = 30

interface DemoFacts {
  readonly host: string
  readonly port: number
  readonly key: string
  readonly keep: string | undefined
  readonly clockStart: string
  readonly hasConsole: boolean
}

/** Users can copy the commands in the text and run them unchanged. `bold` formats a heading. */
export function buildDemoText(
  { host, port, key, keep, clockStart, hasConsole }: DemoFacts,
  bold: (text: string) => string,
): string {
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const api = `${base}/api/v1`
  const consolePage = hasConsole ? `${base}/console/ (sign in with the key)` : 'not built; run "npm run build"'
  const end = keep === undefined ? 'removes all its data' : `keeps its data in ${keep}`
  return `
${bold('The demo is ready: the whole service with a sample of 100 well-known CVEs.')}

  console  ${consolePage}
  key      ${key}
  docs     ${base}/docs

${bold('Try in another terminal, in this folder')}
  export VIS_URL=${base} VIS_API_KEY=${key}

${CAPABILITIES.map(([question, command]) => `  ${question.padEnd(QUESTION_WIDTH)}  ${command}`).join('\n')}
${bold('The same over HTTP')}
  curl --header "X-API-Key: ${key}" "${api}/cve/CVE-2021-44228?include=fixes,priority"

The clock of the demo started at ${clockStart}, the date of the sample, so that "recent" CVEs exist.
The CVE data is real; texts of advisories and notices were written for the demo. Ctrl-C stops the demo and ${end}.
`
}
