// Builds EU KEV entries in the format of ENISA, with an invented vendor.

export function buildEuKevEntry(
  cveID: string,
  changed: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    cveID,
    euvdID: 'EUVD-2026-10001',
    vendorProject: 'Halvorsen',
    product: 'MailGate, MailGate Cloud',
    dateReported: '2026/08/18',
    patchedSince: '2026/05/14',
    originSource: 'CERT-XX',
    shortDescription: 'Halvorsen MailGate lets attackers read the mail of every user.',
    exploitationType: ['ransomware'],
    cwes: ['CWE-79'],
    notes: 'https://halvorsen.example/advisories/1',
    ...changed,
  }
}

export function buildEuKevEntries(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => buildEuKevEntry(`CVE-2024-${10_000 + index}`))
}
