// The groups of endpoints in openapi.json and /docs, in the order in which /docs shows them.

export const TAGS = {
  CVEs: 'One CVE or a batch of CVEs by id.',
  Search: 'Lists of CVEs, by filters or by the time of their last change.',
  Views: 'Saved searches, own and shared.',
  Watches: 'Saved searches that tell what happens to their CVEs, and what they told.',
  Matching: 'Which CVEs affect the versions that you run.',
  Priority: 'Which CVEs to fix first, and the rules behind it.',
  Changes: 'What changed since a position, for whoever keeps a copy of the data.',
  Triage: 'What the account decided about CVEs, which colleagues see and scans apply.',
  KEV: "CISA's catalog of known exploited vulnerabilities.",
  EPSS: 'How EPSS scores moved over time.',
  Account: "The plan, credits, keys and browser origins of the key's account.",
  Service: 'Whether the service works, how old its data is, and how much data it has.',
} as const satisfies Record<string, string>

export type Tag = keyof typeof TAGS
