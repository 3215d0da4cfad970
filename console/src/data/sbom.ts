// `POST /console/api/v1/sbom`: matches the components of an SBOM. The document goes in the body, never in the address.
import type { MatchResult } from 'vis-sdk'
import { callService } from './call.ts'

const ADDRESS = '/console/api/v1/sbom'

interface SbomResult extends MatchResult {
  readonly sbom: {
    readonly format: string
    readonly spec_version: string
    readonly serial: string | null
    readonly components_read: number
    readonly components_skipped_total: number
    /** The first skipped components. */
    readonly components_skipped: readonly { readonly index: number; readonly why: string }[]
  }
}

type Options = Readonly<Record<string, string>>

export async function matchSbom(document: object, options: Options): Promise<SbomResult> {
  return (await send<{ readonly data: SbomResult }>(document, options)).data
}

/** Returns the verdicts as an OpenVEX document. */
export async function createVex(document: object, options: Options): Promise<object> {
  const { data } = await send<{ readonly data: { readonly document: object } }>(document, {
    ...options,
    format: 'openvex',
  })
  return data.document
}

function send<Body>(document: object, options: Options): Promise<Body> {
  return callService<Body>(`${ADDRESS}?${new URLSearchParams(options)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(document),
  })
}
