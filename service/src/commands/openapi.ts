import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { endpoints } from '../api/endpoints/index.ts'
import { buildOpenApiDocument } from '../contract/openapi/openapi.ts'
import { printJson } from '../contract/openapi/print-json.ts'
import type { CommandIo } from './io.ts'

export function openapiCommand(io: CommandIo): Command {
  return new Command('openapi')
    .description('Print the OpenAPI document of this version')
    .option('--write <file>', 'Write the document to a file instead of printing it')
    .action(async ({ write }: { write?: string }) => {
      const text = `${printJson(buildOpenApiDocument(endpoints))}\n`
      if (write) await writeFile(write, text)
      else io.stdout.write(text)
    })
}
