import { openFile } from '../reading/unpack.ts'

/** Of a file that is known to be small. */
export async function readWhole(path: string, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of openFile(path, { mostBytes })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
