import { Type } from 'typebox'
import { readUsage } from '../../../accounts/read-usage.ts'
import { renderUsage, usageSchema } from '../../../contract/usage.ts'
import { callerOf, defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const getUsage = defineEndpoint({
  name: 'get-usage',
  method: 'GET',
  path: '/api/v1/usage',
  summary: "Credits of the key's account in this calendar month",
  description: 'The only place that speaks of the quota. Exact at every moment; free of charge.',
  access: 'key',
  credits: 0,
  consumesRate: false,
  cacheControl: 'no-store',
  response: { name: 'Usage', schema: Type.Object({ usage: usageSchema }, { additionalProperties: false }) },
  example,
  errors: [],
  answer: async (_input, services) => {
    return { data: { usage: renderUsage(await readUsage(services.accounts, callerOf(services).accountId)) } }
  },
})
