import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { endpoints } from '../api/endpoints/index.ts'
import { openApiDocument } from '../contract/openapi.ts'

export function openapiCommand(): Command {
  return new Command('openapi')
    .description('print the OpenAPI document of this version')
    .option('--write <file>', 'write it to a file instead')
    .action(async ({ write }: { write?: string }) => {
      const text = `${JSON.stringify(openApiDocument(endpoints), null, 2)}\n`
      if (write) await writeFile(write, text)
      else process.stdout.write(text)
    })
}
