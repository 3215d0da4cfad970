// The parts of the SARIF 2.1.0, OpenVEX 0.2.0 and CycloneDX 1.6 schemas that the reports use. Members that are not
// listed here are not written.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const text = { type: 'string', minLength: 1 }
const closed = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const list = (items: object) => ({ type: 'array', items })
const uniqueList = (items: object) => ({ ...list(items), uniqueItems: true })
const message = closed({ text })

const SARIF = closed({
  $schema: { type: 'string', format: 'uri' },
  version: { const: '2.1.0' },
  runs: list(
    closed({
      tool: closed({
        driver: closed({
          name: text,
          version: text,
          rules: list(
            closed(
              {
                id: text,
                shortDescription: message,
                fullDescription: message,
                helpUri: { type: 'string', format: 'uri' },
                properties: closed({ 'security-severity': { type: 'string', pattern: '^[0-9]+\\.[0-9]$' } }),
              },
              ['id', 'shortDescription', 'fullDescription'],
            ),
          ),
        }),
      }),
      invocations: list(
        closed({
          executionSuccessful: { type: 'boolean' },
          exitCode: { type: 'integer' },
          toolExecutionNotifications: list(closed({ level: { enum: ['none', 'note', 'warning', 'error'] }, message })),
        }),
      ),
      results: list(
        closed({
          ruleId: text,
          ruleIndex: { type: 'integer', minimum: 0 },
          level: { enum: ['none', 'note', 'warning', 'error'] },
          message,
          locations: list(
            closed({
              physicalLocation: closed({
                artifactLocation: closed({ uri: { type: 'string', format: 'uri-reference' } }),
                region: closed({ startLine: { type: 'integer', minimum: 1 } }),
              }),
            }),
          ),
          partialFingerprints: { type: 'object', additionalProperties: { type: 'string' } },
        }),
      ),
    }),
  ),
})

const uri = { type: 'string', format: 'uri' }

const OPENVEX = closed({
  '@context': { const: 'https://openvex.dev/ns/v0.2.0' },
  '@id': uri,
  author: text,
  timestamp: { type: 'string', format: 'date-time' },
  version: { type: 'integer', minimum: 1 },
  tooling: text,
  statements: uniqueList(
    closed(
      {
        vulnerability: closed({ name: text, aliases: uniqueList(text) }, ['name']),
        products: list(
          closed({ '@id': uri, identifiers: closed({ purl: uri, cpe23: { type: 'string' } }, []) }, ['@id']),
        ),
        status: { enum: ['not_affected', 'affected', 'fixed', 'under_investigation'] },
        status_notes: text,
        action_statement: text,
        impact_statement: text,
      },
      ['vulnerability', 'products', 'status'],
    ),
  ),
})

const CYCLONEDX = closed({
  bomFormat: { const: 'CycloneDX' },
  specVersion: { const: '1.6' },
  serialNumber: { type: 'string', pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' },
  version: { type: 'integer', minimum: 1 },
  metadata: closed({
    timestamp: { type: 'string', format: 'date-time' },
    tools: closed({ components: list(closed({ type: { const: 'application' }, name: text })) }),
    authors: list(closed({ name: text })),
  }),
  components: uniqueList(
    closed(
      {
        type: { const: 'library' },
        'bom-ref': text,
        name: text,
        version: { type: 'string', maxLength: 1024 },
        cpe: { type: 'string' },
        purl: uri,
        properties: list(closed({ name: text, value: text })),
      },
      ['type', 'bom-ref', 'name'],
    ),
  ),
  vulnerabilities: uniqueList(
    closed(
      {
        id: text,
        ratings: list(closed({ score: { type: 'number' } })),
        recommendation: text,
        analysis: closed(
          {
            state: { enum: ['exploitable', 'in_triage', 'not_affected', 'resolved'] },
            response: list({ enum: ['update'] }),
            detail: text,
          },
          ['state', 'detail'],
        ),
        affects: list(closed({ ref: text })),
      },
      ['id', 'analysis', 'affects'],
    ),
  ),
})

const SCHEMAS = { SARIF, OpenVEX: OPENVEX, CycloneDX: CYCLONEDX }

/** Returns what is wrong with a report, or undefined. */
export function findReportErrors(format: keyof typeof SCHEMAS, report: unknown): string | undefined {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const validate = ajv.compile(SCHEMAS[format])
  return validate(report) ? undefined : ajv.errorsText(validate.errors)
}
