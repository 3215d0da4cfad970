// Wrong uses of the sdk that must not compile. No test runs this file: tsc fails if one of the uses compiles.
import { type Client, createClient, isVisError } from '../src/index.ts'

export async function wrongUses(client: Client, error: unknown): Promise<void> {
  // @ts-expect-error url is required
  createClient({ apiKey: '' })
  // @ts-expect-error an id is a string
  await client.cve(202144228)
  // @ts-expect-error unknown field
  await client.cve('CVE-2021-44228', { fields: ['cvss_score'] })
  // @ts-expect-error unknown add-on
  await client.cve('CVE-2021-44228', { include: ['exploits'] })

  const single = await client.cve('CVE-2021-44228')
  // @ts-expect-error v3_1 is nullable: not every CVE has a CVSS 3.1 score
  single.cvss.v3_1.baseScore.toFixed(1)
  // @ts-expect-error kev is optional: not every CVE is in the KEV catalog
  void single.kev.dueDate?.length
  // @ts-expect-error attack is optional: it is present only with include
  void single.attack.techniques.length
  // @ts-expect-error records are readonly
  single.description = ''

  const selected = await client.cve('CVE-2021-44228', { fields: ['cve_id', 'kev'] })
  void (selected.cve_id.length + (selected.kev?.dateAdded.length ?? 0))
  // @ts-expect-error description was not selected
  void selected.description?.length

  // @ts-expect-error unknown severity
  client.search({ severity: ['urgent'] })
  // @ts-expect-error severity is a list
  client.search({ severity: 'critical' })
  // @ts-expect-error kev is a boolean
  client.search({ kev: 1 })
  // @ts-expect-error misspelled filter
  client.search({ severty: ['critical'] })
  // @ts-expect-error kev has no sort
  client.kev({ sort: 'published_desc' })
  // @ts-expect-error a listing is not an array
  client.search({}).map(String)
  for await (const listed of client.search({ include: ['acsc'] })) {
    // @ts-expect-error lists have acsc_notices instead of acsc
    void listed.acsc?.length
  }
  // @ts-expect-error only pages of recent have lookbackPeriod
  void (await client.search({}).page()).lookbackPeriod.length

  const { cves } = await client.batch(['CVE-2021-44228'])
  // @ts-expect-error the id may be unknown
  cves['CVE-2021-44228'].severity?.toFixed(1)
  // @ts-expect-error a batch has due_date instead of dueDate
  void cves['CVE-2021-44228']?.kev?.dueDate?.length

  const detail = await client.detail('CVE-2021-44228')
  // @ts-expect-error record exists only if kind is full
  void detail.record.cve_id.length
  // @ts-expect-error unknown source
  await client.detail('CVE-2021-44228', { vendor: 'microsoft' })

  // @ts-expect-error unknown code
  isVisError(error, 'CREDITS_GONE')
  // @ts-expect-error NOT_FOUND has no credits_used
  if (isVisError(error, 'NOT_FOUND')) error.details.credits_used.toFixed(1)
}
