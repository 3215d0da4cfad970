import { exportedVexSchema, MAX_EXPORTED_CHARACTERS, MAX_LISTED_PROBLEMS } from '../../../contract/triage/openvex.ts'
import { buildDocument } from '../../self-service/triage-documents.ts'
import { defineEndpoint, requireCaller } from '../../services.ts'
import example from './example.json' with { type: 'json' }

export const exportTriage = defineEndpoint({
  name: 'export-triage',
  method: 'GET',
  path: '/api/v1/triage/openvex',
  tag: 'Triage',
  summary: 'Export triage entries as OpenVEX',
  description:
    'All triage entries of the account as one OpenVEX document, except those that mute CVEs in a watch. accepted becomes affected, and a state that has ended or is open again becomes under_investigation, so that other tools hide no more than this service does. What OpenVEX has no member for is in the last line of status_notes, and named in not_expressed; POST /api/v1/triage/openvex reads all of it again. Needs a key with the scope triage. Free of charge.',
  access: 'key',
  scope: 'triage',
  credits: 0,
  consumesRate: true,
  console: { minRole: 'viewer', cost: 'read' },
  work: 'account',
  cacheControl: 'no-store',
  response: { name: 'ExportedTriage', schema: exportedVexSchema },
  example,
  errors: [],
  // So that large documents of one account are built one after the other.
  estimateBytes: () => MAX_EXPORTED_CHARACTERS,
  answer: async (_input, services) => {
    const { document, unexpressed } = await buildDocument(services, `Account ${requireCaller(services).accountId}`)
    return {
      data: {
        document,
        not_expressed_total: unexpressed.length,
        not_expressed: unexpressed.slice(0, MAX_LISTED_PROBLEMS),
      },
    }
  },
})
