import { Type } from 'typebox'
import { readUsageOfCaller } from '../../../accounts/credits/read-usage.ts'
import { renderUsage, usageSchema } from '../../../contract/usage.ts'
import { actForCaller } from '../../self-service/act.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const getUsage = defineEndpoint({
  name: 'get-usage',
  method: 'GET',
  path: '/api/v1/usage',
  tag: 'Account',
  summary: 'Get credit usage',
  description: "Plan and credits of the key's account in this calendar month. The numbers are exact. Free of charge.",
  access: 'key',
  credits: 0,
  consumesRate: false,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'Usage', schema: Type.Object({ usage: usageSchema }, { additionalProperties: false }) },
  example,
  errors: [],
  answer: async (_input, services) => {
    return { data: { usage: renderUsage(await actForCaller(services, readUsageOfCaller)) } }
  },
})
