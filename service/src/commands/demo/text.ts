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

${bold('Try in another terminal')}
  curl --header "X-API-Key: ${key}" "${api}/cve/CVE-2021-44228?include=enrichment,acsc,attack"

${bold('Other requests')}
  ${api}/cves?q=log4j&kev=true
  ${api}/cves/recent?include=acsc
  ${api}/kev?ransomware=true&limit=5
  ${api}/cve/CVE-2021-44228/detail?vendor=ghsa

${bold('Show a CVE in the terminal')}
  VIS_URL=${base} VIS_API_KEY=${key} npx visctl get CVE-2021-44228

The clock of the demo started at ${clockStart}, the date of the sample, so that "recent" CVEs exist.
The CVE data is real; texts of advisories and notices were written for the demo. Ctrl-C stops the demo and ${end}.
`
}
