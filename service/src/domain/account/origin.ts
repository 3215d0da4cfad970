/**
 * Returns the origin as browsers send it: scheme, host and, unless it is the default, the port. Text without a scheme
 * is read as https.
 */
export function toOrigin(text: string): string | undefined {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined
  return text === 'null' || url.origin.includes('*') ? undefined : url.origin
}
