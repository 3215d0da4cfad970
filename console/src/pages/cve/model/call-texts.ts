// The call that returns this page's record, as a command and as a program.
import { CREATE_CLIENT } from '../../../text/program.ts'

/** Members that the page requests in addition to the default ones. */
export const INCLUDE = [
  'acsc',
  'enrichment',
  'attack',
  'configurations',
  'sources',
  'exploits',
  'priority',
  'aliases',
] as const

export function formatCurl(id: string): string {
  return `curl --header "X-API-Key: $VIS_API_KEY" \\\n  "$VIS_URL/api/v1/cve/${id}?include=${INCLUDE.join(',')}"`
}

export function formatVisctl(id: string): string {
  return `visctl get ${id} --json --include ${INCLUDE.join(',')}`
}

export function formatTypeScript(id: string): string {
  return `${CREATE_CLIENT}
const cve = await client.cve('${id}', {
  include: [${INCLUDE.map((name) => `'${name}'`).join(', ')}],
})`
}
