// The add-on `acsc`: notices from the Australian Cyber Security Centre (ACSC) that name the CVE.
import { Type } from 'typebox'
import { acscListNoticeSchema, acscNoticeSchema } from '../acsc.ts'
import { defineAddOn } from '../cve-member.ts'

const description =
  'ACSC notices that name the CVE, newest first. Empty if no stored notice does, which says nothing while the data set acsc of /health has the state never_loaded.'

const listed = {
  wireName: 'acsc_notices',
  column: 'acsc_notices',
  schema: Type.Array(acscListNoticeSchema, { description }),
} as const

export const acsc = defineAddOn({
  name: 'acsc',
  schema: Type.Array(acscNoticeSchema, { description }),
  columns: ['acsc', 'acsc_notices'],
  variants: { listed, recent: listed },
})
