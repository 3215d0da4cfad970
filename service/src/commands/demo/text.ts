import { heading } from '../output/print.ts'

interface Facts {
  readonly host: string
  readonly port: number
  readonly key: string
  readonly keep: string | undefined
  /** Where its clock began. */
  readonly began: string
}

/** What to try, in commands that work as they stand. */
export function demoText({ host, port, key, keep, began }: Facts): string {
  const base = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const api = `${base}/api/v1`
  const end = keep === undefined ? 'leaves nothing behind' : `keeps the data in ${keep}`
  return `
${heading('Ready: the whole service, on a sample of 100 well-known CVEs.')}

  key   ${key}
  docs  ${base}/docs

${heading('Try, in another terminal')}
  curl --header "X-API-Key: ${key}" "${api}/cve/CVE-2021-44228?include=enrichment,acsc,attack"

${heading('or ask for')}
  ${api}/cves?q=log4j&kev=true
  ${api}/cves/recent?include=acsc
  ${api}/kev?ransomware=true&limit=5
  ${api}/cve/CVE-2021-44228/detail?vendor=ghsa

${heading('or see it as a card')}
  VIS_URL=${base} VIS_API_KEY=${key} npx vis get CVE-2021-44228

Its clock began at ${began}, the date of the sample, so that "recent" has something to show.
The facts are real, the sentences and the notices are written for the demo. Ctrl-C stops it and ${end}.
`
}
