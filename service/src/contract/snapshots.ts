// The schema for snapshots of the catalog, and the type of their ids in a path.
import { Type } from 'typebox'
import { positionSchema } from './changes.ts'
import type { ValueType } from './request/value-types.ts'
import { closedObject, countSchema, instantSchema, textSchema } from './response/schemas.ts'

const SNAPSHOT_ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/
const EXAMPLE_ID = '20261117T020000Z-5f0c2d9e'

export const SNAPSHOT_FORMAT = 'ndjson.gz'
export const PART_MEDIA_TYPE = 'application/gzip'

export function snapshotId(): ValueType<string> {
  return {
    schema: Type.String({ pattern: SNAPSHOT_ID.source }),
    expects: `the id of a snapshot, such as ${EXAMPLE_ID}`,
    example: EXAMPLE_ID,
    parse: (text) => (SNAPSHOT_ID.test(text) ? text : undefined),
  }
}

export const snapshotSchema = closedObject(
  {
    id: Type.String({ pattern: SNAPSHOT_ID.source, description: 'Id of the snapshot.', examples: [EXAMPLE_ID] }),
    next_since: positionSchema(
      'Position of the change log at which the records were read. Continue with it: since of GET /api/v1/changes/records.',
    ),
    created_at: instantSchema('Time at which the snapshot was begun.'),
    records_total: countSchema('Number of records: one for each CVE of the catalog.'),
    parts: countSchema('Number of parts. Their numbers begin with 1.'),
    bytes: countSchema('Size of all parts together.'),
    sha256: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
      description: 'SHA-256 of each part, in hexadecimal digits.',
    }),
    format: Type.Literal(SNAPSHOT_FORMAT, {
      description: 'Lines of JSON, compressed with gzip. A line is an item of records of GET /api/v1/changes/records.',
    }),
    schema_version: textSchema('Version of the API whose records the snapshot has.'),
  },
  'Every record of the catalog at one position of the change log.',
  'Snapshot',
)
