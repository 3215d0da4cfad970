// Checks that a document is the one that the provider lists under its name: a list may name another document by mistake,
// and a document of another publisher must not speak for this one.
import { sanitizeText } from '../../../sanitize-text.ts'
import { readText } from '../../../schema-check.ts'

/** Returns the reason for rejecting the document. `publisher` is the namespace in the provider's metadata. */
export function findOriginIssue(value: unknown, fileName: string, publisher: string): string | undefined {
  const id = readText(value, 'document', 'tracking', 'id') ?? ''
  if (toFileName(id) !== toFileName(fileName.replace(/\.json$/i, '')))
    return `its id ${sanitizeText(id, 60)} does not belong to the name of its file`
  const namespace = readText(value, 'document', 'publisher', 'namespace') ?? ''
  const domain = findDomain(namespace)
  if (domain === '' || domain !== findDomain(publisher))
    return `its publisher ${sanitizeText(namespace, 60)} is not ${sanitizeText(publisher, 60)}`
  return undefined
}

/** Section 5.1 of CSAF 2.0: the id in lower case, with underscores for all characters except letters, digits, + and -. */
function toFileName(id: string): string {
  return id.toLowerCase().replaceAll(/[^+\-a-z\d]+/g, '_')
}

/**
 * Compares only the last two parts of the host's name: the namespaces of one publisher differ in `www.`, slashes and
 * misprints such as `wwww.`.
 */
function findDomain(namespace: string): string {
  const { hostname = '' } = URL.parse(namespace) ?? {}
  return hostname.toLowerCase().split('.').slice(-2).join('.')
}
