// The add-on `attack`: MITRE ATT&CK techniques. One column holds the techniques, another how they were found.

import { closedObject } from '../../response/schemas.ts'
import { defineAddOn } from '../cve-member.ts'
import { techniqueMappingSchema, techniquesSchema } from '../enrichment.ts'

export const attack = defineAddOn({
  name: 'attack',
  schema: closedObject(
    { techniques: techniquesSchema(), mapping: techniqueMappingSchema() },
    'MITRE ATT&CK techniques related to the CVE.',
    'Attack',
  ),
  columns: ['techniques', 'technique_mapping'],
  render: ({ techniques, technique_mapping }) => `{"techniques":${techniques},"mapping":${technique_mapping}}`,
})
