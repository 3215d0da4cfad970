// Uses that must not compile. tsc reads this file and nobody runs it: where one of them compiles, tsc fails.
import { type Client, createClient, isVisError } from '../src/index.ts'

export async function wrongUses(client: Client, error: unknown): Promise<void> {
  // @ts-expect-error a client needs to know where the service is
  createClient({ apiKey: '' })
  // @ts-expect-error an id is text
  await client.cve(202144228)
  // @ts-expect-error no such field
  await client.cve('CVE-2021-44228', { fields: ['cvss_score'] })
  // @ts-expect-error no such add-on
  await client.cve('CVE-2021-44228', { include: ['exploits'] })

  const single = await client.cve('CVE-2021-44228')
  // @ts-expect-error not every CVE has a score of version 3.1
  single.cvss.v3_1.baseScore.toFixed(1)
  // @ts-expect-error not every CVE is in the KEV catalogue
  void single.kev.dueDate?.length
  // @ts-expect-error add-ons are there only when they are included
  void single.attack.techniques.length
  // @ts-expect-error what is answered is not ours to change
  single.description = ''

  const selected = await client.cve('CVE-2021-44228', { fields: ['cve_id', 'kev'] })
  void (selected.cve_id.length + (selected.kev?.dateAdded.length ?? 0))
  // @ts-expect-error it was not selected
  void selected.description?.length

  // @ts-expect-error a severity is one of four words
  client.search({ severity: ['urgent'] })
  // @ts-expect-error a list, even of one
  client.search({ severity: 'critical' })
  // @ts-expect-error true or false, not 1
  client.search({ kev: 1 })
  // @ts-expect-error a typo would return the whole corpus
  client.search({ severty: ['critical'] })
  // @ts-expect-error only searches are sorted
  client.kev({ sort: 'published_desc' })
  // @ts-expect-error a listing is not an array: its pages must be waited for
  client.search({}).map(String)
  for await (const listed of client.search({ include: ['acsc'] })) {
    // @ts-expect-error lists have acsc_notices
    void listed.acsc?.length
  }
  // @ts-expect-error pages of a search do not know how far they look back
  void (await client.search({}).page()).lookbackPeriod.length

  const { cves } = await client.batch(['CVE-2021-44228'])
  // @ts-expect-error it may not be known
  cves['CVE-2021-44228'].severity?.toFixed(1)
  // @ts-expect-error in a batch KEV entries have other names
  void cves['CVE-2021-44228']?.kev?.dueDate?.length

  const detail = await client.detail('CVE-2021-44228')
  // @ts-expect-error it may be partial: ask for its kind first
  void detail.record.cve_id.length
  // @ts-expect-error no such source
  await client.detail('CVE-2021-44228', { vendor: 'microsoft' })

  // @ts-expect-error no such code
  isVisError(error, 'CREDITS_GONE')
  // @ts-expect-error other errors know nothing of credits
  if (isVisError(error, 'NOT_FOUND')) error.details.credits_used.toFixed(1)
}
