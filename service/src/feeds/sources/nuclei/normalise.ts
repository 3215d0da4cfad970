import { Type } from 'typebox'
import type { Rejected } from '../../feed.ts'
import { orNull, shapeOf } from '../../schema-check.ts'
import { cveIdsAmong, type EvidenceRow, evidenceRow } from '../../stores/exploit-row.ts'

const TEMPLATE = shapeOf(
  Type.Object({
    ID: Type.String(),
    Info: Type.Object({ Name: Type.String({ minLength: 1 }), Severity: orNull(Type.String()) }),
    file_path: Type.String(),
  }),
)

const SOURCE = 'https://github.com/projectdiscovery/nuclei-templates/blob/main/'
const SEVERITY = /^[a-z]{1,20}$/

export function normaliseTemplate(raw: unknown, now: Date): EvidenceRow | Rejected {
  const rejected = idOf(raw)
  if (!TEMPLATE.fits(raw)) return { rejected, reason: TEMPLATE.fault(raw) }
  const cveIds = cveIdsAmong([raw.ID])
  if (cveIds.length === 0) return { rejected, reason: `its ID is no CVE id: "${raw.ID}"` }
  const path = addressable(raw.file_path)
  if (path === undefined) return { rejected, reason: `file_path is not a path in the repository: "${raw.file_path}"` }
  const severity = raw.Info.Severity?.toLowerCase() ?? ''
  const said = {
    id: raw.ID,
    kind: 'template' as const,
    title: raw.Info.Name,
    url: `${SOURCE}${path}`,
    published: null,
    rank: SEVERITY.test(severity) ? severity : null,
    cveIds,
  }
  return evidenceRow(said, now)
}

/** Whatever is in a name, it stays within the repository. */
function addressable(path: string): string | undefined {
  const parts = path.split('/')
  const isWithin = path.endsWith('.yaml') && !path.includes('\\') && parts.every((each) => !/^\.{0,2}$/.test(each))
  return isWithin ? parts.map(encodeURIComponent).join('/') : undefined
}

function idOf(raw: unknown): string {
  const id = typeof raw === 'object' && raw !== null && 'ID' in raw ? raw.ID : undefined
  return typeof id === 'string' ? id : 'a template without an id'
}
