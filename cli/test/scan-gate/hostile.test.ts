// Reports about documents whose names, versions and ids try to break a report, a terminal or the log of a CI job.
import { describe, expect, it } from 'vitest'
import { findReportErrors } from '../../../service/test/support/report-schemas.ts'
import { startVisctlSetup } from '../visctl-setup.ts'
import { EXPLOITED, publishGateCatalog, routerCpe } from './catalog.ts'

const setup = await startVisctlSetup()
await publishGateCatalog(setup)

/** Texts of which none may act: as a control sequence, a line of its own, a command, a link or another direction. */
const HOSTILE = {
  quotes: `"'\`}],"x":1`,
  'line breaks': 'a\n::error file=x::forged\r\n##[error]forged\u2028::add-mask::x',
  'an escape sequence': '\u001b]8;;https://evil.example\u0007\u001b[2J\u009b31m',
  'a NUL': 'a\u0000b',
  'marks that change the text direction': '\u202egnp.exe\u2066x\u200f\u061c',
  HTML: '<img src=x onerror=alert(1)><!-- --></script>',
  Markdown: '[click](https://evil.example) ![x](https://evil.example/x) | `',
  'a workflow command': '::set-output name=exit-code::0',
  'an encoded workflow command': '%0A::error::forged%0D%0A::stop-commands::x',
  'a command of another CI system': '##vso[task.setvariable variable=x]1 ##[stop-commands]y ##teamcity[message]',
  'half a surrogate pair': 'a\ud800b',
  'an unknown letter': '\ufffe\uffff\u{e0041}',
  'a member that every object has': '__proto__',
  'a format placeholder': '{0} %s $& \\u0000 \\',
  'a long text': 'x'.repeat(127),
  'a text that is too long': '::error::'.repeat(200),
} as const

const cyclonedx = (components: readonly object[], more: object = {}) =>
  JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', components, ...more })

/** The text as name, ref, version, supplier and part of the purl and the CPE name, of components with and without hits. */
const buildDocument = (text: string) =>
  cyclonedx(
    [
      { type: 'library', 'bom-ref': text, name: text, version: '2.1', cpe: routerCpe('2.1') },
      { type: 'library', 'bom-ref': `${text} `, name: text, version: '2.1', cpe: routerCpe('2.1') },
      { type: 'library', 'bom-ref': `b ${text}`, name: 'router', version: '2.1', publisher: text },
      { type: 'library', 'bom-ref': 'c', name: 'lark', purl: `pkg:npm/lark@1.0.0?note=${text}#${text}` },
      { type: 'library', 'bom-ref': 'd', name: 'lark', purl: 'pkg:npm/lark', version: text },
      { type: 'library', 'bom-ref': 'e', name: text, version: text, purl: `pkg:generic/${text}@${text}` },
      { type: 'file', name: text },
      { type: 'library', name: text, version: text },
    ],
    {
      serialNumber: text,
      metadata: { component: { type: 'application', name: text, version: text } },
    },
  )

const run = (document: string, ...options: readonly string[]) =>
  setup.visctl(['scan', '-', '--fail-on', 'P1', ...options], {}, document)

/** Control characters, and characters that change the direction of text. */
const FORBIDDEN = /[\p{Control}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u

/** Returns the lines of an output that a terminal or a CI system would execute. */
function findActive(output: string): readonly string[] {
  return output.split('\n').filter((line) => {
    return FORBIDDEN.test(line) || /^\s*::[\w-]+[^:]*::/.test(line) || /##[a-z]*\[/i.test(line)
  })
}

describe.each(Object.entries(HOSTILE))('visctl scan of a document with %s', (_title, text) => {
  const document = buildDocument(text)

  it.each([
    ['a plan', []],
    ['rows', ['--rows']],
    ['CSV', ['--csv']],
  ] as const)('prints %s and a summary in which nothing is interpreted', async (_form, options) => {
    const { code, stdout, stderr } = await run(document, ...options)

    expect(code, stderr).toBe(1)
    expect(stdout).toContain(EXPLOITED)
    expect(findActive(stdout.replaceAll('\r\n', '\n') + stderr)).toEqual([])
  })

  it.each([
    ['SARIF', ['--sarif']],
    ['OpenVEX', ['--format', 'openvex']],
    ['CycloneDX', ['--format', 'cyclonedx-vex']],
  ] as const)('writes valid %s', async (format, options) => {
    const { code, stdout, stderr } = await run(document, ...options)

    expect(code, stderr).toBe(1)
    expect(findActive(stdout + stderr)).toEqual([])
    expect(findReportErrors(format, JSON.parse(stdout))).toBeUndefined()
    expect(stdout).toContain(EXPLOITED)
  })

  it("prints the service's response as JSON with the text unchanged", async () => {
    const { stdout, stderr } = await run(document, '--json')

    expect(findActive(stdout + stderr)).toEqual([])
    const { gate, components } = JSON.parse(stdout)
    expect([gate.result, gate.findings[0].reason]).toEqual(['failed', 'affected'])
    const ref = components[0].ref
    expect([undefined, text.trim()]).toContain(ref)
  })
})

describe('visctl scan of hostile documents', () => {
  it('gives each component in a CycloneDX report its own ref', async () => {
    const { stdout } = await run(buildDocument('same'), '--format', 'cyclonedx-vex')
    const refs = JSON.parse(stdout).components.map((each: { 'bom-ref': string }) => each['bom-ref'])
    expect(new Set(refs).size).toBe(refs.length)
  })

  it('shows no links in SARIF messages', async () => {
    const { stdout } = await run(buildDocument(HOSTILE.Markdown), '--sarif')
    const [{ results, invocations }] = JSON.parse(stdout).runs
    const messages = [...results, ...invocations[0].toolExecutionNotifications].map(({ message }) => message.text)
    expect(messages.filter((message: string) => /(?<!\\)\[[^\]]*(?<!\\)\]\(/.test(message))).toEqual([])
  })

  it('prints an error that quotes the document on one line', async () => {
    const hostile = JSON.stringify({ bomFormat: 'x\n::error::forged\n\u001b[2J##[error]y' })
    const { code, stdout, stderr } = await run(hostile)

    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: the document, bomFormat "x ::error::forged /)
    expect(findActive(stderr)).toEqual([])
  })
})
