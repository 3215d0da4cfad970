// Reads an SBOM in the browser, so that a wrong file is reported before anything is sent.

/** Maximum size of a document that the service accepts. */
const MAX_BYTES = 10 * 1024 * 1024
const MAX_MEBIBYTES = MAX_BYTES / 1024 / 1024

export interface SbomDocument {
  /** Name of the file, or "Pasted SBOM". */
  readonly name: string
  /** Format and version, such as `CycloneDX 1.6`. */
  readonly format: string
  readonly content: Readonly<Record<string, unknown>>
}

export class DocumentError extends Error {
  override readonly name = 'DocumentError'
}

const ADVICE = 'Save the SBOM as JSON, in the form of CycloneDX 1.4 to 1.7, SPDX 2.2, SPDX 2.3 or SPDX 3.0.'

/** Reads a file that was chosen or dropped. Throws a DocumentError if it is not an SBOM that the service can read. */
export async function readFile(file: File): Promise<SbomDocument> {
  if (file.size > MAX_BYTES) throw new DocumentError(`${file.name} has more than ${MAX_MEBIBYTES} MiB.`)
  const text = await file.text().catch(() => {
    throw new DocumentError(`The browser could not read ${file.name}. A folder cannot be read.`)
  })
  return readDocument(file.name, text)
}

/** Parses the text of an SBOM. Throws a DocumentError if the service cannot read it. */
export function readDocument(name: string, text: string): SbomDocument {
  if (new Blob([text]).size > MAX_BYTES) throw new DocumentError(`${name} has more than ${MAX_MEBIBYTES} MiB.`)
  const start = text.slice(0, 100).trimStart()
  if (start.startsWith('<')) throw new DocumentError(`${name} is XML. ${ADVICE}`)
  if (/^SPDXVersion:/i.test(start)) throw new DocumentError(`${name} is an SPDX document of tags and values. ${ADVICE}`)
  const content = parse(name, text)
  const format = findFormat(content)
  if (format === undefined) throw new DocumentError(`${name} is neither a CycloneDX nor an SPDX document. ${ADVICE}`)
  return { name, format, content }
}

function parse(name: string, text: string): Readonly<Record<string, unknown>> {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new DocumentError(`${name} is not JSON. ${ADVICE}`)
  }
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content }
  throw new DocumentError(`${name} is not a JSON object. ${ADVICE}`)
}

/** Recognizes the format by members that every such document has. The service checks the versions. */
function findFormat(content: Readonly<Record<string, unknown>>): string | undefined {
  const { bomFormat, specVersion, spdxVersion } = content
  if (bomFormat === 'CycloneDX') return `CycloneDX ${toShortText(specVersion)}`.trimEnd()
  if (typeof spdxVersion === 'string') return toShortText(spdxVersion).replace('SPDX-', 'SPDX ')
  if (Array.isArray(content['@graph'])) return 'SPDX 3'
  // BuildKit writes the SBOM as the predicate of an attestation.
  const { predicate } = content
  return typeof predicate === 'object' && predicate !== null ? findFormat({ ...predicate }) : undefined
}

function toShortText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 20) : ''
}
