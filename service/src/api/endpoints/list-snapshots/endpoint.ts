import { Type } from 'typebox'
import { closedObject } from '../../../contract/response/schemas.ts'
import { SNAPSHOT_FORMAT, snapshotSchema } from '../../../contract/snapshots.ts'
import { formatInstant } from '../../../domain/instant.ts'
import { defineEndpoint } from '../../services.ts'
import example from './example.json' with { type: 'json' }
import { readSnapshots, type SnapshotRow } from './query.ts'

export const listSnapshots = defineEndpoint({
  name: 'list-snapshots',
  method: 'GET',
  path: '/api/v1/snapshots',
  tag: 'Changes',
  summary: 'List snapshots',
  description:
    'The kept snapshots of the catalog, newest first: every record at one position of the change log. To keep a copy of the catalog, load the parts of the newest snapshot, and continue with its next_since as since of GET /api/v1/changes/records. A new snapshot is made each night, and the newest 3 are kept.',
  access: 'key',
  credits: 0,
  consumesRate: true,
  // There is no `console` rule, because snapshots are for programs that keep a copy of the catalog.
  work: 'record',
  cacheControl: 'private, max-age=60',
  response: {
    name: 'SnapshotList',
    schema: closedObject(
      { snapshots: Type.Array(snapshotSchema, { description: 'The snapshots, newest first.' }) },
      'The kept snapshots.',
    ),
  },
  example,
  errors: [],
  answer: async (_input, { db }) => ({ data: { snapshots: (await readSnapshots(db)).map(renderSnapshot) } }),
})

const renderSnapshot = ({ id, since, createdAt, records, bytes, sha256, schemaVersion }: SnapshotRow) => ({
  id,
  next_since: since,
  created_at: formatInstant(createdAt),
  records_total: records,
  parts: sha256.length,
  bytes,
  sha256,
  format: SNAPSHOT_FORMAT,
  schema_version: schemaVersion,
})
