// Flags of every command, and of every list.
import type { Field } from '@vis/sdk'
import type { Flags } from './command.ts'

export const COMMON_FLAGS = {
  url: {
    kind: 'text',
    placeholder: 'ADDRESS',
    about: 'where the service is; else VIS_URL, else http://127.0.0.1:3000',
  },
  key_file: { kind: 'text', placeholder: 'FILE', about: 'holds the API key; else VIS_API_KEY' },
  help: { kind: 'switch', about: 'how it is used' },
} satisfies Flags

export const JSON_FLAG = {
  json: { kind: 'switch', about: 'as JSON, with every member' },
} satisfies Flags

export const CSV_FLAG = {
  csv: { kind: 'switch', about: 'as CSV, for spreadsheets' },
} satisfies Flags

/** All that the sdk knows, and no other: the compiler sees to it. */
const FIELDS = Object.keys({
  cve_id: true,
  source_tag: true,
  published: true,
  modified: true,
  description: true,
  severity: true,
  status: true,
  enrichment_status: true,
  cvss: true,
  cpe: true,
  references: true,
  kev: true,
  epss: true,
  acsc: true,
  attack: true,
  enrichment: true,
} satisfies Record<Field, true>)

export const SELECTION_FLAGS = {
  fields: { kind: 'list', values: FIELDS, placeholder: 'NAMES', about: 'only these members; with --json' },
  include: { kind: 'list', values: ['acsc', 'enrichment', 'attack'], about: 'add-ons; with --json' },
} satisfies Flags

export const LIST_FLAGS = {
  limit: { kind: 'text', placeholder: 'N', about: 'at most so many; default 20' },
  all: { kind: 'switch', about: 'all of them, page by page' },
  ...JSON_FLAG,
  ...CSV_FLAG,
} satisfies Flags
