// The subject of a check: pasted lines or an SBOM.
import { DocumentError, readDocument, type SbomDocument } from './document.ts'
import { type ComponentLine, type LineIssue, readLines } from './lines.ts'

export interface LinesSubject {
  readonly kind: 'lines'
  /** The text that the lines come from. */
  readonly text: string
  readonly lines: readonly ComponentLine[]
}

export type Subject = LinesSubject | { readonly kind: 'document'; readonly document: SbomDocument }

/** A subject, or what is wrong with the text. */
export type ReadSubject =
  | { readonly subject: Subject; readonly issues?: undefined }
  | { readonly subject?: undefined; readonly issues: readonly LineIssue[] }

/** Parses the pasted text. Text that begins with a brace is the content of an SBOM file. */
export function readSubject(text: string): ReadSubject {
  if (text.trimStart().startsWith('{')) return readPastedDocument(text)
  const { lines, issues } = readLines(text)
  if (issues.length > 0) return { issues }
  if (lines.length === 0) return { issues: [{ line: 1, message: 'There is no component. Write at least one.' }] }
  return { subject: { kind: 'lines', text, lines } }
}

function readPastedDocument(text: string): ReadSubject {
  try {
    return { subject: { kind: 'document', document: readDocument('The pasted text', text) } }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { issues: [{ line: 1, message: error.message }] }
  }
}

/**
 * Returns the document that the service converts to OpenVEX. Pasted lines become a CycloneDX document. Returns
 * undefined if a line has a product name, because OpenVEX identifies products by package URLs and CPE names.
 */
export function toDocument(subject: Subject): object | undefined {
  if (subject.kind === 'document') return subject.document.content
  const components = subject.lines.map(({ line, component: { purl, cpe } }) => {
    const name = purl ?? cpe
    return name === undefined
      ? undefined
      : { type: 'library', 'bom-ref': `line-${line}`, name, ...(purl === undefined ? { cpe } : { purl }) }
  })
  if (components.includes(undefined)) return undefined
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, components }
}

/** Names what was checked: the file, or the number of lines. */
export function nameSubject(subject: Subject): string {
  if (subject.kind === 'document') return subject.document.name
  return subject.lines.length === 1 ? 'one component' : `${subject.lines.length} components`
}
