import { describe, expect, it } from 'vitest'
import { readDocument, readFile } from '../../src/pages/match/document.ts'
import { readSubject, toDocument } from '../../src/pages/match/subject.ts'

const CYCLONEDX = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [] }

describe('an SBOM that is read in the browser', () => {
  it.each([
    [CYCLONEDX, 'CycloneDX 1.6'],
    [{ spdxVersion: 'SPDX-2.3', packages: [] }, 'SPDX 2.3'],
    [{ '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld', '@graph': [] }, 'SPDX 3'],
  ])('names the format of %j', (content, format) => {
    expect(readDocument('sbom.json', JSON.stringify(content))).toEqual({ name: 'sbom.json', format, content })
  })

  it.each([
    ['<bom></bom>', /sbom\.json is XML\. Save the SBOM as JSON/],
    ['SPDXVersion: SPDX-2.3', /tags and values/],
    ['{"bomFormat":', /is not JSON/],
    ['[]', /is not a JSON object/],
    ['{"name":"package.json"}', /neither a CycloneDX nor an SPDX document/],
  ])('refuses %j and says what to send', (text, message) => {
    expect(() => readDocument('sbom.json', text)).toThrow(message)
  })

  it('refuses a file of more than 10 MiB', async () => {
    const file = new File(['x'.repeat(10 * 1024 * 1024 + 1)], 'large.json')

    await expect(readFile(file)).rejects.toThrow('large.json has more than 10 MiB.')
  })
})

describe('what is checked', () => {
  it('reads a pasted text that begins with a brace as an SBOM', () => {
    expect(readSubject(`\n${JSON.stringify(CYCLONEDX)}`).subject).toMatchObject({ kind: 'document' })
    expect(readSubject('{"a":1}').issues).toEqual([{ line: 1, message: expect.stringContaining('neither') }])
  })

  it('asks for a component if the text has none', () => {
    expect(readSubject('# comment\n\n').issues).toEqual([{ line: 1, message: expect.stringContaining('at least one') }])
  })

  it('makes a CycloneDX document of package URLs and CPE names, for OpenVEX', () => {
    const { subject } = readSubject('pkg:npm/a@1\n\ncpe:2.3:a:b:c:1:*:*:*:*:*:*:*')

    expect(subject && toDocument(subject)).toMatchObject({
      bomFormat: 'CycloneDX',
      components: [
        { 'bom-ref': 'line-1', purl: 'pkg:npm/a@1' },
        { 'bom-ref': 'line-3', cpe: 'cpe:2.3:a:b:c:1:*:*:*:*:*:*:*' },
      ],
    })
  })

  it('makes no document of lines with product names, which OpenVEX cannot identify', () => {
    const { subject } = readSubject('pkg:npm/a@1\napache log4j 2.14.1')

    expect(subject && toDocument(subject)).toBeUndefined()
  })
})
