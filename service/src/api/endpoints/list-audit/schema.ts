// The schema for an entry in an account's audit log.
import { Type } from 'typebox'
import { closedObject, instantSchema, textSchema } from '../../../contract/response/schemas.ts'

export const auditEntrySchema = closedObject(
  {
    id: textSchema('Id of the entry. Later entries have larger ids.'),
    time: instantSchema('When the change was made.'),
    actor: Type.String({
      description: 'Who made the change: key:<id>, member:<id> or operator.',
      examples: ['key:12', 'operator'],
    }),
    action: Type.String({
      description: 'What was changed.',
      examples: ['key.issue', 'key.rotate', 'key.revoke', 'key.grant', 'account.origins'],
    }),
    key_id: Type.Optional(textSchema('Id of the key that was changed.')),
    member_id: Type.Optional(textSchema('Id of the member who was changed.')),
    details: Type.Object(
      {},
      { additionalProperties: true, description: 'Facts about the change. They depend on the action.' },
    ),
  },
  'A change of the account.',
  'AuditEntry',
)
