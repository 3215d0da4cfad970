// Runs the commands and programs in the guide as a reader would: extracted from the served pages, in page order,
// against the service that serves them.
import { describe, expect, it } from 'vitest'
import { GUIDE } from '../../../src/documentation/guide/index.ts'
import { account, createTestKey } from '../../support/builders.ts'
import { freshDatasets, publishExamples } from '../../support/catalog/example-catalog.ts'
import { startTestService } from '../../support/service.ts'
import { createReaderFolder, readFigures, runFigure } from './guide-figures.ts'

const { api, database, given } = await startTestService()
const key = createTestKey()
await given(account('pro').withKey(key, { scopes: ['read', 'manage', 'watch', 'triage'] }), ...freshDatasets)
await publishExamples(database.url)

const settings = { VIS_URL: `http://127.0.0.1:${api.port}`, VIS_API_KEY: key.key }

const [LOG4SHELL, MOVEIT, XZ] = ['CVE-2021-44228', 'CVE-2023-34362', 'CVE-2024-3094']

const FIRST_RESULT = /^CVE-2021-44228 10 2021-12-24\n$/
const CRITICALS = new RegExp(`^${XZ} .*\n${MOVEIT} .*\n${LOG4SHELL} 2021-12-10T10:15:09Z\n$`)

/** A table of exactly these CVEs, in this order. */
const listing = (...ids: readonly string[]) => new RegExp(`^CVE .*\n${ids.map((id) => `${id} .*\n`).join('')}$`)

/** Expected output of every code block, in page order. Output that a page shows is compared as well. */
const EXPECTED: Readonly<Record<string, readonly (RegExp | { code: number; stdout: RegExp })[]>> = {
  '/docs/guide': [
    /"status":"ok"/,
    /"dueDate": "2021-12-24"/,
    /"source": "nvd"/,
    /"name": "cisa"/,
    /"maturity": "ransomware"(.|\n)*metasploit +weaponized +exploit/,
    /"lane": "known"(.|\n)*"epss_movements": \{/,
    /"cve_id": "CVE-2021-44228"(.|\n)*"model_changes": \[\](.|\n)*"cve_id":"CVE-2021-44228","epss":.*"epss_trend":/,
    /"cve_ids": \[\n +"CVE-2021-44228"\n +\](.|\n)*GHSA-jfh8-c2jp-5v3q +\w+ +CVE-2021-44228/,
    /"total": 2(.|\n)*severity +2 +critical/,
    /"value": "apache"(.|\n)*log4j +apache/,
    /Log4j2(.|\n)*KEV/,
    FIRST_RESULT,
    FIRST_RESULT,
  ],
  '/docs/guide/authentication': [/^"pro"$/m, /"reason": "missing"/],
  '/docs/guide/credits': [/"plan": "pro"/, /^first: 200\nsecond: 304\n$/],
  '/docs/guide/keys': [
    /^"pro"$/m,
    /^\["active",false\]\n\["active",true\]\n$/,
    /^$/,
    /^key\.revoke\nkey\.revoke\n$/,
    /^true\n$/,
    /^ORIGIN +ADDED\nhttps:\/\/app\.example +2/,
  ],
  '/docs/guide/members': [
    /^\["ada@example\.org","admin","invited"\]\n$/,
    /^viewer\n$/,
    /^member\.remove\nmember\.role\nmember\.invite\n$/,
  ],
  '/docs/guide/pagination': [
    /"hasMore": true/,
    new RegExp(`^${XZ}\t.*\n${MOVEIT}\t.*\n${LOG4SHELL}\t2021-12-10T10:15:09Z\n$`),
    /^$/,
    CRITICALS,
    CRITICALS,
  ],
  '/docs/guide/search': [
    listing(LOG4SHELL),
    listing(MOVEIT),
    listing(MOVEIT),
    listing(MOVEIT),
    listing(XZ),
    listing(XZ),
    listing(MOVEIT, LOG4SHELL),
    listing(LOG4SHELL, MOVEIT),
    listing(XZ),
    new RegExp(`^${LOG4SHELL}\t10\tCWE-20\tCWE-502\n$`),
    listing(LOG4SHELL),
    new RegExp(`^(CVE .*\n${LOG4SHELL} .*\n){2}CVE .*\n(${LOG4SHELL} .*\n|${MOVEIT} .*\n){2}$`),
    new RegExp(`^CVE .*\n${LOG4SHELL} .*\n${LOG4SHELL}\n$`),
  ],
  '/docs/guide/priority': [
    /^Priority +P0 by policy /m,
    new RegExp(`^LEVEL .*\nP0 +${LOG4SHELL} .*\nP\\d +${XZ} `),
    new RegExp(`^CVE .*\n${LOG4SHELL} .*\n${MOVEIT} .*\nCVE .*\n${MOVEIT} .*\n${LOG4SHELL} .*\n$`),
    { code: 1, stdout: new RegExp(`^CVE .*\n${LOG4SHELL} .*--priority P1`) },
  ],
  '/docs/guide/matching': [
    new RegExp(`^LEVEL .*\nP0 +${LOG4SHELL} .* affected +2\\.15\\.0 +NVD: apache log4j from 2\\.13\\.0 `),
    /^affected\n2\.15\.0\nNVD: apache log4j from 2\.13\.0 before 2\.15\.0; 2\.14\.1 is inside\.\n$/,
    new RegExp(`^{"from_version":"2\\.14\\.1",.*"${LOG4SHELL}"`),
    listing(LOG4SHELL),
  ],
  '/docs/guide/sbom': [
    /^$/,
    new RegExp(
      `^Fix plan.*\n1\\. apache/log4j 2\\.14\\.1 → 2\\.15\\.0 \\(minor, end of a range\\)\nResolves +P0 1: ${LOG4SHELL}\n`,
    ),
    new RegExp(
      `^component,version,verdict,coverage_gap,priority_level,id,planned_version\napache/log4j,2\\.14\\.1,affected,,P0,${LOG4SHELL},2\\.15\\.0\nnpm/shop-core,3\\.1\\.0,no_known_advisory,,,,\n$`,
    ),
    /^logger\taffected\t2\.15\.0\nown\tno_known_advisory\t\n$/,
    { code: 1, stdout: /^Fix plan/ },
    /^Fix plan.*\n1\. apache\/log4j (.*\n)+exit code 1\n$/,
    /^$/,
    new RegExp(`^${LOG4SHELL}\taffected$`, 'm'),
  ],
  '/docs/guide/triage': [
    /^CVE .*\nCVE-2021-23337 +not_affected +suppresses +pkg:npm\/lodash +<4\.17\.21 +2027-01-31 /,
    /^(CVE .*\n)?SET AT .*\n.* 2 +removed .*\n.* 1 +not_affected /,
    /^0 created, 0 replaced, 0 unchanged\.\n$/,
  ],
  '/docs/guide/changes': [
    new RegExp(
      `^RECORDED .*\n.* ${LOG4SHELL} .*\n.* ${MOVEIT} .*\n.*Z\t2021-12-10\t${LOG4SHELL}\n.*Z\t2023-06-02\t${MOVEIT}\n$`,
    ),
    new RegExp(`^${LOG4SHELL}\t10\n${MOVEIT}\t9.8\n${XZ}\t10\n$`),
  ],
  '/docs/guide/copy': [/^$/, new RegExp(`^${LOG4SHELL} 10\n${MOVEIT} 9.8\n${XZ} 10\n$`)],
  '/docs/guide/epss': [
    /^2026-08-14\t0.61207\tv2026.06.15\n(.*\n){6}$/,
    new RegExp(`^CVE .*\n${XZ} +2026-08-14 .* ▆▇▇█+\n${LOG4SHELL} .*\n$`),
    new RegExp(`^CVE .*\n${XZ} .*\n$`),
    /^null \(too_few_scores\)\n$/,
  ],
  '/docs/guide/series': [
    /^2023-05-01\t0\n2023-06-01\t1\n$/,
    /CRITICAL(.|\n)*2023-06-01 +2023-06-30 +1 /,
    /^VENDOR +COUNT *\napache +1 +█+\n/,
  ],
  '/docs/guide/errors': [/"suggestion": "high"/, /^no such CVE\n$/, /^no such CVE\n$/],
  '/docs/guide/recipes': [
    /^$/,
    new RegExp(`^LEVEL .*\nP0 +${LOG4SHELL} .*This CVE is in CISA's KEV catalog since 2021-12-10.*\nP\\d +${XZ} `),
    new RegExp(`^P0\t${LOG4SHELL}\tshop/pom.xml\tThis CVE is in CISA's KEV .*\nP\\d\t${XZ}\tbase image\t`),
    new RegExp(`^LEVEL .*\nP0 +${LOG4SHELL} .* affected +2\\.15\\.0 `),
    /^log4j\t\S*\t2\.15\.0\tnvd$/m,
    { code: 1, stdout: new RegExp(`^CVE .*\n${LOG4SHELL} .*\n${MOVEIT} .*--kev, --epss-min 0.9 `) },
    { code: 1, stdout: new RegExp(`^CVE .*\n${LOG4SHELL} .*--severity critical `) },
    new RegExp(`^RECORDED .*\n.* ${LOG4SHELL} .*\n.* ${MOVEIT} .*\n$`),
    new RegExp(`^RECORDED .*\n(.* ${LOG4SHELL} .*\n)+$`),
    /^$/,
    /"as_of": "2024-04-12T23:59:59Z"(.|\n)*"unknown"/,
    new RegExp(`^cve_id,.*\r\n${MOVEIT},2023-06-02`),
    new RegExp(XZ),
    /^$/,
    /^kev\t1652\t2026-08-21T17:46:43Z\tfresh$/m,
  ],
  '/docs/guide/attributions': [],
}

/** Response members that differ from response to response or from account to account. */
const VOLATILE = new Set([
  'correlationId',
  'nextCursor',
  'reset_at',
  'credits_used',
  'credits_remaining',
  'percentage_used',
])

function replaceVolatile(text: string): unknown {
  try {
    return JSON.parse(text, (member, value: unknown) => (VOLATILE.has(member) ? '…' : value))
  } catch {
    return text.trim()
  }
}

describe.each(GUIDE.map(({ path }) => path))('API guide: %s', (path) => {
  it(`commands on the guide page ${path} print the output that the page documents`, { timeout: 400_000 }, async () => {
    const folder = await createReaderFolder()
    const expected = [...(EXPECTED[path] ?? [])]
    let last = ''

    for (const figure of await readFigures(api, path)) {
      if (figure.kind === 'settings') continue
      if (figure.kind === 'answer') {
        expect(replaceVolatile(figure.text)).toEqual(replaceVolatile(last))
        continue
      }
      const next = expected.shift() ?? /no expectation for this block/
      const { code, stdout } = next instanceof RegExp ? { code: 0, stdout: next } : next
      const outcome = await runFigure(figure, folder, settings)
      expect(outcome, figure.text).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
      last = outcome.stdout
    }
    expect(expected, 'every expectation has a command').toEqual([])
  })
})
