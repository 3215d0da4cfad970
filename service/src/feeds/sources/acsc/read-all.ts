import { openFile } from '../../formats/decompress.ts'

/** Of a file that is known to be small. */
export async function readWhole(path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of openFile(path, { maxBytes })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
