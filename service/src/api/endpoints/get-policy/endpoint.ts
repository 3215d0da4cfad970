import { Type } from 'typebox'
import { withDefault } from '../../../contract/request/parameters.ts'
import { word } from '../../../contract/request/value-types.ts'
import { POLICIES, POLICY_VERSION, type PolicyVersion } from '../../../domain/priority/policy.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { policySchema, renderPolicy } from './schema.ts'

// The cast is safe: Object.keys returns the keys of POLICIES.
const VERSIONS = Object.keys(POLICIES) as PolicyVersion[]

export const getPolicy = defineEndpoint({
  name: 'get-policy',
  method: 'GET',
  path: '/api/v1/policy',
  tag: 'Priority',
  summary: 'Get the rules of the priority levels',
  description:
    'The rules from which the levels P0 to P4 and unrated follow, as a table. Free of charge. Does not consume from the rate limit. A version never changes, and old versions stay readable.',
  access: 'key',
  credits: 0,
  consumesRate: false,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'none',
  cacheControl: 'private, max-age=60',
  response: { name: 'PriorityPolicy', schema: Type.Object({ policy: policySchema }, { additionalProperties: false }) },
  example,
  errors: [],
  parameters: {
    query: {
      version: withDefault(word(VERSIONS), POLICY_VERSION, 'Version of the policy. Default: the current version.'),
    },
  },
  answer: async ({ query }) => ({ data: { policy: renderPolicy(POLICIES[query.version]) } }),
})
