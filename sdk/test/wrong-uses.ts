// Wrong uses of the sdk that must not compile. No test runs this file: the type check fails if one of the uses compiles.
import { type Client, createClient, isVisError } from '../src/index.ts'

export async function wrongUses(client: Client, error: unknown): Promise<void> {
  // @ts-expect-error The option url is required.
  createClient({ apiKey: '' })
  // @ts-expect-error A CVE id must be a string.
  await client.cve(202144228)
  // @ts-expect-error `fields` accepts only known field names.
  await client.cve('CVE-2021-44228', { fields: ['cvss_score'] })
  // @ts-expect-error `include` accepts only known names.
  await client.cve('CVE-2021-44228', { include: ['exploit'] })

  const single = await client.cve('CVE-2021-44228')
  // @ts-expect-error v3_1 is nullable, because not every CVE has a CVSS 3.1 score.
  single.cvss.v3_1.baseScore.toFixed(1)
  // @ts-expect-error kev is optional, because not every CVE is in the KEV catalog.
  void single.kev.dueDate?.length
  // @ts-expect-error attack is optional, because it is present only if `include` names it.
  void single.attack.techniques.length
  // @ts-expect-error The members of a record are readonly.
  single.description = ''

  const selected = await client.cve('CVE-2021-44228', { fields: ['cve_id', 'kev'] })
  void (selected.cve_id.length + (selected.kev?.dateAdded.length ?? 0))
  // @ts-expect-error description is not among the selected `fields`.
  void selected.description?.length

  // @ts-expect-error `severity` accepts only known severities.
  client.search({ severity: ['urgent'] })
  // @ts-expect-error The filter `severity` must be a list.
  client.search({ severity: 'critical' })
  // @ts-expect-error The filter `kev` must be a boolean.
  client.search({ kev: 1 })
  // @ts-expect-error A misspelled filter is rejected.
  client.search({ severty: ['critical'] })
  // @ts-expect-error client.kev has no parameter `sort`.
  client.kev({ sort: 'published_desc' })
  // @ts-expect-error client.search returns no array, so there is no map().
  client.search({}).map(String)
  for await (const listed of client.search({ include: ['acsc'] })) {
    // @ts-expect-error CVEs in lists have acsc_notices instead of acsc.
    void listed.acsc?.length
  }
  // @ts-expect-error Only pages of client.recent have lookbackPeriod.
  void (await client.search({}).page()).lookbackPeriod.length

  const { cves } = await client.batch(['CVE-2021-44228'])
  // @ts-expect-error A CVE of a batch may be undefined, because its id may be unknown.
  cves['CVE-2021-44228'].severity?.toFixed(1)
  // @ts-expect-error The kev object of a batch has due_date instead of dueDate.
  void cves['CVE-2021-44228']?.kev?.dueDate?.length

  // @ts-expect-error A scan with a format of VEX has `document` instead of `components`.
  void (await client.scanSbom('{}', { format: 'openvex' })).components.length
  // @ts-expect-error `fail_on` accepts only known levels.
  await client.scanSbom('{}', { fail_on: 'high' })

  const detail = await client.detail('CVE-2021-44228')
  // @ts-expect-error The member `record` exists only if `kind` is `full`.
  void detail.record.cve_id.length
  // @ts-expect-error `vendor` accepts only known sources.
  await client.detail('CVE-2021-44228', { vendor: 'microsoft' })

  // @ts-expect-error isVisError accepts only known error codes.
  isVisError(error, 'CREDITS_GONE')
  // @ts-expect-error The details of NOT_FOUND have no credits_used.
  if (isVisError(error, 'NOT_FOUND')) error.details.credits_used.toFixed(1)
}
