// Joins the stored JSON texts of a CVE. Only the id, EPSS and members with a `render` function are converted here; all
// others are stored as JSON text.
import { type CveRow, getWireName, renderMember, renderOmitted } from '../contract/record/cve-fields.ts'
import { toCveId } from '../domain/cve-id.ts'
import { type Selection, WITH_ALL_ADD_ONS } from './selection.ts'

/** Longer members become separate pieces. */
const MAX_JOINED_LENGTH = 16 * 1024

export function assemble(row: CveRow, selection: Selection): string {
  return assembleInPieces(row, selection).join('')
}

/** `cpe` and `references` can take hundreds of kilobytes; as separate pieces, they are encoded without being copied. */
function assembleInPieces(row: CveRow, { form, fields }: Selection): string[] {
  const pieces: string[] = []
  let text = '{'
  let separator = ''
  for (const field of fields) {
    const value = renderMember(row, field, form)
    if (value === undefined) continue
    text += `${separator}"${getWireName(field, form)}":`
    separator = ','
    if (value.length > MAX_JOINED_LENGTH) {
      pieces.push(text, value)
      text = ''
    } else text += value
    const omitted = renderOmitted(row, field, form)
    if (omitted) text += `,"${omitted[0]}":${omitted[1]}`
  }
  pieces.push(`${text}}`)
  return pieces
}

/** Puts `prefix(row)` before each CVE, and a comma between two CVEs. */
export function assembleAll<Row extends CveRow>(
  rows: readonly Row[],
  selection: Selection,
  prefix: (row: Row) => string = () => '',
): string[] {
  return rows.flatMap((row, index) => {
    const [first = '', ...others] = assembleInPieces(row, selection)
    return [`${index === 0 ? '' : ','}${prefix(row)}${first}`, ...others]
  })
}

/** Assembles the whole record, as in /changes/records and in the lines of snapshots. */
export function assembleWhole(row: CveRow): string[] {
  return [
    ...assembleAll([row], WITH_ALL_ADD_ONS, () => `{"cve_id":"${toCveId(row.cve_key)}","gone":false,"record":`),
    '}',
  ]
}
