import { Type } from 'typebox'
import { required } from '../../../contract/request/parameters.ts'
import { integer, withExample } from '../../../contract/request/value-types.ts'
import { PART_MEDIA_TYPE, snapshotId } from '../../../contract/snapshots.ts'
import { defineEndpoint } from '../../services.ts'
import { findPart, readPart } from './query.ts'

const MAX_PARTS = 32_767
/** A part ends once its lines reach 4 MiB, so it can be a little larger. */
const MAX_PART_BYTES = 5 * 1024 * 1024

export const getSnapshotPart = defineEndpoint({
  name: 'get-snapshot-part',
  method: 'GET',
  path: '/api/v1/snapshots/{snapshot-id}/parts/{part}',
  tag: 'Changes',
  summary: 'Get a part of a snapshot',
  description:
    'The bytes of one part, about 4 MiB, outside the envelope: a gzip file of whole lines. A line is a record of the form of GET /api/v1/changes/records, in the order of the CVE ids. Each part can be read alone, and all parts one after the other are one gzip file. Compare the SHA-256 with the list of snapshots. A part never changes; its ETag is its SHA-256, and 304 is free. 404: the snapshot has fewer parts. 410: the snapshot is no longer kept.',
  access: 'key',
  credits: 5,
  consumesRate: true,
  // There is no `console` rule, because snapshots are for programs that keep a copy of the catalog.
  work: 'batch',
  cacheControl: 'private, max-age=3600',
  response: {
    name: 'SnapshotPart',
    mediaType: PART_MEDIA_TYPE,
    schema: Type.String({ format: 'binary', description: 'Lines of JSON, compressed with gzip.' }),
  },
  errors: ['NOT_FOUND', 'GONE'],
  parameters: {
    path: {
      'snapshot-id': required(snapshotId(), 'Id of a snapshot, from the list of snapshots.'),
      part: required(withExample(integer({ minimum: 1, maximum: MAX_PARTS }), 1), 'Number of the part, from 1.'),
    },
  },
  estimateBytes: () => MAX_PART_BYTES,
  answer: async ({ path: { 'snapshot-id': id, part } }, { db }) => {
    const { bytes, sha256 } = await findPart(db, id, part)
    return {
      file: {
        mediaType: PART_MEDIA_TYPE,
        etag: `"${sha256}"`,
        bytes,
        read: () => readPart(db, { id, part, bytes }),
      },
    }
  },
})
