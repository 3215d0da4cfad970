import type { SentDocument } from '../../../contract/endpoint.ts'
import { GATE_PARAMETERS, gateParameters } from '../../../contract/gate.ts'
import { optional, withDefault } from '../../../contract/request/parameters.ts'
import { flag, integer, withExample, word } from '../../../contract/request/value-types.ts'
import { MAX_SBOM_BYTES, MAX_SBOM_COMPONENTS, SBOM_ANSWER_FORMATS, sbomScanSchema } from '../../../contract/sbom.ts'
import { TRIAGE_USE_DESCRIPTION, TRIAGE_USES } from '../../../contract/triage/applied.ts'
import { CONFIDENCES } from '../../../domain/match-words.ts'
import { RATED_LEVELS } from '../../../domain/priority/policy.ts'
import { requirePublished } from '../../cve-record/published.ts'
import { readAppliedTriage } from '../../self-service/applied-triage.ts'
import { defineEndpoint, requireCaller } from '../../services.ts'
import example from './example.json' with { type: 'json' }

const MAX_MATCHES = 500
const DEFAULT_MATCHES = 100
const CREDITS = 35
/** For real documents, answers are at most this many times as large as the uncompressed document. */
const ANSWER_FACTOR = 2
const GZIP_FACTOR = 10

export const scanSbom = defineEndpoint({
  name: 'scan-sbom',
  method: 'POST',
  path: '/api/v1/sbom',
  tag: 'Matching',
  summary: 'Find the CVEs that affect the components of an SBOM',
  description: `Reads a CycloneDX (1.4 to 1.7) or SPDX (2.3, 3.0) document in JSON with up to ${MAX_SBOM_COMPONENTS} components and ${MAX_SBOM_BYTES / 1024 / 1024} MiB, also when it is inflated, and answers for each component as POST /api/v1/match does, or as a VEX document. Nested components follow the one that contains them. A component is compared by its purl, else by its cpe, else by its name and version, with hits that are one step less sure. Files without a purl or a cpe and the software that the document describes are not compared. The body may be sent with Content-Encoding: gzip. The document is neither stored nor logged.`,
  access: 'key',
  credits: CREDITS,
  consumesRate: true,
  // In the console, a call counts as many reads as it costs credits with an API key.
  console: { minRole: 'viewer', cost: 'read', countReads: () => CREDITS },
  work: 'document',
  cacheControl: 'no-store',
  response: { name: 'SbomScan', schema: sbomScanSchema },
  example,
  errors: ['NOT_READY'],
  bodyLimit: MAX_SBOM_BYTES,
  documentBody: {
    types: ['application/json', 'application/vnd.cyclonedx+json', 'application/spdx+json'],
    description:
      'The document itself, or an object with the members document and suppress. suppress is a list of hits that you have judged already, as in POST /api/v1/match, or an OpenVEX document, whose statements with the status not_affected or fixed apply to the purls of their products.',
  },
  parameters: {
    query: {
      confidence_min: withDefault(
        word(CONFIDENCES),
        'medium',
        'Minimum confidence of listed matches. Weaker hits are counted, not listed.',
      ),
      priority_max: withDefault(
        word(RATED_LEVELS),
        'P4',
        'Least urgent level of listed matches: P2 lists P0, P1 and P2; P3 also lists hits that are unrated.',
      ),
      matches_per_component: withDefault(
        integer({ minimum: 1, maximum: MAX_MATCHES }),
        DEFAULT_MATCHES,
        'Maximum number of listed matches of a component, most urgent first.',
      ),
      same_host: withDefault(
        flag(),
        true,
        'Whether the components are on one machine. If true, a platform that a CVE requires may be another component of the document.',
      ),
      format: withDefault(
        word(SBOM_ANSWER_FORMATS),
        'json',
        'json lists the components. openvex (0.2.0) and cyclonedx_vex (1.6) give a VEX document in data.document: affected; under_investigation for possibly_affected, for weaker hits, and for CVEs whose versions have no known order; not_affected and fixed for hits that suppress judges so. Components with a coverage_gap are counted in tooling (OpenVEX) or listed with the property vis:coverage_gap (CycloneDX).',
      ),
      fail_on: optional(
        withExample(word(RATED_LEVELS), 'P1'),
        'Adds data.gate: failed if a CVE of this level or a more urgent one affects a component, incomplete if something that counts could not be judged, passed otherwise. The status stays 200.',
      ),
      ...gateParameters,
      triage: optional(word(TRIAGE_USES), TRIAGE_USE_DESCRIPTION),
    },
  },
  rules: [
    {
      parameters: ['fail_on', 'priority_max'],
      // Otherwise the matches that should fail the scan would be ignored.
      check: ({ query: { fail_on, priority_max } }) =>
        fail_on !== undefined && RATED_LEVELS.indexOf(fail_on) > RATED_LEVELS.indexOf(priority_max)
          ? 'must not be less urgent than priority_max'
          : undefined,
    },
    ...GATE_PARAMETERS.map((name) => ({
      parameters: [name, 'fail_on'] as const,
      check: ({ query }: { readonly query: Readonly<Record<string, unknown>> }) =>
        query[name] !== undefined && query['fail_on'] === undefined
          ? 'changes the gate of fail_on; send fail_on as well'
          : undefined,
    })),
  ],
  estimateBytes: ({ document }) => (document === undefined ? 0 : estimateAnswer(document)),
  prepare: async ({ document }, services) => {
    await requirePublished(services)
    return services.readDocument(requireDocument(document), services.signal)
  },
  answer: async ({ query, document: sent }, services) => {
    const document = requireDocument(sent)
    const options = {
      confidenceMin: query.confidence_min,
      maxLevel: query.priority_max,
      maxMatches: query.matches_per_component,
      isSameHost: query.same_host,
      format: query.format,
      gate: query.fail_on && {
        failOn: query.fail_on,
        allow: query.allow ?? [],
        own: query.own ?? [],
        maxDataAge: query.max_data_age,
      },
      triage: await readAppliedTriage(services, query.triage),
      author: `Account ${requireCaller(services).accountId}`,
      now: services.now,
    }
    return { json: await services.scanDocument(document, options, services.signal) }
  },
})

function requireDocument(document: SentDocument | undefined): SentDocument {
  if (document === undefined) throw new Error('The request flow passed no document.')
  return document
}

function estimateAnswer({ bytes, isGzip }: SentDocument): number {
  return Math.min(MAX_SBOM_BYTES, bytes.length * (isGzip ? GZIP_FACTOR : 1)) * ANSWER_FACTOR
}
