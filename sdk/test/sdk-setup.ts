// Starts the real service and creates sdk clients for it.
import { account, createTestKey } from '../../service/test/support/builders.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { buildDetailRecord } from '../../service/test/support/catalog/cve-fragments.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../../service/test/support/service.ts'
import { type Client, type ClientOptions, createClient, type ResponseInfo } from '../src/index.ts'

export interface SdkSetup extends TestService {
  readonly url: string
  /** All responses that the clients of this setup received. */
  readonly responses: ResponseInfo[]
  /** Creates a client with the API key of a new account, unless `options` contains an API key. */
  client(options?: Partial<ClientOptions> & { plan?: 'free' | 'pro'; creditsLeft?: number }): Promise<Client>
}

export async function startSdkSetup(environment: TestServiceOptions['environment'] = {}): Promise<SdkSetup> {
  const service = await startTestService({ environment })
  const url = `http://127.0.0.1:${service.api.port}`
  const responses: ResponseInfo[] = []
  return {
    ...service,
    url,
    responses,
    client: async ({ plan = 'pro', creditsLeft, ...options } = {}) => {
      const { key } = await issueKey(service, plan, creditsLeft)
      return createClient({ url, apiKey: key, onResponse: (info) => void responses.push(info), ...options })
    },
  }
}

async function issueKey({ given }: TestService, plan: 'free' | 'pro', creditsLeft: number | undefined) {
  const key = createTestKey()
  const owner = account(plan).withKey(key)
  await given(creditsLeft === undefined ? owner : owner.withCreditsLeft(creditsLeft))
  return key
}

/** Three CVEs: one with all kinds of data, one with KEV and EPSS only, and one with neither KEV nor EPSS. */
export const SAMPLE_CVES = [
  cve('CVE-2021-44228', {
    published: '2026-08-21T10:00:00Z',
    modified: '2026-08-21T12:00:00Z',
    description: 'The logger of Logbook resolves names inside messages.',
    score: 10,
    kev: { vendorProject: 'Norwind', product: 'Logbook', dueDate: '2021-12-24', knownRansomware: true },
    epss: [0.97, 0.99],
    notices: ['Logbook is exploited'],
    techniques: ['T1190', 'T1059.003'],
    hasExploit: true,
    details: { nvd: buildDetailRecord('CVE-2021-44228', 'nvd') },
  }),
  cve('CVE-2014-0160', {
    published: '2014-04-07T22:55:00Z',
    score: 7.5,
    epss: [0.94, 0.98],
    kev: { product: 'TLS Library' },
  }),
  cve('CVE-2024-0001', { published: '2024-01-02T00:00:00Z', score: 3.1 }),
]
