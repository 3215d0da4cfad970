// The real service with a small catalogue, and clients of it as a caller would make them.
import { account, aKey } from '../../service/test/support/builders.ts'
import { cve } from '../../service/test/support/catalog/cve-builder.ts'
import { detailRecord } from '../../service/test/support/catalog/cve-fragments.ts'
import { PATIENT, type TestService, type TestServiceOptions, testService } from '../../service/test/support/service.ts'
import { type Client, type ClientOptions, createClient, type ResponseInfo } from '../src/index.ts'

export interface World extends TestService {
  readonly url: string
  /** Every answer that a client of this world got. */
  readonly seen: ResponseInfo[]
  /** With a new account, unless a key is given. */
  client(options?: Partial<ClientOptions> & { plan?: 'free' | 'pro'; creditsLeft?: number }): Promise<Client>
}

export async function world(environment: TestServiceOptions['environment'] = {}): Promise<World> {
  const service = await testService({ environment: { ...PATIENT, ...environment } })
  const url = `http://127.0.0.1:${service.api.port}`
  const seen: ResponseInfo[] = []
  return {
    ...service,
    url,
    seen,
    client: async ({ plan = 'pro', creditsLeft, ...options } = {}) => {
      const { key } = await issued(service, plan, creditsLeft)
      return createClient({ url, apiKey: key, onResponse: (info) => void seen.push(info), ...options })
    },
  }
}

async function issued({ given }: TestService, plan: 'free' | 'pro', creditsLeft: number | undefined) {
  const key = aKey()
  const owner = account(plan).withKey(key)
  await given(creditsLeft === undefined ? owner : owner.withCreditsLeft(creditsLeft))
  return key
}

/** Three that differ in what is known about them. */
export const KNOWN = [
  cve('CVE-2021-44228', {
    published: '2026-08-21T10:00:00Z',
    modified: '2026-08-21T12:00:00Z',
    description: 'A logger of Thing looks up names in messages.',
    score: 10,
    kev: { vendorProject: 'Maker', product: 'Logger', dueDate: '2021-12-24', knownRansomware: true },
    epss: [0.97, 0.99],
    notices: ['Logger is exploited'],
    techniques: ['T1190', 'T1059.003'],
    hasExploit: true,
    details: { nvd: detailRecord('CVE-2021-44228', 'nvd') },
  }),
  cve('CVE-2014-0160', { published: '2014-04-07T22:55:00Z', score: 7.5, epss: [0.94, 0.98], kev: { product: 'Sock' } }),
  cve('CVE-2024-0001', { published: '2024-01-02T00:00:00Z', score: 3.1 }),
]
