// The call that returns this page's record, as a command and as a program.
import { CVE_INCLUDE } from '../../../data/cve-include.ts'
import { CREATE_CLIENT } from '../../../text/program.ts'

export function formatCurl(id: string): string {
  return `curl --header "X-API-Key: $VIS_API_KEY" \\\n  "$VIS_URL/api/v1/cve/${id}?include=${CVE_INCLUDE.join(',')}"`
}

export function formatVisctl(id: string): string {
  return `visctl get ${id} --json --include ${CVE_INCLUDE.join(',')}`
}

export function formatTypeScript(id: string): string {
  return `${CREATE_CLIENT}
const cve = await client.cve('${id}', {
  include: [${CVE_INCLUDE.map((name) => `'${name}'`).join(', ')}],
})`
}
