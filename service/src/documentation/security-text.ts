// /.well-known/security.txt (RFC 9116): where to report a vulnerability in this installation. It exists only if the
// operator sets SECURITY_CONTACT.

export const SECURITY_TEXT_PATH = '/.well-known/security.txt'

/** RFC 9116 recommends less than a year, so that a forgotten file is not trusted for long. */
const VALID_DAYS = 180
const DAY_MS = 86_400_000

/**
 * The file is valid for 180 days from today: while the service runs with the setting, the contact is current. Web
 * addresses in the file must begin with https://, so a public URL without https gets no `Canonical` line.
 */
export function buildSecurityText(contacts: readonly string[], publicUrl: string | null, now: Date): string {
  const today = Math.floor(now.getTime() / DAY_MS)
  const expires = new Date((today + VALID_DAYS) * DAY_MS).toISOString().replace('.000Z', 'Z')
  const canonical =
    publicUrl?.toLowerCase().startsWith('https://') === true ? [new URL(SECURITY_TEXT_PATH, publicUrl).href] : []
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    ...canonical.map((address) => `Canonical: ${address}`),
    'Preferred-Languages: en',
    '',
  ].join('\n')
}
